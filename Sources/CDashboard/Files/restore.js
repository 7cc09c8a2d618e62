// History on its way to this device: how far back it is complete, how fast it comes, and how long it still takes.
import { sparkline } from "./chart.js";
import { h } from "./dom.js";
import { isLost } from "./health.js";
import { bytes, count, duration, month, number } from "./words.js";

// Fewer missing messages are a usual sync, which the row of this device shows.
const fewMessages = 500;

export const isRestoring = ({ account }) => account.verdict === "syncing" && account.wantedBlobs > 0
  && (account.progress.counting || account.progress.messagesWanted >= fewMessages);

// `59 %, complete back to March 2019`: as much as is known.
export function restored({ progress }) {
  const back = progress.completeFrom && progress.daysHere > 0 ? `complete back to ${month(progress.completeFrom)}` : null;
  return [progress.counting || progress.percent === null ? null : `${progress.percent}\u00A0%`, back].filter(Boolean).join(", ");
}

// The days with messages from today, on the right, to the oldest one; those that are complete are filled.
function timeline({ progress }) {
  const { daysHere, daysKnown, completeFrom } = progress;
  if (!daysKnown || !completeFrom) return null;
  const oldest = completeFrom + ((daysHere ?? 0) - daysKnown) * 86400000;
  const part = Math.min(100, ((daysHere ?? 0) / daysKnown) * 100);
  const text = `${number(daysHere ?? 0)} of ${count(daysKnown, "day")} complete`;
  return h("div", { class: "timeline" },
    h("div", { class: "track", role: "progressbar", "aria-label": "History that is complete, from today backwards",
      "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": Math.floor(part), "aria-valuetext": text },
    h("span", { "width%": part })),
    h("div", { class: "row apart small soft" }, h("span", null, month(oldest)), h("span", null, "today")),
    h("p", { class: "small soft" }, `${text}.`));
}

export function restoring(app) {
  const { progress } = app.account;
  const rates = app.rates.map((each) => each.messages);
  const left = progress.secondsLeft && !progress.counting ? `about ${duration(progress.secondsLeft)}` : "not known yet";
  const pairs = [
    ["Messages here", number(progress.messagesHere)],
    ["Still to come", progress.counting ? "being counted" : `${number(progress.messagesWanted)} (${bytes(progress.bytesWanted)})`],
    ["Messages a second", isLost(app) ? "unknown" : number(progress.messagesPerSecond)],
    ["Time left", isLost(app) ? "unknown" : left],
  ];
  return h("section", { class: "restoring", "aria-label": "History on its way" },
    timeline(app.account),
    h("dl", { class: "facts" }, pairs.map(([what, value]) => h("div", null, h("dt", null, what), h("dd", null, value)))),
    rates.some((each) => each > 0)
      ? h("figure", { class: "card" }, sparkline(rates, "Messages a second in the last minutes"),
        h("figcaption", { class: "small soft" }, "Messages a second since this page was opened; at most ",
          number(Math.max(...rates)), ".")) : null,
    h("p", { class: "hint" }, "The newest messages come first. You can use everything that is here already."));
}
