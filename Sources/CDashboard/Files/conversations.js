// The conversations beside the messages of one: two columns, or two pages on a phone.
import { all, get, post } from "./api.js";
import { announce, command, h, name, show } from "./dom.js";
import { MessagePane } from "./messages.js";
import { Rows } from "./rows.js";
import { Search, excerpt } from "./search.js";
import { Talk } from "./talk.js";
import { Talks } from "./talks.js";
import { count, date, local, number, sentence, since, soon } from "./words.js";

export const title = "Conversations";

// Events about messages, and all events that concern a conversation.
const ofMessages = ["message-added", "message-resolved", "message-confirmed", "message-reorged", "message-deleted",
  "message-hinted"];
const ofTalks = [...ofMessages, "read-state", "unread", "conversation"];

const link = (id, txid) => `#/conversations/${encodeURIComponent(id)}${txid ? `/${txid}` : ""}`;
const timeOf = (each) => each.lastBlockTime ?? (each.lastSenderTs ? each.lastSenderTs * 1000 : null);

export function open(main, app) {
  let isHidden = localStorage.getItem("hides-titles") === "yes";
  // The text in the search field.
  let typed = "";
  let deleted = [];
  // Placeholders of which not even the conversation is known.
  let unplaced = [];
  // The pane of the conversation that is open, and the message in it that was found.
  let pane = null;
  let shownPlace = null;
  // The conversation whose row is marked as the open one.
  let marked = null;
  // A conversation is being opened by a key, which goes on in its messages.
  let isByKey = false;

  const id = () => app.path[0] || null;
  const place = () => app.path[1] ?? null;
  // No conversation has an empty name.
  const isDeletedOpen = () => app.path[0] === "" && app.path[1] === "deleted";

  const talks = new Talks(app, () => renderList());
  const search = new Search(app, () => render());

  const titleOf = (each) => (isHidden ? `Conversation ${talks.number(each.conversationId)}`
    : each.title ?? each.conversationId);

  // MARK: The parts of the page, made once

  const head = h("div", { class: "row apart talk-title" });
  const field = h("input", { id: "search", type: "search", maxlength: "200", autocomplete: "off",
    placeholder: "Name, or words", "aria-keyshortcuts": "/", oninput: () => {
      typed = field.value;
      renderList();
    } });
  const list = h("ul");
  const listBox = h("div", { class: "talks" }, list);
  const note = h("p", { class: "soft note" });
  const below = h("div", { class: "stack below" });
  const nav = h("nav", { "aria-label": "Conversations" },
    h("form", { role: "search", class: "row search", onsubmit: begin },
      h("label", { for: "search", class: "unseen" }, "Name of a conversation, or words in messages"), field,
      h("button", { type: "submit" }, "Search")), note, listBox, below);
  const side = h("div", { class: "talk-side" });
  const talk = h("div", { class: "talk" }, nav, side);
  const rows = new Rows(listBox, list, {
    key: (each) => each.conversationId, make: row, height: () => 65, keys: true,
  });
  const hitList = h("ul");
  const hitBox = h("div", { class: "talks" }, hitList);
  const hitHead = h("div", { class: "stack" });
  const hits = h("section", { class: "hits", "aria-labelledby": "found" }, hitHead, hitBox);
  const hitRows = new Rows(hitBox, hitList, { key: (each) => each.txid, make: hit, height: () => 90, keys: true });

  function begin(event) {
    event.preventDefault();
    const words = typed.trim();
    if (id() !== null || isDeletedOpen()) location.hash = "#/conversations";
    if (!words) return search.close();
    app.guarded(() => search.run(words));
  }

  // MARK: The list

  function row(each) {
    const at = timeOf(each);
    const flags = ["pinned", "muted", "archived"].filter((flag) => each[flag]).join(", ");
    return h("li", null,
      h("a", { href: link(each.conversationId), "aria-current": each.conversationId === id() ? "true" : null,
        onclick: (event) => { isByKey = event.detail === 0; } },
        h("span", { class: "title" }, name(titleOf(each))),
        each.unread > 0 || each.markedUnread
          ? h("span", { class: "unread" }, each.unread > 0 ? number(each.unread) : "new",
            h("span", { class: "unseen" }, " unread")) : null,
        h("span", { class: "meta" }, h("span", null, count(each.messages, "message"),
          each.missing > 0 ? `, ${number(each.missing)} missing here` : "", flags ? `, ${flags}` : ""),
        at ? since(at) : null)));
  }

  // The typed text narrows the list until the search starts.
  function narrowed() {
    const wanted = search.found?.words === typed.trim() ? "" : typed.trim().toLowerCase();
    return wanted ? talks.list.filter((each) => titleOf(each).toLowerCase().includes(wanted)) : talks.list;
  }

  function renderList() {
    if (isEmpty() !== main.contains(empty)) return render();
    const shown = narrowed();
    rows.set(shown);
    show(note, shown.length === 0 && talks.isRead ? "No conversation has that name. “Search” searches the messages." : null);
    note.hidden = !note.hasChildNodes();
    pane?.renderHead();
  }

  function renderBelow() {
    show(below, ...unplaced.map((each) => h("p", { class: "small soft", "data-key": each.txid },
      "A message of an unknown conversation is missing here", each.hintedAt ? [" since ", since(each.hintedAt)] : null,
      ". ", local(sentence(each.waitingFor ?? "")), each.nextTry ? [" Next request ", soon(each.nextTry), "."] : null)),
    h("a", { class: "small", href: "#/conversations//deleted" }, "Recently deleted"));
  }

  // MARK: The side: a conversation, hits, or what was deleted

  function hit(each) {
    const row = talks.get(each.conversationId);
    const at = each.blockTime ?? (each.senderTs ? each.senderTs * 1000 : null);
    const who = each.direction === "sent" ? "You" : isHidden ? "They" : each.contact ?? "Somebody";
    return h("li", null, h("a", { href: link(each.conversationId, each.txid) },
      h("span", { class: "title" }, row ? name(titleOf(row)) : "Conversation"),
      h("span", { class: "excerpt", dir: "auto" }, excerpt(each.body ?? "", search.found.words)),
      h("span", { class: "meta" }, name(who), at ? date(at) : null)));
  }

  function renderHits() {
    show(hitHead, h("div", { class: "row apart" },
      h("h2", { id: "found", class: "wrap" }, "Messages with ", name(search.found.words)),
      h("button", { type: "button", class: "small", onclick: () => search.close() }, "Close")),
    h("p", { class: search.found.problem ? "bad" : "soft" }, search.sentence));
    hitRows.set(search.found.items ?? []);
  }

  async function restore(each) {
    const [kind, what] = each.txid ? ["messages", each.txid] : ["conversations", each.conversationId];
    await post(`/v1/${kind}/${encodeURIComponent(what)}/restore`, {}, app.query());
    announce(each.txid ? "The message is back." : "The conversation is back.");
    await readDeleted();
    render();
  }

  async function readDeleted() {
    deleted = await all("/v1/deleted", app.query());
  }

  const recentlyDeleted = () => h("section", { class: "deleted", "aria-labelledby": "deleted" },
    h("a", { class: "back", href: "#/conversations" }, "All conversations"),
    h("h2", { id: "deleted" }, "Recently deleted"),
    h("p", { class: "soft" }, deleted.length === 0 ? "There is nothing to bring back."
      : "What was deleted can be brought back for seven days, on all your devices."),
    h("ul", { class: "gone" }, deleted.map((each) => h("li", { class: "row apart", "data-key": each.txid ?? each.conversationId },
      h("div", null,
        h("span", { class: "title" }, each.txid ? "A message of " : "",
          isHidden || !each.conversationId ? "a conversation" : name(each.conversationId)),
        each.body ? h("span", { class: "excerpt", dir: "auto" }, each.body.slice(0, 240)) : null,
        h("span", { class: "meta" }, h("span", null, "deleted ", since(each.deletedAt)),
          h("span", null, "kept until ", date(each.purgeAt)))),
      h("button", { type: "button", class: "small", onclick: () => app.guarded(() => restore(each)) }, "Restore")))));

  // MARK: The page

  function hide(event) {
    isHidden = event.target.checked;
    localStorage.setItem("hides-titles", isHidden ? "yes" : "no");
    rows.renew();
    hitRows.renew();
    pane?.renew();
    render();
  }

  const hint = h("p", { class: "soft side-hint" }, "Choose a conversation. Reading here does not mark messages as read.");
  const empty = h("p", { class: "lead" });

  const isEmpty = () => talks.isRead && talks.list.length === 0 && !isDeletedOpen() && !id();

  const put = (place, ...children) => {
    if (children.some((each, index) => place.childNodes[index] !== each) || place.childNodes.length !== children.length) {
      place.replaceChildren(...children);
    }
  };

  function render() {
    show(head, h("h1", null, title),
      h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: isHidden,
        onchange: hide }), "Hide titles and names"));
    if (isEmpty()) {
      show(empty, "No messages yet. They appear here as soon as an app adds one on any of your devices, or after ",
        command(app.line("import FILE", true)), ".");
      renderBelow();
      return put(main, head, empty, below);
    }
    if (below.parentElement !== nav) nav.append(below);
    put(main, head, talk);
    talk.className = `talk ${id() || isDeletedOpen() ? "open" : search.found ? "found" : ""}`;
    renderBelow();
    if (isDeletedOpen()) put(side, recentlyDeleted());
    else if (id() && pane) put(side, pane.element);
    else if (search.found) {
      put(side, hits);
      renderHits();
    } else put(side, hint);
    if (marked !== id()) {
      marked = id();
      rows.renew();
    }
    renderList();
  }

  // MARK: Reading

  async function readUnplaced() {
    if (!(app.account.placeholders > 0)) {
      unplaced = [];
      return;
    }
    const { items } = await get("/v1/placeholders", app.query({ limit: 100 }));
    unplaced = items.filter((each) => !each.conversationId);
  }

  function openPane(wanted) {
    pane?.close();
    pane = new MessagePane(app, new Talk(app, wanted), {
      row: () => talks.get(wanted),
      title: () => (talks.get(wanted) ? titleOf(talks.get(wanted)) : isHidden ? "Conversation" : wanted),
      words: () => search.found?.words ?? "",
      isHidden: () => isHidden,
      place,
      renew: async () => {
        await talks.renew([wanted]);
        pane?.renderHead();
      },
    });
  }

  async function readPane() {
    const wanted = id();
    if (!wanted) {
      pane?.close();
      pane = null;
      return;
    }
    const isOther = pane?.talk.id !== wanted;
    const isElsewhere = isOther || shownPlace !== place();
    if (isOther) openPane(wanted);
    if (!isElsewhere) return;
    const own = pane;
    const at = place();
    shownPlace = at;
    if (!at) await own.talk.readNewest();
    else if (!await own.talk.readAround(at)) {
      location.hash = link(wanted);
      return;
    }
    if (own !== pane || at !== place()) return;
    render();
    own.rows.renew();
    own.render({ at, isAtEnd: !at });
    if (isByKey) own.box.focus({ preventScroll: true });
    isByKey = false;
  }

  // Events that come while others are dealt with wait, so that a flow of them costs little.
  let waiting = [];
  let isTaking = false;
  async function deal(events) {
    waiting.push(...events);
    if (isTaking) return;
    isTaking = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await app.guarded(() => takeEvents(batch));
      await new Promise((resolve) => { setTimeout(resolve, 400); });
    }
    isTaking = false;
  }

  async function takeEvents(events) {
    const ids = new Set(events.map(({ data }) => data.conversationId).filter(Boolean));
    const own = pane;
    const ofOwn = events.filter(({ kind, data }) => ofMessages.includes(kind) && data.conversationId === own?.talk.id);
    await Promise.all([
      ids.size > 0 ? talks.renew([...ids]) : null,
      ofOwn.length > 0 && own.talk.isRead ? own.talk.take(ofOwn, own.inSight) : null,
      events.some(({ kind }) => kind === "message-hinted" || kind === "message-resolved") ? readUnplaced() : null,
      isDeletedOpen() ? readDeleted() : null,
    ]);
    // A conversation that was deleted, or has come back.
    const isWhole = own && events.some(({ kind, data }) => kind === "conversation" && data.conversationId === own.talk.id);
    if (isWhole && (!talks.get(own.talk.id) || own.talk.messages.length === 0)) await own.talk.readNewest();
    if (own === pane && (ofOwn.length > 0 || isWhole)) own?.render();
    renderBelow();
    if (isDeletedOpen()) render();
  }

  async function readAgain(isWhole) {
    await Promise.all([isWhole ? talks.read() : talks.readFirst(), readUnplaced(), isDeletedOpen() ? readDeleted() : null,
      pane?.talk.isRead ? pane.talk.reread(pane.inSight) : null]);
    pane?.render();
    render();
  }

  return {
    // Returns the events that need more than this.
    take(events) {
      const own = events.filter(({ kind }) => ofTalks.includes(kind));
      if (own.length > 0 && talks.isRead) deal(own);
      return events.filter(({ kind }) => !ofTalks.includes(kind) && kind !== "sync");
    },
    async update(change) {
      if (!app.account) return show(main, h("h1", null, title), h("p", { class: "lead" }, "There is no account yet."));
      // The stream begins while the page reads; a change in between is in neither.
      if (change === "here" || change === "reset") return talks.isRead && readAgain(change === "reset");
      if (change !== "route") return;
      await Promise.all([talks.isRead ? null : talks.read(), talks.isRead ? null : readUnplaced(),
        isDeletedOpen() ? readDeleted() : null, readPane()]);
      render();
    },
    // The key that leads to the search.
    search() {
      if (id() && getComputedStyle(nav).display === "none") location.hash = "#/conversations";
      field.focus();
      field.select();
    },
    close() {
      pane?.close();
      rows.close();
      hitRows.close();
    },
  };
}
