// Whether all is well, what is not, and which device holds what.
import { announce, command, h, marked, name, show } from "./dom.js";
import { sparkline, table } from "./chart.js";
import { bytes, capital, count, date, deviceName, duration, number, sentence, since } from "./words.js";

export const title = "Overview";

export function open(main, app) {
  let told = "";
  return {
    update() {
      const { account } = app;
      if (!account) return show(main, ...noAccount());
      // An account whose store cannot be opened tells why, and nothing else.
      const rest = account.deviceId ? [devices(account), throughput(app), facts(account)] : [];
      show(main, head(account), problems(account), care(app), rest);
      const word = capital(account.summary);
      if (told && told !== word) announce(word);
      told = word;
    },
  };
}

const noAccount = () => [
  h("h1", null, "There is no account on this device yet"),
  h("p", { class: "lead" }, "An account is what your devices have in common. To make one, or to take over one that " +
    "you have, type this in a terminal:"),
  h("pre", null, command("kachat-node init")),
];

function mood(account) {
  if (account.state === "error") return "bad";
  if (account.problems.length > 0 || account.state === "waiting" || account.state === "paused") return "warn";
  return account.wantedBlobs > 0 || account.state === "syncing" ? "busy" : "good";
}

const marks = { good: "All is well", warn: "Needs a look", bad: "Something is wrong", busy: "Working" };

function head(account) {
  const kind = mood(account);
  const change = account.lastChangeAt ? h("span", { class: "nowrap" }, since(account.lastChangeAt)) : null;
  const isShort = change !== null && !account.summary.includes(";");
  return h("section", { class: "hero", "aria-label": "In one sentence" },
    h("p", { class: `mark ${kind}` }, h("span", { class: `dot ${kind}`, "aria-hidden": "true" }), marks[kind]),
    h("h1", null, capital(account.summary), isShort ? ["; last change ", change] : null),
    h("p", { class: "lead" }, change && !isShort ? ["Last change ", change, ". "] : null, sentence(account.sentence)));
}

function problems(account) {
  return h("section", { "aria-labelledby": "problems" },
    h("h2", { id: "problems" }, "What needs you"),
    account.problems.length === 0
      ? h("p", { class: "soft" }, "Nothing. Your devices find each other and keep in sync by themselves.")
      : h("ul", { class: "problems" }, account.problems.map((each) =>
        h("li", { "data-key": each.code + (each.deviceId ?? "") },
          h("h3", null, marked(capital(each.what))),
          h("dl", { class: "pairs" },
            h("div", null, h("dt", null, "Which device"), h("dd", null, each.device ? name(each.device) : "this one")),
            h("div", null, h("dt", null, "What to do"), h("dd", null, marked(sentence(each.remedy)))))))));
}

// What is to be done before this device is lost.
function care({ status, account }) {
  const steps = [
    account.phraseConfirmed !== false ? null
      : "Write the recovery phrase down: it is the account. Then say that you have it, by "
        + "`kachat-node account phrase --confirm`.",
    status.backupAt ? null : "Make a backup, and keep it in a safe place, by `kachat-node backup FILE`.",
  ].filter(Boolean);
  if (steps.length === 0) return null;
  return h("section", { "aria-labelledby": "care" }, h("h2", { id: "care" }, "Before this device is lost"),
    h("ul", { class: "card stack care" }, steps.map((step) => h("li", null, marked(step)))));
}

function devices(account) {
  const heads = [{ text: "Device" }, { text: "Holds everything up to" }, { text: "Last seen" },
    { text: "Still to come from it" }];
  const rows = account.devices.map((device) => ({
    key: device.deviceId,
    cells: [
      [name(deviceName(device)), " ", device.thisDevice ? h("span", { class: "tag" }, "this device") : null],
      device.thisDevice ? restoring(account) : device.level ? h("span", { class: "good" }, "now")
        : device.holdsUpTo ? date(device.holdsUpTo) : "not known",
      device.thisDevice || device.connected ? h("span", { class: "nowrap" }, "here now") : since(device.seenAt),
      device.wantedMessages > 0 ? `${count(device.wantedMessages, "message")} (${bytes(device.wantedBytes)})` : "nothing",
    ],
  }));
  return h("section", { "aria-labelledby": "holders" },
    h("h2", { id: "holders" }, "Who holds what"),
    table("Devices of the account, and up to when each holds everything", heads, rows, { cards: "cards" }),
    account.devices.length < 2
      ? h("p", { class: "hint" }, h("a", { href: "#/devices" }, "Add a second device"),
        ": then this one can be lost, and nothing with it.")
      : null);
}

// The bar of this device, while something is missing.
function restoring(account) {
  const { progress } = account;
  if (!(account.wantedBlobs > 0)) return h("span", { class: "good" }, "now");
  const parts = [
    progress.counting || progress.percent === null ? "finding out how much there is" : `${progress.percent} % here`,
    progress.secondsLeft && !progress.counting ? `about ${duration(progress.secondsLeft)} left` : null,
    progress.daysKnown ? `${number(progress.daysHere)} of ${count(progress.daysKnown, "day")} complete` : null,
  ].filter(Boolean).join(", ");
  return h("div", { class: "restore" },
    h("div", { class: "bar", role: "progressbar", "aria-label": "Restoring this device", "aria-valuemin": "0",
      "aria-valuemax": "100", "aria-valuenow": progress.counting ? null : progress.percent, "aria-valuetext": parts },
    h("span", { "width%": progress.counting ? 0 : progress.percent })),
    h("span", { class: "small" }, parts));
}

function throughput(app) {
  const values = app.rates.map((each) => each.messages);
  const now = app.rates.at(-1) ?? { messages: 0, bytes: 0 };
  const text = now.bytes > 0
    ? `${count(now.messages, "message")} a second (${bytes(now.bytes)}/s)` : "Nothing is being fetched now";
  return h("section", { "aria-labelledby": "throughput" },
    h("h2", { id: "throughput" }, "Throughput"),
    h("figure", { class: "card" },
      sparkline(values, "Messages fetched a second over the last minutes"),
      h("figcaption", { class: "small soft" }, `${text}. The most since this page opened: `,
        `${count(Math.max(0, ...values), "message")} a second.`)));
}

function facts(account) {
  const pairs = [
    ["Messages", account.messages], ["Conversations", account.conversations], ["Unread", account.unread],
    ["Without text yet", account.placeholders], ["Not archived yet", account.queued],
  ];
  return h("section", { "aria-labelledby": "facts" },
    h("h2", { id: "facts" }, "On this device"),
    h("dl", { class: "facts" }, pairs.map(([what, value]) =>
      h("div", null, h("dt", null, what), h("dd", { class: "number" }, number(value))))));
}
