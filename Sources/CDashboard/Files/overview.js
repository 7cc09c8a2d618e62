// The condition of the account, its problems, and the devices that hold its data.
import { announce, command, h, marked, name, show } from "./dom.js";
import { sparkline, table } from "./chart.js";
import { asOf, health, holdsUpTo, isLost, ownHold, seenNow } from "./health.js";
import { bytes, capital, count, deviceName, duration, number, sentence, since } from "./words.js";

export const title = "Overview";

export function open(main, app) {
  let told = "";
  function render() {
    const { account } = app;
    if (!account) return show(main, ...noAccount(app));
    // An account whose store cannot be opened shows only the reason.
    const rest = account.deviceId ? [devices(app), throughput(app), facts(app)] : [];
    show(main, head(app), problems(app), care(app), rest);
    // The banner, an alert, announces that the node is gone.
    const word = isLost(app) ? "" : health(app).headline;
    if (told && word && told !== word) announce(word);
    told = word;
  }
  return { update: render, lost: render };
}

const noAccount = (app) => [
  h("h1", null, "There is no account on this device yet"),
  h("p", { class: "lead" }, "All devices of an account hold the same data. To create an account, or import one that " +
    "you have, run one of these in a terminal:"),
  h("pre", null, command(`${app.line("account create")}\n${app.line("account import --phrase-file FILE")}`)),
];

function head(app) {
  const { account } = app;
  const { kind, mark, headline } = health(app);
  const change = account.lastChangeAt ? h("span", { class: "nowrap" }, since(account.lastChangeAt)) : null;
  const isShort = change !== null && !isLost(app) && !headline.includes(";");
  // Do not repeat the headline, or a problem shown below.
  const isSaid = [account.summary, ...account.problems.map((each) => each.what)].includes(account.sentence);
  return h("section", { class: "hero", "aria-label": "In one sentence" },
    h("p", { class: `mark ${kind}` }, h("span", { class: `dot ${kind}`, "aria-hidden": "true" }), mark),
    h("h1", null, isLost(app) ? headline : marked(headline), isShort ? ["; last change ", change] : null),
    isLost(app) ? h("p", { class: "lead" }, "The state of your devices is unknown until it answers.")
      : h("p", { class: "lead" }, change && !isShort ? ["Last change ", change, ". "] : null,
        isSaid ? null : marked(sentence(account.sentence))));
}

function problems(app) {
  const { account } = app;
  if (isLost(app) && account.problems.length === 0) return null;
  return h("section", { "aria-labelledby": "problems" },
    h("h2", { id: "problems" }, "Needs attention"), asOf(app),
    account.problems.length === 0
      ? h("p", { class: "soft" }, "Nothing. Your devices find each other and stay in sync on their own.")
      : h("ul", { class: "problems" }, account.problems.map((each, place) =>
        h("li", { "data-key": each.code + (each.deviceId ?? "") + place },
          h("h3", null, marked(capital(each.what))),
          h("dl", { class: "pairs" },
            h("div", null, h("dt", null, "Which device"), h("dd", null, each.device ? name(each.device) : "this one")),
            h("div", null, h("dt", null, "What to do"), h("dd", null, marked(sentence(each.remedy)))))))));
}

// The user's precautions against losing this device.
function care(app) {
  const { status, account } = app;
  const steps = [
    account.phraseOnDevice
      ? `Write down the recovery phrase: \`${app.line("account phrase", true)}\` shows it. `
        + `Then \`${app.line("account confirm", true)}\` asks for two of its words, and wipes it from this device. `
        + "Until then, a thief of this device finds it here."
      : null,
    status.backupAt ? null : `Make a backup with \`${app.line("backup FILE")}\`, and keep it in a safe place.`,
  ].filter(Boolean);
  if (steps.length === 0) return null;
  return h("section", { "aria-labelledby": "care" }, h("h2", { id: "care" }, "Before this device is lost"),
    h("ul", { class: "card stack care" }, steps.map((step) => h("li", null, marked(step)))));
}

function devices(app) {
  const { account } = app;
  const heads = [{ text: "Device" }, { text: "Holds everything up to" }, { text: "Last seen" },
    { text: "Waiting for" }];
  const rows = account.devices.map((device) => ({
    key: device.deviceId,
    cells: [
      [name(deviceName(device)), " ", device.thisDevice ? h("span", { class: "tag" }, "this device") : null],
      device.thisDevice ? restoring(app) : holdsUpTo(app, device),
      device.thisDevice || device.connected ? seenNow(app) : since(device.seenAt),
      device.wantedMessages > 0 ? `${count(device.wantedMessages, "message")} (${bytes(device.wantedBytes)})` : "nothing",
    ],
  }));
  return h("section", { "aria-labelledby": "holders" },
    h("h2", { id: "holders" }, "Copies"), asOf(app),
    table("Devices of the account, and how far each is synced", heads, rows, { cards: "cards" }),
    account.devices.length < 2
      ? h("p", { class: "hint" }, h("a", { href: "#/devices" }, "Add a second device"),
        " so that losing this one loses nothing.")
      : null);
}

// The progress bar of this device while something is missing.
function restoring(app) {
  const { account } = app;
  const { progress } = account;
  if (!(account.wantedBlobs > 0) || isLost(app)) return account.wantedBlobs > 0 ? "unknown" : ownHold(app);
  const parts = [
    progress.counting || progress.percent === null ? "counting" : `${progress.percent} % here`,
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
  const text = isLost(app) ? "Unknown while the node does not answer" : now.bytes > 0
    ? `${count(now.messages, "message")} per second (${bytes(now.bytes)}/s)` : "Nothing is being fetched";
  return h("section", { "aria-labelledby": "throughput" },
    h("h2", { id: "throughput" }, "Throughput"),
    h("figure", { class: "card" },
      sparkline(values, "Messages fetched per second in the last minutes"),
      h("figcaption", { class: "small soft" }, `${text}. Maximum since this page was opened: `,
        `${count(Math.max(0, ...values), "message")} per second.`)));
}

function facts({ account }) {
  const pairs = [
    ["Messages", account.messages], ["Conversations", account.conversations], ["Unread", account.unread],
    ["Missing messages", account.placeholders], ["Not archived yet", account.queued],
  ];
  return h("section", { "aria-labelledby": "facts" },
    h("h2", { id: "facts" }, "On this device"),
    h("dl", { class: "facts" }, pairs.map(([what, value]) =>
      h("div", null, h("dt", null, what), h("dd", { class: "number" }, number(value))))));
}
