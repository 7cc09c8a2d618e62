// The frame: the current view, the node's status, and the page without an answer.
import { Problem, Unreachable, follow, get, signOut, takeKey } from "./api.js";
import { announce, command, h, name, reachable, show } from "./dom.js";
import { date, sentence, tick } from "./words.js";
import * as overview from "./overview.js";
import * as devices from "./devices.js";
import * as conversations from "./conversations.js";
import * as leaderboards from "./leaderboards.js";
import * as notify from "./notify.js";
import * as settings from "./settings.js";
import * as diagnostics from "./diagnostics.js";

const views = { overview, devices, conversations, leaderboards, settings, diagnostics };
const main = document.getElementById("content");

// Shared by all views: the node's status, the selected account, the throughput of the last minutes, and a guard for
// calls that may fail.
const app = {
  status: null, account: null, rates: [], path: [], query: (more) => ({ account: app.account?.accountId, ...more }),
  guarded,
  // Reads the status again after a change that no event tells.
  refresh: () => read("more"),
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

// Says which view is shown, in the navigation and in the title; the title and the icon say if the node does not answer.
function mark(wanted) {
  for (const link of document.querySelectorAll(".side nav a")) {
    if (link.hash === `#/${wanted}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  more.classList.toggle("here", document.querySelector("#sheet [aria-current]") !== null);
  entitle();
}

function entitle() {
  const wanted = document.querySelector(".side nav [aria-current]")?.textContent ?? "";
  const text = [app.lostAt === null ? null : "No answer", wanted, "kachat-node"].filter(Boolean).join(" · ");
  if (document.title !== text) document.title = text;
}

async function route() {
  if (isSignedOut) return;
  const parts = location.hash.replace(/^#\//, "").split("/").map(decoded);
  const wanted = views[parts[0]] ? parts[0] : "overview";
  app.path = parts.slice(1);
  mark(wanted);
  spread(false);
  if (!app.status) return;
  if (view?.wanted !== wanted) {
    const isFirst = view === null;
    view?.close?.();
    // Each view has its own element, so late output of an earlier view is not seen.
    const place = h("div", { class: "view" });
    main.dataset.view = wanted;
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
    if (view && view.place.querySelector("h1") === null) {
      show(view.place, h("h1", null, views[view.wanted].title), h("p", { class: "lead" }, sentence(error.message)));
    }
  }
}

// MARK: The node

let isAsking = false;
// The change that arrived while the node was being asked: ask for it again.
let asksNext = null;
// The time of the last question.
let askedAt = 0;
// The account shown by the views.
let looked;

// Of two changes: `beat` is the least, `reset` is everything, and two different ones are `more`.
function merged(one, other) {
  if (one === null || one === "beat" || one === other) return other;
  if (other === null || other === "beat") return one;
  return one === "reset" || other === "reset" ? "reset" : "more";
}

// Reads the status, and updates the view for `change`: the kind of an event, `beat` if only time passed, or `more` if
// several things may have changed. A hidden page requests nothing.
async function refresh(change) {
  if (isSignedOut || (document.hidden && app.status)) return;
  if (isAsking) {
    if (change !== "beat") asksNext = merged(asksNext, change);
    return;
  }
  isAsking = true;
  askedAt = Date.now();
  try {
    await guarded(() => read(change));
  } finally {
    isAsking = false;
  }
  if (asksNext !== null) {
    const next = asksNext;
    asksNext = null;
    await refresh(next);
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
  notify.listen(app);
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
// Events that nobody has dealt with. More than these mean that all is read again.
let events = [];
const mostEvents = 1000;
// The account that the stream follows.
let followed = null;
let isStreaming = false;
let timer = null;
// The next refresh that events lead to, and its change.
let refreshing = null;
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
    onEvent: (kind, data) => {
      events.push({ kind, data });
      if (events.length > mostEvents) events = [{ kind: "reset", data: {} }];
      // A steady flow of events, as during a restore, does not delay it.
      timer ??= setTimeout(deal, 150);
    },
    onLost: (error) => {
      isStreaming = false;
      if (error instanceof Problem && error.status === 401) signedOut();
      else refresh("lost");
    },
  });
}

// Hands events to the view, which may do all that they ask for; the others lead to a refresh, at most one a second.
// While nobody sees the page they wait.
function deal() {
  timer = null;
  if (document.hidden) return;
  const given = events;
  events = [];
  const isReset = given.some(({ kind }) => kind === "reset");
  const left = view?.take && !isReset ? view.take(given) : given;
  if (left.length === 0) return;
  told = left.reduce((change, { kind }) => merged(change, kind), told);
  refreshing ??= setTimeout(() => {
    const change = told;
    [refreshing, told] = [null, null];
    refresh(change);
  }, Math.max(0, askedAt + 1000 - Date.now()));
}

function found() {
  if (app.lostAt !== null) announce("The node answers again.");
  app.lostAt = null;
  document.getElementById("banner").replaceChildren();
  showIcon();
}

// The browser's tab is grey while the node does not answer.
function showIcon() {
  const wanted = app.lostAt === null ? "icon.svg" : "icon-lost.svg";
  const link = document.querySelector('link[rel="icon"]');
  if (link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
  entitle();
}

function lost() {
  app.lostAt ??= Date.now();
  if (app.status) frame();
  showIcon();
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
  notify.stop();
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
  if (document.hidden) return;
  deal();
  refresh("more");
});

// The sheet of a narrow page.
const more = document.getElementById("more");
function spread(isOpen) {
  more.setAttribute("aria-expanded", isOpen);
}
more.addEventListener("click", () => spread(more.getAttribute("aria-expanded") !== "true"));
document.addEventListener("click", (event) => {
  if (!event.target.closest(".side")) spread(false);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && more.getAttribute("aria-expanded") === "true") {
    spread(false);
    more.focus();
  }
  const isTyping = event.target.closest("input, select, textarea, dialog") !== null;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.altKey || event.metaKey || !view?.search) return;
  event.preventDefault();
  view.search();
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
