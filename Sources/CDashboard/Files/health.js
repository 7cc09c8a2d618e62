// How an account stands, decided in one place: headline, badge and rows are made of it, so that none contradicts
// another.
import { h } from "./dom.js";
import { capital, count, date, since } from "./words.js";

// While the node does not answer nothing is known of how the account stands; what was said last is told with its time.
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
    // Nothing is said to be everywhere beside what needs attention.
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

// Why this device holds less than everything, in a few words; null where nothing is known to be missing.
export function blocked(account) {
  const states = { paused: "paused", background: "in the background", locked: "locked", error: "cannot be opened" };
  if (states[account.state]) return states[account.state];
  const codes = account.problems.map((each) => each.code);
  const has = (...some) => some.some((code) => codes.includes(code));
  if (has("storageFull", "storage-full", "storage", "store")) return "no room to store more";
  if (has("unreadable", "storage-damaged")) return "some of it cannot be read";
  if (account.queued > 0) return `${count(account.queued, "message")} not passed on yet`;
  return null;
}

const lacks = (account) => account.wantedBlobs > 0 || blocked(account) !== null;

// Whether this device, and every other one, is known to hold what there is.
function holdsAll(account) {
  const isCurrent = (device) => device.level || (account.lastChangeAt && device.holdsUpTo >= account.lastChangeAt);
  return !lacks(account) && account.devices.length > 1
    && account.devices.every((device) => device.thisDevice || isCurrent(device));
}

// Up to when another device holds everything: it is compared with this one, which may lack something itself.
export function holdsUpTo(app, device) {
  if (!device) return "not known";
  if (!device.level) return device.holdsUpTo ? date(device.holdsUpTo) : "not known";
  if (isLost(app)) return date(app.heardAt);
  if (app.account.queued > 0) return `all but ${count(app.account.queued, "message")}`;
  return lacks(app.account) ? "what this device has" : h("span", { class: "good" }, "now");
}

// The same of this device, while nothing is being fetched.
export function ownHold(app) {
  const reason = blocked(app.account);
  if (reason) return capital(reason);
  return isLost(app) ? date(app.heardAt) : h("span", { class: "good" }, "now");
}

// When a device that is connected was last seen.
export const seenNow = (app) => (isLost(app) ? since(app.heardAt) : h("span", { class: "nowrap" }, "here now"));

// Stands above what was true when the node last answered; null while it answers.
export const asOf = (app) => (isLost(app)
  ? h("p", { class: "hint", "data-key": "as-of" }, "Last known at ", date(app.heardAt), ".") : null);
