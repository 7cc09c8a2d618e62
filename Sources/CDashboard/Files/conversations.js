// The conversations and their messages.
import { all, get, post } from "./api.js";
import { announce, command, h, name, show } from "./dom.js";
import { capital, count, date, number, sentence, since, soon } from "./words.js";

export const title = "Conversations";
const pageSize = 50;
// As many hits as anyone looks through; more words find fewer.
const mostHits = 100;

export function open(main, app) {
  let list = [];
  let placeholders = [];
  let deleted = [];
  let shown = null;
  let shownPlace = null;
  let messages = [];
  let next = null;
  let areTitlesHidden = localStorage.getItem("hides-titles") === "yes";
  // The text in the search field, and the result: `{ words, items }`, without items while the node searches.
  let typed = "";
  let found = null;

  const id = () => app.path[0] ?? null;
  // The message that was found: the conversation is shown up to it instead of its end.
  const place = () => app.path[1] ?? null;

  async function readList() {
    const [conversations, waiting, gone] = await Promise.all([
      all("/v1/conversations", app.query()), get("/v1/placeholders", app.query({ limit: 100 })),
      all("/v1/deleted", app.query()),
    ]);
    list = conversations;
    placeholders = waiting.items;
    deleted = gone;
  }

  // A conversation or message deleted in the meantime is shown as empty.
  const nothing = (error) => {
    if (error.status === 404) return { items: [] };
    throw error;
  };

  // Reads the newest page, and keeps older pages that are open.
  async function readNewest() {
    const wanted = id();
    if (!wanted || place()) return;
    const page = await get("/v1/messages", app.query({ conversation: wanted, limit: pageSize })).catch(nothing);
    if (wanted !== id() || place()) return;
    if (shown !== wanted || shownPlace) {
      [messages, next, shown, shownPlace] = [page.items, page.cursor, wanted, null];
      return;
    }
    const isHere = new Set(page.items.map((each) => each.txid));
    const last = page.items.at(-1)?.txid;
    const at = messages.findIndex((each) => each.txid === last);
    if (at < 0) [messages, next] = [page.items, page.cursor];
    else messages = [...page.items, ...messages.slice(at + 1).filter((each) => !isHere.has(each.txid))];
  }

  // Reads the message that was found, and the ones before it.
  async function readPlace() {
    const [wanted, at] = [id(), place()];
    if (!at || (shown === wanted && shownPlace === at)) return;
    const message = await get(`/v1/messages/${encodeURIComponent(at)}`, app.query()).catch(nothing);
    if (!message.cursor) {
      location.hash = `#/conversations/${encodeURIComponent(wanted)}`;
      return;
    }
    const page = await get("/v1/messages", app.query({ conversation: wanted, limit: pageSize, cursor: message.cursor }));
    if (wanted !== id() || at !== place()) return;
    [messages, next, shown, shownPlace] = [[message, ...page.items], page.cursor, wanted, at];
  }

  async function search(event) {
    event.preventDefault();
    const words = typed.trim();
    if (!words) return drop();
    found = { words, items: null };
    if (id()) location.hash = "#/conversations";
    render();
    try {
      const { items } = await get("/v1/search", app.query({ words, limit: mostHits }));
      if (found?.words !== words) return;
      found = { words, items };
      announce(`${count(items.length, "message")} found.`);
    } catch (error) {
      if (found?.words !== words) return;
      found = { words, items: [], problem: error.message };
      announce(error.message);
    }
    render();
  }

  function drop() {
    found = null;
    render();
  }

  async function older() {
    const [wanted, from] = [shown, next];
    const page = await get("/v1/messages", app.query({ conversation: wanted, limit: pageSize, cursor: from }));
    // Another conversation was chosen, or another click loaded these.
    if (shown !== wanted || next !== from || id() !== wanted) return;
    messages = [...messages, ...page.items];
    next = page.cursor;
    const pane = main.querySelector(".pane");
    const below = pane.scrollHeight - pane.scrollTop;
    render();
    pane.scrollTop = pane.scrollHeight - below;
    announce(`${count(page.items.length, "older message")} shown.`);
  }

  function titleOf(conversation, index) {
    return areTitlesHidden ? `Conversation ${index + 1}` : conversation.title ?? conversation.conversationId;
  }

  const newest = (each) => each.lastBlockTime ?? (each.lastSenderTs ? each.lastSenderTs * 1000 : null);

  function row(conversation, index) {
    const at = newest(conversation);
    const wanted = found?.words === typed.trim() ? "" : typed.trim().toLowerCase();
    if (!titleOf(conversation, index).toLowerCase().includes(wanted)) return null;
    const isOpen = conversation.conversationId === id();
    const flags = ["pinned", "muted", "archived"].filter((flag) => conversation[flag]).join(", ");
    return h("li", { "data-key": conversation.conversationId },
      h("a", { href: `#/conversations/${encodeURIComponent(conversation.conversationId)}`,
        "aria-current": isOpen ? "true" : null },
      h("span", { class: "title" }, name(titleOf(conversation, index))),
      conversation.unread > 0 || conversation.markedUnread
        ? h("span", { class: "unread" }, conversation.unread > 0 ? number(conversation.unread) : "new",
          h("span", { class: "unseen" }, " unread")) : null,
      h("span", { class: "meta" }, h("span", null, count(conversation.messages, "message"),
          conversation.missing > 0 ? `, ${number(conversation.missing)} missing here` : "", flags ? `, ${flags}` : ""),
        at ? since(at) : null)));
  }

  // Messages missing next to this one, shown in their place.
  const gap = (each, missing, side) => missing
    ? h("li", { class: "message waiting", "data-key": `${side}-${each.txid}` },
      h("p", { class: "text" }, sentence(missing.sentence))) : null;

  const withGaps = (each) => [gap(each, each.missingBefore, "before"), message(each),
    gap(each, each.missingAfter, "after")].filter(Boolean);

  function message(each) {
    const at = each.blockTime ?? (each.senderTs ? each.senderTs * 1000 : null);
    const isWaiting = each.status === "syncing";
    const kind = isWaiting ? "waiting" : each.direction === "sent" ? "sent" : "";
    const who = each.direction === "sent" ? "You" : each.contact ?? "Somebody";
    return h("li", { class: `message ${kind} ${each.txid === shownPlace ? "place" : ""}`, "data-key": each.txid },
      h("p", { class: "meta" }, each.direction === "sent" || areTitlesHidden ? h("span", null, each.direction === "sent"
        ? "You" : "They") : name(who), at ? date(at) : null,
      ["pending", "seen", "reorged"].includes(each.status) ? h("span", null, statuses[each.status]) : null),
      isWaiting ? reason(each)
        : h("p", { class: "text", dir: "auto" }, each.body ?? ""),
      (each.attachments ?? []).length > 0
        ? h("p", { class: "meta" }, count(each.attachments.length, "attachment")) : null);
  }

  const reason = (each) => h("p", { class: "text" }, "This message is still missing here. ", sentence(each.waitingFor ?? ""),
    each.nextTry ? [" Next request ", soon(each.nextTry), "."] : null);

  function conversation() {
    const index = list.findIndex((each) => each.conversationId === shown);
    const head = index < 0 ? shown : titleOf(list[index], index);
    return h("section", { "aria-labelledby": "open" },
      h("a", { class: `back ${found ? "always" : ""}`, href: "#/conversations" },
        found ? "Back to the results" : "All conversations"),
      h("h2", { id: "open", class: "wrap" }, name(head)),
      messages.length === 0 ? h("p", { class: "soft" }, "No messages here.") : null,
      h("div", { class: "scroll pane", role: "group", "aria-label": "Messages, newest last" },
        next ? h("button", { type: "button", class: "small", onclick: () => app.guarded(older) }, "Show older messages") : null,
        h("ol", { class: "messages" }, [...messages].reverse().flatMap(withGaps)),
        shownPlace ? h("a", { href: `#/conversations/${encodeURIComponent(shown)}` }, "Show the newest messages") : null));
  }

  // The words and the text around them: a message may be long.
  function excerpt(body) {
    const first = found.words.replaceAll('"', "").split(/\s+/)[0].toLowerCase();
    const at = body.toLowerCase().indexOf(first);
    const begin = at < 80 ? 0 : at - 60;
    return (begin > 0 ? "…" : "") + body.slice(begin, begin + 240) + (body.length > begin + 240 ? "…" : "");
  }

  function hit(each) {
    const index = list.findIndex((one) => one.conversationId === each.conversationId);
    const at = each.blockTime ?? (each.senderTs ? each.senderTs * 1000 : null);
    const who = each.direction === "sent" ? "You" : areTitlesHidden ? "They" : name(each.contact ?? "Somebody");
    return h("li", { "data-key": each.txid },
      h("a", { href: `#/conversations/${encodeURIComponent(each.conversationId)}/${each.txid}` },
        h("span", { class: "title" }, index < 0 ? "Conversation" : name(titleOf(list[index], index))),
        h("span", { class: "excerpt", dir: "auto" }, excerpt(each.body ?? "")),
        h("span", { class: "meta" }, h("span", null, who), at ? date(at) : null)));
  }

  function hits() {
    const { words, items, problem } = found;
    const text = problem ?? (items === null ? "Searching all messages …" : items.length === 0
      ? "No message contains all these words." : items.length < mostHits ? `${count(items.length, "message")}, newest first.`
        : `The newest ${mostHits} messages. More words find fewer.`);
    return h("section", { "aria-labelledby": "found" },
      h("div", { class: "row apart" }, h("h2", { id: "found", class: "wrap" }, "Messages with ", name(words)),
        h("button", { type: "button", class: "small", onclick: drop }, "Close")),
      h("p", { class: problem ? "bad" : "soft" }, text),
      items?.length > 0 ? h("ul", { class: "talks" }, items.map(hit)) : null);
  }

  const searching = () => h("form", { role: "search", class: "row search", onsubmit: search },
    h("label", { for: "search", class: "unseen" }, "Name of a conversation, or words in messages"),
    h("input", { id: "search", type: "search", maxlength: "200", autocomplete: "off", placeholder: "Name, or words",
      oninput: (event) => { typed = event.target.value; render(); } }),
    h("button", { type: "submit" }, "Search"));

  function conversations() {
    const rows = list.map(row).filter(Boolean);
    return h("nav", { "aria-label": "Conversations", class: "stack" }, searching(),
      rows.length > 0 ? h("ul", { class: "talks" }, rows)
        : h("p", { class: "soft" }, "No conversation has that name. “Search” searches the messages."));
  }

  function waiting() {
    if (placeholders.length === 0) return null;
    return h("section", { "aria-labelledby": "waiting" },
      h("h2", { id: "waiting" }, "Missing messages"),
      h("ul", { class: "problems" }, placeholders.map((each) =>
        h("li", { "data-key": each.txid },
          h("h3", null, capital(each.waitingFor ?? "waiting")),
          h("dl", { class: "pairs" },
            h("div", null, h("dt", null, "Conversation"),
              h("dd", null, each.conversationId ? areTitlesHidden ? "hidden" : name(each.conversationId) : "unknown")),
            h("div", null, h("dt", null, "Known since"), h("dd", null, each.hintedAt ? since(each.hintedAt) : "–")),
            h("div", null, h("dt", null, "Next request"),
              h("dd", null, each.nextTry ? soon(each.nextTry) : "when a device connects")))))));
  }

  async function restore(each) {
    const [kind, what] = each.txid ? ["messages", each.txid] : ["conversations", each.conversationId];
    await post(`/v1/${kind}/${encodeURIComponent(what)}/restore`, {}, app.query());
    await readList();
    await readNewest();
    render();
    announce(each.txid ? "The message is back." : "The conversation is back.");
  }

  function recentlyDeleted() {
    if (deleted.length === 0) return null;
    return h("section", { "aria-labelledby": "deleted" },
      h("h2", { id: "deleted" }, "Recently deleted"),
      h("p", { class: "soft" }, "What was deleted can be brought back for seven days, on all your devices."),
      h("ul", { class: "gone" }, deleted.map((each) => {
        const where = areTitlesHidden || !each.conversationId ? "Conversation" : name(each.conversationId);
        return h("li", { class: "row apart", "data-key": each.txid ?? each.conversationId },
          h("div", null, h("span", { class: "title" }, each.txid ? "A message of " : "", where),
            each.body ? h("span", { class: "excerpt", dir: "auto" }, each.body.slice(0, 240)) : null,
            h("span", { class: "meta" }, h("span", null, "deleted ", since(each.deletedAt)),
              h("span", null, "kept until ", date(each.purgeAt)))),
          h("button", { type: "button", class: "small", onclick: () => app.guarded(() => restore(each)) }, "Restore"));
      })));
  }

  function hide(event) {
    areTitlesHidden = event.target.checked;
    localStorage.setItem("hides-titles", areTitlesHidden ? "yes" : "no");
    render();
  }

  function render() {
    const head = h("div", { class: "row apart" }, h("h1", null, title),
      h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: areTitlesHidden,
        onchange: hide }), "Hide titles and names"));
    if (list.length === 0) {
      return show(main, head, h("p", { class: "lead" }, "No messages yet. They appear here as soon as an app adds one ",
        "on any of your devices, or after ", command(app.line("import FILE", true)), "."), waiting(), recentlyDeleted());
    }
    show(main, head, h("div", { class: `talk ${id() ? "open" : found ? "found" : ""}` }, conversations(),
      shown && shown === id() ? conversation() : found ? hits()
        : h("p", { class: "soft" }, "Choose a conversation. Reading here does not mark messages as read.")), waiting(),
      recentlyDeleted());
  }

  return {
    async update(change) {
      if (!app.account) return show(main, h("h1", null, title), h("p", { class: "lead" }, "There is no account yet."));
      if (change === "beat" || change === "sync") return;
      if (change !== "route" || list.length === 0) await readList();
      const before = main.querySelector(".pane");
      // Follow the end only for a reader who is at the end.
      const follows = change === "route" || !before || before.scrollHeight - before.scrollTop - before.clientHeight < 40;
      await (place() ? readPlace() : readNewest());
      render();
      const pane = main.querySelector(".pane");
      if (pane && follows) pane.scrollTop = pane.scrollHeight;
    },
  };
}

const statuses = { pending: "not in a block yet", seen: "in a block, not accepted yet", reorged: "lost its block" };
