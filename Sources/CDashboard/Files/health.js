// The node's verdict in colours and words (docs/SYNC.md, §1). Nothing is decided here, so that headline, badge and rows
// cannot contradict each other, nor what `status` says.
import { h } from "./dom.js";
import { capital, date, since } from "./words.js";

// While the node does not answer, the account's condition is unknown; the last known values are shown with their time.
export const isLost = (app) => app.lostAt !== null;

// `kind` is the colour and `mark` the badge; `own` says how much this device holds. The advice that some sentences end
// with is left to the problem below.
const looks = {
  upToDate: { kind: "good", mark: "All is well", own: "now" },
  syncing: { kind: "busy", mark: "Syncing", own: "syncing" },
  offline: { kind: "warn", mark: "Not on all devices", own: "now" },
  paused: { kind: "warn", mark: "Paused", own: "paused", isAdvised: true },
  incomplete: { kind: "warn", mark: "Incomplete", own: "not everything" },
  full: { kind: "bad", mark: "No room", own: "no room to store more", isAdvised: true },
  error: { kind: "bad", mark: "Something is wrong", own: "unknown" },
};

// `headline` is the sentence above all others.
export function health(app) {
  if (isLost(app)) {
    return { kind: "idle", mark: "No answer", headline: ["The node has not answered since ", date(app.heardAt)] };
  }
  const { kind, mark, isAdvised } = looks[app.account.verdict];
  const { summary } = app.account;
  return { kind, mark, headline: capital(isAdvised ? summary.split(/[;:] /)[0] : summary) };
}

const now = () => h("span", { class: "good" }, "now");

// The time up to which another device holds everything. It is compared with this one, which may itself lack something.
export function holdsUpTo(app, device) {
  if (!device) return "unknown";
  if (!device.level) return device.holdsUpTo ? date(device.holdsUpTo) : "unknown";
  if (isLost(app)) return date(app.heardAt);
  return looks[app.account.verdict].own === "now" ? now() : "what this device has";
}

// The same for this device, while it fetches nothing.
export function ownHold(app) {
  const { own } = looks[app.account.verdict];
  if (own !== "now") return capital(own);
  return isLost(app) ? date(app.heardAt) : now();
}

// The time a connected device was last seen.
export const seenNow = (app) => (isLost(app) ? since(app.heardAt) : h("span", { class: "nowrap" }, "here now"));

// Shown above values from the node's last answer; null while it answers.
export const asOf = (app) => (isLost(app)
  ? h("p", { class: "hint", "data-key": "as-of" }, "Last known at ", date(app.heardAt), ".") : null);
