// The frame: the current view, the node's status, and the page without an answer.
import { Problem, Unreachable, follow, get, signOut, takeKey } from "./api.js";
import { announce, command, h, name, reachable, show } from "./dom.js";
import { date, sentence, tick } from "./words.js";
import * as overview from "./overview.js";
import * as devices from "./devices.js";
import * as conversations from "./conversations.js";
import * as leaderboards from "./leaderboards.js";
import * as diagnostics from "./diagnostics.js";

const views = { overview, devices, conversations, leaderboards, diagnostics };
const main = document.getElementById("content");

// Shared by all views: the node's status, the selected account, the throughput of the last minutes, and a guard for
// calls that may fail.
const app = {
  status: null, account: null, rates: [], path: [], query: (more) => ({ account: app.account?.accountId, ...more }),
  guarded,
  // A command line for this home; with `isOfAccount`, for the selected account.
  line: (words, isOfAccount) => [app.status?.program ?? "kachat-node", words,
    isOfAccount ? app.account?.accountOption : ""].filter(Boolean).join(" "),
  // The time of the node's last status, and the time since which it does not answer; null while it does.
  heardAt: null, lostAt: null,
};
let view = null;
let isSignedOut = false;

// MARK: Views

// Decodes a part of the address, which others may have made; one with a broken escape is taken literally.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function route() {
  if (isSignedOut) return;
  const parts = location.hash.replace(/^#\//, "").split("/").map(decoded);
  const wanted = views[parts[0]] ? parts[0] : "overview";
  app.path = parts.slice(1);
  document.title = `${views[wanted].title} · kachat-node`;
  for (const link of document.querySelectorAll("#views a")) {
    if (link.hash === `#/${wanted}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (!app.status) return;
  if (view?.wanted !== wanted) {
    const isFirst = view === null;
    view?.close?.();
    // Each view has its own element, so late output of an earlier view is not seen.
    const place = h("div", { class: "view" });
    main.replaceChildren(place);
    view = { wanted, place, ...views[wanted].open(place, app) };
    // Move the focus for a user who navigated here, but not for one who just opened the page.
    if (!isFirst) main.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }
  await guarded(() => view.update("route"));
}

// Runs a view's reading. An unreachable node is reported once, not by each view.
async function guarded(body) {
  try {
    await body();
  } catch (error) {
    if (error instanceof Unreachable) return lost();
    if (!(error instanceof Problem)) throw error;
    if (error.status === 401) return signedOut();
    announce(error.message);
    // A view that has nothing to show yet shows the error.
    if (view && !view.place.hasChildNodes()) {
      show(view.place, h("h1", null, views[view.wanted].title), h("p", { class: "lead" }, sentence(error.message)));
    }
  }
}

// MARK: The node

let isAsking = false;
let asksAgain = false;
// The account shown by the views.
let looked;

// Reads the status, and updates the view for `change`: the kind of an event, `beat` if only time passed, or `more` if
// several things may have changed. A hidden page requests nothing.
async function refresh(change) {
  if (isSignedOut || (document.hidden && app.status)) return;
  if (isAsking) {
    if (change !== "beat") asksAgain = true;
    return;
  }
  isAsking = true;
  try {
    await guarded(() => read(change));
  } finally {
    isAsking = false;
  }
  if (asksAgain) {
    asksAgain = false;
    await refresh("more");
  }
}

async function read(change) {
  app.status = await get("/v1/status");
  app.heardAt = Date.now();
  const chosen = sessionStorage.getItem("account");
  app.account = app.status.accounts.find((each) => each.accountId === chosen) ?? app.status.accounts[0] ?? null;
  const isOther = looked !== (app.account?.accountId ?? null);
  if (isOther) {
    looked = app.account?.accountId ?? null;
    app.rates = [];
  }
  noteRate(app.account?.progress);
  found();
  listen();
  frame();
  if (isOther) {
    view?.close?.();
    view = null;
    await route();
  } else if (view) {
    await view.update(change);
  }
}

function noteRate(progress) {
  app.rates.push({ at: Date.now(), messages: progress?.messagesPerSecond ?? 0, bytes: progress?.bytesPerSecond ?? 0 });
  while (app.rates.length > 90) app.rates.shift();
}

function frame() {
  const { status, account } = app;
  const own = account?.devices?.find((each) => each.thisDevice);
  show(document.getElementById("device"), name(own?.name ?? status.name));
  const isLive = isStreaming && app.lostAt === null;
  show(document.getElementById("link"), h("span", { class: `dot ${isLive ? "good" : "idle"}`, "aria-hidden": "true" }),
    h("span", null, isLive ? "Live" : "Connecting"),
    h("button", { type: "button", class: "quiet", onclick: leave }, "Sign out"));
  const chooser = document.getElementById("account");
  chooser.hidden = status.accounts.length < 2;
  if (!chooser.hidden) {
    show(chooser, h("label", { for: "account-select", class: "small soft" }, "Account"),
      h("select", { id: "account-select", onchange: choose, "data-shows": account.accountId },
        status.accounts.map((each) => h("option", { value: each.accountId }, each.label))));
  }
}

function choose(event) {
  sessionStorage.setItem("account", event.target.value);
  refresh("more");
}

// MARK: Live

let stream = null;
// The account that the stream follows.
let followed = null;
let isStreaming = false;
let timer = null;
// The kind of the events in the current batch, or `more` if there are several.
let told = null;

// Follows the selected account, once its store is open.
function listen() {
  const wanted = app.account?.deviceId ? app.account.accountId : null;
  if (wanted === followed) return;
  stream?.abort();
  followed = wanted;
  isStreaming = false;
  if (wanted === null) return;
  stream = new AbortController();
  follow(wanted, {
    signal: stream.signal,
    onOpen: () => {
      isStreaming = true;
      refresh("here");
    },
    onEvent: (kind) => {
      told = timer === null || told === kind ? kind : "more";
      // A steady flow of events, as during a restore, does not delay it.
      timer ??= setTimeout(() => {
        timer = null;
        refresh(told);
      }, 150);
    },
    onLost: (error) => {
      isStreaming = false;
      if (error instanceof Problem && error.status === 401) signedOut();
      else refresh("lost");
    },
  });
}

function found() {
  if (app.lostAt !== null) announce("The node answers again.");
  app.lostAt = null;
  document.getElementById("banner").replaceChildren();
}

function lost() {
  app.lostAt ??= Date.now();
  if (app.status) frame();
  // The view's data is out of date.
  view?.lost?.();
  show(document.getElementById("banner"),
    // A fixed time: a screen reader would announce every change of a relative one.
    h("p", null, h("strong", null, "The node has not answered"), " since ", date(app.heardAt ?? app.lostAt), ". Start it with ",
      command(app.line("run")),
      ". This page reconnects automatically. If the node comes back at another address, ",
      command(app.line("dashboard")), " opens it there."));
  if (!app.status) {
    show(main, h("h1", null, "Looking for the node"), h("p", { class: "lead" }, "It has not answered yet."));
  }
}

function leave() {
  guarded(async () => {
    await signOut();
    signedOut();
  });
}

function signedOut() {
  isSignedOut = true;
  stream?.abort();
  view?.close?.();
  view = null;
  document.getElementById("banner").replaceChildren();
  show(document.getElementById("link"), "Signed out");
  show(main, h("h1", null, "This browser is not signed in"),
    h("p", { class: "lead" }, "The dashboard opens with a link that works once. To get one, run this in a terminal:"),
    h("pre", null, command(app.line("dashboard"))));
  announce("This browser is not signed in.");
}

// MARK: Start

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
window.addEventListener("hashchange", () => {
  const before = location.hash;
  takeKey();
  if (before !== location.hash) location.reload();
  else route();
});
window.addEventListener("online", () => refresh("more"));
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh("more");
});

// Polls what no event reports, such as progress and round trips; faster while data arrives.
async function beat() {
  try {
    if (!isSignedOut && !document.hidden) await refresh("beat");
  } finally {
    // An error in one view stops nothing: the next beat may find another view.
    setTimeout(beat, app.account?.wantedBlobs > 0 ? 1000 : 2500);
  }
}
setInterval(() => {
  if (document.hidden) return;
  tick(document);
  reachable(document);
}, 1000);
window.addEventListener("resize", () => reachable(document));
takeKey();
beat();
