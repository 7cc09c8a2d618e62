// Details for finding faults.
import { get, post } from "./api.js";
import { announce, h, show } from "./dom.js";
import { table } from "./chart.js";
import { bytes, count, date, number } from "./words.js";

export const title = "Diagnostics";

const ways = {
  "multicast-ipv4": "IPv4 multicast", "broadcast-ipv4": "IPv4 broadcast", "multicast-ipv6": "IPv6 multicast",
  unicast: "To one address",
};

export function open(main, app) {
  let report = null;
  let readAt = 0;
  let said = { text: "", bad: false };
  let busy = "";

  async function read() {
    report = await get("/v1/diagnostics");
    readAt = Date.now();
  }

  async function act(what, body) {
    busy = what;
    render();
    try {
      said = { text: await body(), bad: false };
    } catch (error) {
      said = { text: error.message, bad: true };
    }
    busy = "";
    announce(said.text);
    await read().catch(() => {});
    render();
  }

  const sync = () => act("sync", async () => {
    const result = await post("/v1/sync", { wait: true, timeout: 20 }, app.query());
    if (result.peers === 0) return "No other device of the account is in reach.";
    return result.caughtUp ? `Caught up with ${count(result.peers, "device")} in reach.`
      : `Asked ${count(result.peers, "device")}; some data is still missing.`;
  });

  const scrub = () => act("scrub", async () => {
    const result = await post("/v1/scrub", {}, app.query());
    const damaged = ["damagedRows", "damagedBlobs", "lanesDiffering", "damagedIndexes", "lostMessages"]
      .reduce((sum, name) => sum + (result[name] ?? 0), 0);
    const read = `${count(result.rows, "record")} and ${count(result.blobs, "blob")} read`;
    return damaged === 0 ? `${read}: all good.` : `${read}: ${number(damaged)} damaged; fetching them again from the other devices.`;
  });

  const copy = () => act("copy", async () => {
    await navigator.clipboard.writeText(JSON.stringify(report, null, 2)).catch(() => {
      throw new Error("The browser does not allow copying. Open the whole report below, and copy it there.");
    });
    return "Copied. It contains no names, addresses, messages or keys.";
  });

  function verdict(way) {
    if (way.failed > 0 && way.sent === 0) return h("span", { class: "bad" }, `Cannot be sent: ${way.error ?? "refused"}`);
    if (way.way === "unicast") return way.received > 0 ? "Works" : "No answer";
    if (way.received > 0) return h("span", { class: "good" }, "Works: other devices are heard");
    if (way.ownReturned > 0) return h("span", { class: "good" }, "Works here; no other device is heard");
    return way.sent > 0 ? h("span", { class: "warn" }, "Sent but not echoed: a firewall may be in the way")
      : "Not used yet";
  }

  function network() {
    const heads = [{ text: "Interface" }, { text: "Way" }, { text: "Result" }, { text: "Sent", number: true },
      { text: "Echoed", number: true }, { text: "From others", number: true }, { text: "Failed", number: true }];
    const rows = report.interfaces.flatMap((each) => each.ways.map((way) => ({
      key: each.name + way.way,
      cells: [each.name, ways[way.way] ?? way.way, verdict(way), number(way.sent), number(way.ownReturned),
        number(way.received), number(way.failed)],
    })));
    return h("section", { "aria-labelledby": "network" }, h("h2", { id: "network" }, "How devices are found"),
      h("p", { class: "soft" }, "The node announces itself on each interface by multicast and broadcast."),
      rows.length === 0 ? h("p", null, "It announces itself nowhere: there is no usable network interface, or discovery is off. ",
        "Devices with a given address are still reached.")
        : table("Network interfaces, and the announcements on each", heads, rows, { cards: "cards" }));
  }

  function repairs(account) {
    const list = account?.repairs ?? [];
    return h("section", { "aria-labelledby": "repairs" }, h("h2", { id: "repairs" }, "Repairs"),
      list.length === 0 ? h("p", { class: "soft" }, "None: no stored data was ever found damaged.")
        : table("Damage found and repaired", [{ text: "When" }, { text: "What" }],
          list.map((each) => ({ key: `${each.at}${each.what}`, cells: [date(each.at), each.what] }))));
  }

  function facts(account) {
    const refused = Object.values(report.refused ?? {}).reduce((sum, value) => sum + value, 0);
    const pairs = [
      ["Version", report.version], ["Running since", date(report.startedAt)],
      ["Listens on", app.status.listen ?? "nothing"], ["Store", account?.store ? bytes(account.store.databaseBytes) : "–"],
      ["Free on disk", account?.store?.freeBytes ? bytes(account.store.freeBytes) : "–"],
      ["Sent and received", account?.counters
        ? `${bytes(account.counters.bytesSent)} and ${bytes(account.counters.bytesReceived)}` : "–"],
      ["Refused", refused === 0 ? "nothing" : `${number(refused)}, from strangers or malformed`],
      ["SQLite", report.sqlite],
    ];
    return h("section", { "aria-labelledby": "node" }, h("h2", { id: "node" }, "This node"),
      h("dl", { class: "card pairs" }, pairs.map(([what, value]) => h("div", null, h("dt", null, what), h("dd", null, value)))));
  }

  function errors() {
    const list = report.errors ?? [];
    if (list.length === 0) return null;
    return h("section", { "aria-labelledby": "errors" }, h("h2", { id: "errors" }, "Errors since the start"),
      table("Errors since the node started", [{ text: "Code" }, { text: "Count", number: true }, { text: "Last" }],
        list.map((each) => ({ key: each.code, cells: [each.code, number(each.count), each.lastAt ? date(each.lastAt) : "–"] }))));
  }

  function button(what, text, body, kind) {
    return h("button", { type: "button", class: kind, disabled: busy !== "", onclick: body },
      busy === what ? `${text} …` : text);
  }

  function render() {
    if (!report) return show(main, h("h1", null, title), h("p", { class: "soft" }, "Reading …"));
    const index = app.status.accounts.findIndex((each) => each.accountId === app.account?.accountId);
    const account = report.accounts[index];
    show(main, h("h1", null, title),
      h("section", { "aria-label": "What you can do" },
        h("div", { class: "row" }, button("sync", "Sync now", sync, "main"), button("scrub", "Scrub now", scrub),
          button("copy", "Copy report", copy)),
        h("p", { class: `said ${said.bad ? "bad" : "soft"}` }, said.text ||
          "Sync asks all devices at once. Scrub checks every stored byte, and fetches damaged data again.")),
      facts(account), network(), repairs(account), errors(),
      h("section", { "aria-labelledby": "report" }, h("h2", { id: "report" }, "Report"),
        h("p", { class: "soft" }, "Safe to post in a public bug report: it contains no names, addresses, messages or keys."),
        h("details", null, h("summary", null, "Show the whole report"),
          h("div", { class: "scroll", role: "group", "aria-label": "Report" },
            h("pre", null, h("code", null, JSON.stringify(report, null, 2)))))));
  }

  return {
    async update(change) {
      // The report takes the node some work, so not on every tick.
      if (busy || (change === "beat" && Date.now() - readAt < 10000)) return;
      await read();
      render();
    },
  };
}
