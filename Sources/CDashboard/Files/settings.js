// The settings: sync, names, room, the recovery phrase, a backup, notifications, accounts, tokens and the rest.
import { all, end, get, post, put, request } from "./api.js";
import { announce, command, h, marked, name, show } from "./dom.js";
import { table } from "./chart.js";
import * as backup from "./backup.js";
import { asOf } from "./health.js";
import * as notify from "./notify.js";
import * as pairing from "./pairing.js";
import * as tokens from "./tokens.js";
import { bytes, number, sentence, since } from "./words.js";

export const title = "Settings";

// A new account's phrase has so many words; an older or imported one is on no device.
const phraseWords = 24;
const askedWords = 3;
const gigabyte = 1e9;

export function open(main, app) {
  // Null before the first answer.
  let settings = null;
  let groups = [];
  let store = null;
  // The last message, and the section it belongs to.
  let said = { place: null, text: "", bad: false };
  let asked = [];
  const rerender = () => render();
  const parts = { backup: backup.open(app, rerender), tokens: tokens.open(app, rerender) };
  const pair = pairing.open(app, rerender, "take");

  async function read() {
    const [listed, mine, report] = await Promise.all([
      all("/v1/settings"), all("/v1/groups", app.query()), get("/v1/diagnostics"), parts.tokens.read(), pair.read(),
    ]);
    settings = listed;
    groups = mine.filter((each) => each.state === "joined");
    // The report names no accounts; with all of them open it has them in the order of the status.
    const areOpen = report.accounts.every((each) => each.store) && report.accounts.length === app.status.accounts.length;
    store = areOpen ? report.accounts[app.status.accounts.indexOf(app.account)]?.store ?? null : null;
  }

  // Runs a request of a section, and says there what was done or why not.
  async function act(place, body, done) {
    try {
      await body();
      said = { place, text: done, bad: false };
      await app.refresh();
    } catch (error) {
      said = { place, text: error.message, bad: true };
    }
    announce(said.text);
    render();
    return !said.bad;
  }

  const outcome = (place) => h("p", { class: `said small ${said.bad ? "bad" : ""}` },
    said.place !== place ? "" : said.bad ? marked(sentence(said.text)) : said.text);

  const section = (id, head, ...content) => h("section", { "aria-labelledby": id }, h("h2", { id }, head),
    h("div", { class: "card stack" }, content, outcome(id)));

  const button = (text, onclick, properties) => h("button", { type: "button", onclick, ...properties }, text);

  // MARK: Sync

  function sync() {
    const isPaused = app.account.verdict === "paused";
    const turn = (path, isOff, what) => act("sync", () => post(`${path}/${isOff ? "resume" : "pause"}`, {}, app.query()),
      isOff ? `${what} syncs again.` : `${what} is paused.`);
    const row = (kind, called, isOff, path, detail) => h("li", { class: "row apart", "data-key": path },
      h("div", null, h("strong", null, `${kind} `, name(called)), h("p", { class: "small soft" }, detail)),
      button([isOff ? "Resume" : "Pause", h("span", { class: "unseen" }, ` the ${kind.toLowerCase()} ${called}`)],
        () => turn(path, isOff, called), { class: isOff ? "main" : null }));
    return section("sync", "Sync", h("ul", { class: "lines" },
      row("Account", app.account.label, isPaused, "/v1/account",
        isPaused ? "Paused: nothing is sent or fetched. What you write waits." : "Your devices exchange everything by themselves."),
      groups.map((each) => row("Group", each.title, each.paused && !isPaused, `/v1/groups/${each.groupId}`, isPaused ? "Paused with the account."
          : each.paused ? ["Paused by ", name(each.pausedBy ?? "you"), " ", since(each.pausedSince), "; your posts wait."]
            : "Results come and go by themselves."))));
  }

  // MARK: Names

  const rename = (id, where, called, value, body, done, help) => {
    const submit = (event) => {
      event.preventDefault();
      const wanted = new FormData(event.target).get(id).trim();
      if (wanted) act("names", () => body(wanted), `${done} ${wanted}.`);
    };
    return h("form", { class: "row low naming", onsubmit: submit, "data-key": id },
      h("div", { class: "field" }, h("label", { for: id }, where, called === "" ? "" : name(called)),
        h("input", { id, name: id, value, required: true, maxlength: "80", autocomplete: "off",
          "aria-describedby": help ? `${id}-help` : null })),
      h("button", { type: "submit" }, "Rename", h("span", { class: "unseen" }, ` ${where}${called}`)),
      help ? h("p", { class: "small soft help", id: `${id}-help` }, help) : null);
  };

  function names() {
    const own = app.account.devices?.find((each) => each.thisDevice);
    return section("names", "Names",
      rename("device-name", "This device", "", own?.name ?? app.status.name,
        (wanted) => request("PATCH", "/v1/device", {}, { name: wanted }), "This device is now called",
        "Your other devices show it."),
      rename("account-label", "This account", "", app.account.label,
        (wanted) => request("PATCH", "/v1/account", app.query(), { label: wanted }), "The account is now called",
        "Only this device calls it so."),
      groups.map((each) => rename(`name-${each.groupId}`, "You in ", each.title, each.name ?? "",
        (wanted) => put(`/v1/groups/${each.groupId}/name`, { name: wanted }, app.query()), "The group now knows you as",
        each.role === "owner"
          ? h("a", { href: `#/leaderboards/${each.groupId}/people` }, "Rename the group") : null)));
  }

  // MARK: Room

  function room() {
    const quota = settings.find((each) => each.key === "storage.quotaBytes");
    const isLimited = Number(quota.value) > 0;
    const limit = (event) => {
      event.preventDefault();
      const wanted = Math.round(Number(new FormData(event.target).get("quota")) * gigabyte);
      act("room", () => put("/v1/settings/storage.quotaBytes", { value: String(wanted) }), wanted > 0
        ? `Each account of this device takes at most ${bytes(wanted)}.` : "There is no limit now.");
    };
    return section("room", "Storage",
      store ? h("p", null, "This account takes ", h("strong", null, bytes(store.databaseBytes + store.logBytes)),
        isLimited ? ` of ${bytes(Number(quota.value))}.` : ".",
        store.freeBytes ? h("span", { class: "soft" }, ` ${bytes(store.freeBytes)} are free on the disk.`) : null) : null,
      quota.source === "environment" ? h("p", { class: "soft" }, "The limit is set by ", command(quota.variable), ".")
        : h("form", { class: "row low", onsubmit: limit },
          h("div", { class: "field" }, h("label", { for: "quota" }, "At most, in GB"),
            h("input", { id: "quota", name: "quota", type: "number", min: "0", step: "any", required: true,
              value: String(Number(quota.value) / gigabyte), "aria-describedby": "quota-help" })),
          h("button", { type: "submit" }, "Set"),
          h("p", { class: "small soft help", id: "quota-help" }, "0 is no limit. A full account keeps what it has, and takes no more.")));
  }

  // MARK: The recovery phrase

  function choose() {
    const left = Array.from({ length: phraseWords }, (_, index) => index + 1);
    asked = [];
    while (asked.length < askedWords) asked.push(...left.splice(Math.floor(Math.random() * left.length), 1));
    asked.sort((a, b) => a - b);
  }

  function phrase() {
    if (!app.account.phraseOnDevice) {
      return section("phrase", "Recovery phrase", h("p", null, h("span", { class: "good" }, "Written down. "),
        "No device has it: keep what you wrote."));
    }
    if (asked.length === 0) choose();
    const check = (event) => {
      event.preventDefault();
      const fields = new FormData(event.target);
      const words = asked.map((place) => `${place} ${fields.get(`word-${place}`).trim()}`).join(" ");
      const form = event.target;
      act("phrase", () => post("/v1/account/phrase/confirmation", { words }, app.query()),
        "Right. The phrase is wiped from this device: keep what you wrote down.").then((isRight) => {
        if (!isRight) return;
        form.reset();
        asked = [];
      });
    };
    return section("phrase", "Recovery phrase",
      h("p", { class: "soft" }, "It is still on this device, where a thief would find it. ",
        command(app.line("account phrase", true)), " shows it in a terminal: write it down. Then type these words of it, and "
        + "it is wiped from here."),
      h("form", { class: "row low", onsubmit: check, autocomplete: "off" },
        asked.map((place) => h("div", { class: "field word", "data-key": String(place) },
          h("label", { for: `word-${place}` }, `Word ${place}`),
          h("input", { id: `word-${place}`, name: `word-${place}`, required: true, autocomplete: "off", autocapitalize: "none",
            spellcheck: "false", maxlength: "20", pattern: "\\s*[A-Za-z]+\\s*" }))),
        h("button", { type: "submit", class: "main" }, "Check")));
  }

  // MARK: Everything else

  function rest() {
    const own = settings.filter((each) => each.key !== "storage.quotaBytes");
    const set = (key) => (event) => {
      event.preventDefault();
      const value = new FormData(event.target).get("value");
      act("rest", () => put(`/v1/settings/${key}`, { value }), `${key} is now ${value}.`);
    };
    const unset = (key) => act("rest", () => end(`/v1/settings/${key}`), `${key} has its default again.`);
    const shown = (value) => (value === null ? "–" : typeof value === "number" ? number(value) : name(String(value)));
    return h("section", { "aria-labelledby": "rest" }, h("h2", { id: "rest" }, "All settings"),
      h("details", null, h("summary", null, "Show them"),
        table("All settings", [{ text: "Setting" }, { text: "Value", wide: true }, { text: "Default" }],
          own.map((each) => ({
            key: each.key,
            cells: [
              [h("span", { class: "wrap" }, each.key), h("div", { class: "small soft" }, sentence(each.help))],
              each.source === "environment" ? [shown(each.value), h("div", { class: "small soft" }, "set by ", command(each.variable))]
                : h("form", { class: "row tight", onsubmit: set(each.key) },
                  // A new field for each value, so that what was typed before does not hide it.
                  h("input", { name: "value", value: each.value === null ? "" : String(each.value), required: true,
                    "data-key": String(each.value), "aria-label": each.key, title: each.allowed, autocomplete: "off" }),
                  h("button", { type: "submit", class: "small" }, "Set", h("span", { class: "unseen" }, ` ${each.key}`)),
                  each.isSet ? button(["Reset", h("span", { class: "unseen" }, ` ${each.key}`)], () => unset(each.key),
                    { class: "small" }) : null),
              shown(each.default),
            ],
          })), { cards: "cards" })),
      outcome("rest"));
  }

  function accounts() {
    return section("accounts", "Accounts on this device",
      h("ul", { class: "lines" }, app.status.accounts.map((each) => h("li", { "data-key": each.accountId },
        h("strong", null, name(each.label)), h("span", { class: "soft" }, each.accountId === app.account.accountId
          ? " · shown on this page" : "")))),
      pair.section(),
      h("p", { class: "small soft" }, "To give this account to another device, open ",
        h("a", { href: "#/devices" }, "Devices"), "."));
  }

  function render() {
    if (!app.account || settings === null) return;
    show(main, h("h1", null, title), asOf(app), sync(), names(), notify.section(app, rerender), parts.backup.section(), phrase(), room(), accounts(),
      parts.tokens.section(), rest());
  }

  return {
    close: () => pair.close(),
    lost: render,
    async update(change) {
      if (!app.account) return show(main, h("h1", null, title), h("p", { class: "lead" }, "There is no account yet."));
      if (settings === null || ["route", "account", "device", "group", "here", "more", "reset"].includes(change)) await read();
      render();
    },
  };
}
