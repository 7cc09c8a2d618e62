// The condition of the account, its problems with their remedies, and the devices that hold its data.
import { get, post, request } from "./api.js";
import { advice, announce, copyable, h, marked, name, show } from "./dom.js";
import { table } from "./chart.js";
import { mayForget } from "./devices.js";
import { asOf, health, holdsUpTo, isLost, ownHold, seenNow } from "./health.js";
import { deviceMap } from "./map.js";
import { isRestoring, restored, restoring } from "./restore.js";
import { bytes, capital, count, deviceName, duration, local, number, sentence, since } from "./words.js";

export const title = "Overview";

export function open(main, app) {
  let told = "";
  // The button whose request is running, and its result.
  let [working, said] = [null, { text: "", isBad: false }];

  async function act(key, body) {
    working = key;
    said = { text: "", isBad: false };
    render();
    try {
      const text = await body();
      if (text) said = { text, isBad: false };
    } catch (error) {
      said = { text: error.message, isBad: true };
    }
    working = null;
    if (said.text) announce(said.text);
    await app.guarded(app.refresh);
    render();
  }

  const button = (key, text, body) => h("button", { type: "button", class: "small", disabled: working !== null || isLost(app),
    onclick: () => act(key, body) }, working === key ? `${text} …` : text);

  function render() {
    const { account } = app;
    if (!account) return show(main, ...noAccount(app));
    const isBusy = Boolean(account.deviceId) && isRestoring(app);
    // An account whose store cannot be opened shows only the reason.
    const rest = account.deviceId ? [devices(app), groups(app), facts(app)] : [];
    show(main, head(app, isBusy), isBusy ? restoring(app) : null, problems(app, button, said), care(app), rest);
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
  h("p", null, copyable(app.line("account create"))),
  h("p", null, copyable(app.line("account import --phrase-file FILE"))),
];

function head(app, isBusy) {
  const { account } = app;
  const { kind, mark, headline } = health(app);
  if (isBusy && !isLost(app)) {
    const text = restored(account);
    return h("section", { class: "hero", "aria-label": "In one sentence" },
      h("p", { class: `mark ${kind}` }, h("span", { class: `dot ${kind}`, "aria-hidden": "true" }), mark),
      h("h1", null, `Bringing your history back${text ? `: ${text}` : ""}`));
  }
  const change = account.lastChangeAt ? h("span", { class: "nowrap" }, since(account.lastChangeAt)) : null;
  const isShort = change !== null && !isLost(app) && !headline.includes(";");
  // Do not repeat the headline, or a problem shown below.
  const isSaid = [account.summary, ...account.problems.map((each) => each.what)].includes(account.sentence);
  return h("section", { class: "hero", "aria-label": "In one sentence" },
    h("p", { class: `mark ${kind}` }, h("span", { class: `dot ${kind}`, "aria-hidden": "true" }), mark),
    h("h1", null, isLost(app) ? headline : marked(local(headline)), isShort ? ["; last change ", change] : null),
    isLost(app) ? h("p", { class: "lead" }, "The state of your devices is unknown until it answers.")
      : h("p", { class: "lead" }, change && !isShort ? ["Last change ", change, ". "] : null,
        isSaid ? null : marked(local(sentence(account.sentence)))));
}

// MARK: What needs attention

async function sync(app) {
  const { peers, groupPeers, caughtUp } = await post("/v1/sync", { wait: true, timeout: 20 }, app.query());
  const devices = peers > 0 ? count(peers, "device") : `${count(groupPeers, "device")} of group members`;
  if (peers + groupPeers === 0) return "No other device of the account is in reach.";
  return caughtUp ? `Caught up with ${devices} in reach.` : `Asked ${devices}; some data is still missing.`;
}

async function scrub(app) {
  const result = await post("/v1/scrub", {}, app.query());
  const damaged = ["damagedRows", "damagedBlobs", "lanesDiffering", "damagedIndexes", "lostMessages"]
    .reduce((sum, field) => sum + (result[field] ?? 0), 0);
  return damaged === 0 ? "All that is stored was read: no damage."
    : `${number(damaged)} damaged, and being fetched again from the other devices.`;
}

// A report of the account's state has the id of what the device writes now; devices are known by their first id.
async function forget(app, problem) {
  const { items } = await get("/v1/devices", app.query());
  const device = items.find((each) => each.deviceId === problem.deviceId || each.lanes.includes(problem.deviceId));
  if (!device) return "This device is not known any more.";
  if (!await mayForget(app, device)) return "";
  await request("DELETE", `/v1/devices/${device.deviceId}`, app.query());
  return `${deviceName(device)} was forgotten.`;
}

// The API's calls that may end a problem, by its code. A user has to solve all others by hand.
const remedies = {
  paused: ["Resume", async (app) => {
    await post("/v1/account/resume", {}, app.query());
    return "Resumed.";
  }],
  background: ["Resume", async () => {
    await post("/v1/foreground", {});
    return "Resumed.";
  }],
  onlyDevice: ["Add a device", async () => {
    location.hash = "#/devices";
  }],
  notSeen: ["Forget it", forget],
  unreadable: ["Check what is stored", scrub],
  ...Object.fromEntries(["offline", "busy", "otherVersion", "absentBlobs", "stalled", "storageFull", "store", "recordGaps",
    "placeholders", "lapsed"].map((code) => [code, ["Try again", sync]])),
};

function problems(app, button, said) {
  const { account } = app;
  const outcome = h("p", { class: `said small ${said.isBad ? "bad" : "soft"}` }, said.text);
  if (isLost(app) && account.problems.length === 0) return null;
  return h("section", { "aria-labelledby": "problems" },
    h("h2", { id: "problems" }, "Needs attention"), asOf(app),
    account.problems.length === 0
      ? h("p", { class: "soft" }, "Nothing. Your devices find each other and stay in sync on their own.")
      : h("ul", { class: "problems" }, account.problems.map((each, place) => {
        const key = each.code + (each.deviceId ?? "") + place;
        const [text, call] = remedies[each.code] ?? [];
        return h("li", { "data-key": key },
          h("h3", null, marked(local(capital(each.what)))),
          h("dl", { class: "pairs" },
            each.device ? h("div", null, h("dt", null, "Which device"), h("dd", null, name(each.device))) : null,
            // The button below adds one, and the care behind tells of the backup.
            each.code === "onlyDevice" && !app.status.backupAt ? null
              : h("div", null, h("dt", null, "What to do"), h("dd", null, advice(local(sentence(each.command ? `${each.remedy}: ${each.command}` : each.remedy)))))),
          text ? h("div", { class: "row" }, button(key, text, () => call(app, each))) : null);
      })),
    outcome);
}

// The user's precautions against losing this device.
function care(app) {
  const { status, account } = app;
  const steps = [
    account.phraseOnDevice ? {
      text: "Write down the recovery phrase, which the first command shows. The second one asks for two of its words, and "
        + "wipes it from this device. Until then, a thief of this device finds it here.",
      commands: [app.line("account phrase", true), app.line("account confirm", true)],
    } : null,
    // A damaged store cannot be copied.
    status.backupAt || status.verdict === "error" ? null
      : { text: ["Make a backup, under ", h("a", { href: "#/settings" }, "Settings"), " or in a terminal, and keep it in a "
        + "safe place."], commands: [app.line("backup FILE")] },
  ].filter(Boolean);
  if (steps.length === 0) return null;
  return h("section", { "aria-labelledby": "care" }, h("h2", { id: "care" }, "Before this device is lost"),
    h("ul", { class: "card stack care" }, steps.map(({ text, commands }) => h("li", null, text, commands.map(copyable)))));
}

function devices(app) {
  const { account } = app;
  const heads = [{ text: "Device" }, { text: "Holds everything up to" }, { text: "Last seen" },
    { text: "Waiting for" }];
  const rows = account.devices.map((device) => ({
    key: device.deviceId,
    cells: [
      [name(deviceName(device)), " ", device.thisDevice ? h("span", { class: "tag" }, "this device") : null],
      device.thisDevice ? arriving(app) : holdsUpTo(app, device),
      device.thisDevice || device.connected ? seenNow(app) : since(device.seenAt),
      device.wantedMessages > 0 ? `${count(device.wantedMessages, "message")} (${bytes(device.wantedBytes)})` : "nothing",
    ],
  }));
  return h("section", { "aria-labelledby": "holders" },
    h("h2", { id: "holders" }, "Copies"), asOf(app), deviceMap(app),
    table("Devices of the account, and how far each is synced", heads, rows, { cards: "cards" }),
    account.devices.length < 2
      ? h("p", { class: "hint" }, h("a", { href: "#/devices" }, "Add a second device"),
        " so that losing this one loses nothing.")
      : null);
}

// The progress bar of this device while something is missing.
function arriving(app) {
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

function groups(app) {
  const { status, account } = app;
  const own = (status.groups ?? []).filter((each) => each.accountId === account.accountId);
  if (own.length === 0) return null;
  const rows = own.map((group) => ({
    key: group.groupId,
    cells: [
      group.state === "joined" ? h("a", { href: `#/leaderboards/${group.groupId}` }, name(group.title))
        : name(group.title),
      marked(local(sentence(group.summary))),
    ],
  }));
  return h("section", { "aria-labelledby": "groups" },
    h("h2", { id: "groups" }, "Groups"), asOf(app),
    table("Groups, and how each is synced", [{ text: "Group" }, { text: "State" }], rows, { cards: "cards" }));
}

function facts({ account }) {
  const pairs = [
    ["Messages", account.messages], ["Conversations", account.conversations], ["Unread", account.unread],
    ["Missing messages", account.missing.reduce((sum, each) => sum + each.messages, 0)], ["Not archived yet", account.queued],
  ];
  return h("section", { "aria-labelledby": "facts" },
    h("h2", { id: "facts" }, "On this device"),
    h("dl", { class: "facts" }, pairs.map(([what, value]) =>
      h("div", null, h("dt", null, what), h("dd", { class: "number" }, number(value))))));
}
