// The condition of an account, decided in one place: headline, badge and rows follow from it, so that none contradicts
// another.
import { h } from "./dom.js";
import { capital, count, date, since } from "./words.js";

// While the node does not answer, the account's condition is unknown; the last known values are shown with their time.
export const isLost = (app) => app.lostAt !== null;

const marks = {
  good: "All is well", warn: "Needs attention", bad: "Something is wrong", busy: "Working", idle: "No answer",
};

// `kind` is the colour, `mark` the badge and `headline` the sentence above all others.
export function health(app) {
  const { account } = app;
  const verdict = (kind, headline, mark = marks[kind]) => ({ kind, mark, headline });
  if (isLost(app)) return verdict("idle", ["The node has not answered since ", date(app.heardAt)]);
  const summary = capital(account.summary);
  if (account.state === "error") return verdict("bad", summary);
  const trouble = account.problems[0];
  const isWhole = holdsAll(account);
  if (trouble || ["waiting", "paused", "background", "locked"].includes(account.state)) {
    // Do not claim that everything is everywhere beside a problem.
    const claimsAll = isWhole || blocked(account);
    return verdict("warn", claimsAll ? capital((trouble?.what ?? account.sentence).split(/[;:] /)[0]) : summary);
  }
  if (account.queued > 0 && !(account.wantedBlobs > 0)) {
    const are = account.queued === 1 ? "is" : "are";
    return verdict("busy", `${count(account.queued, "message")} ${are} only here so far`);
  }
  if (account.wantedBlobs > 0) return verdict("busy", summary);
  return isWhole ? verdict("good", summary) : verdict("busy", summary, "Not on all devices yet");
}

// The reason this device holds less than everything, in a few words; null if nothing is known to be missing.
export function blocked(account) {
  const states = { paused: "paused", background: "in the background", locked: "locked", error: "cannot be opened",
    removed: "removed from the account" };
  if (states[account.state]) return states[account.state];
  const codes = account.problems.map((each) => each.code);
  const has = (...some) => some.some((code) => codes.includes(code));
  if (has("storageFull", "storage-full", "storage", "store")) return "no room to store more";
  if (has("unreadable", "storage-damaged")) return "some of it cannot be read";
  if (account.queued > 0) return `${count(account.queued, "message")} not sent yet`;
  return null;
}

const lacks = (account) => account.wantedBlobs > 0 || blocked(account) !== null;

// True if this device and every other one are known to hold everything.
function holdsAll(account) {
  const isCurrent = (device) => device.level || (account.lastChangeAt && device.holdsUpTo >= account.lastChangeAt);
  return !lacks(account) && account.devices.length > 1
    && account.devices.every((device) => device.thisDevice || isCurrent(device));
}

// The time up to which another device holds everything. It is compared with this one, which may itself lack something.
export function holdsUpTo(app, device) {
  if (!device) return "unknown";
  if (!device.level) return device.holdsUpTo ? date(device.holdsUpTo) : "unknown";
  if (isLost(app)) return date(app.heardAt);
  if (app.account.queued > 0) return `all but ${count(app.account.queued, "message")}`;
  return lacks(app.account) ? "what this device has" : h("span", { class: "good" }, "now");
}

// The same for this device, while it fetches nothing.
export function ownHold(app) {
  const reason = blocked(app.account);
  if (reason) return capital(reason);
  return isLost(app) ? date(app.heardAt) : h("span", { class: "good" }, "now");
}

// The time a connected device was last seen.
export const seenNow = (app) => (isLost(app) ? since(app.heardAt) : h("span", { class: "nowrap" }, "here now"));

// Shown above values from the node's last answer; null while it answers.
export const asOf = (app) => (isLost(app)
  ? h("p", { class: "hint", "data-key": "as-of" }, "Last known at ", date(app.heardAt), ".") : null);
