// The view of a conversation: its head with the actions on it, and its messages between days and gaps.
import { request, post } from "./api.js";
import { announce, h, name, show } from "./dom.js";
import { Rows } from "./rows.js";
import { marking } from "./search.js";
import { capital, count, dayName, dayStarting, deviceName, local, number, sentence, since, soon, span, timeOfDay }
  from "./words.js";

// Characters of a message that are shown at first.
const mostText = 3000;
// Older messages are read when so few rows are left above those in sight.
const fewRows = 20;

// A narrow page puts the actions into a menu.
const narrow = matchMedia("(max-width: 75rem)");

const statuses = { pending: "not in a block yet", seen: "in a block, not accepted yet", reorged: "lost its block" };

const timeOf = (each) => each.blockTime ?? (each.senderTs ? each.senderTs * 1000 : null);

// `state` is the view's: `row()` is the conversation's row in the list, `title()` its title, `words` those looked for.
export class MessagePane {
  #days = new Map();
  #gaps = new WeakMap();
  // The messages that are shown in full.
  #opened = new Set();

  constructor(app, talk, state) {
    Object.assign(this, { app, talk, state });
    this.head = h("header", { class: "talk-head" });
    const body = h("ol", { class: "messages" });
    this.box = h("div", { class: "pane", role: "group", tabindex: "0", "aria-label": "Messages, newest last" }, body);
    this.foot = h("p", { class: "talk-foot" });
    this.turned = () => this.renderHead();
    narrow.addEventListener("change", this.turned);
    this.box.addEventListener("click", () => this.head.querySelector(".menu")?.removeAttribute("open"));
    this.element = h("section", { class: "talk-open", "aria-labelledby": "open" }, this.head, this.box, this.foot);
    this.rows = new Rows(this.box, body, {
      key: (item) => item.key ?? item.txid, make: (item) => this.#row(item), height: (item) => (item.key ? 40 : 84),
      sticks: true, onDraw: () => this.#drawn(),
    });
  }

  close() {
    narrow.removeEventListener("change", this.turned);
    this.rows.close();
  }

  // Shows what was read. The first time the reader is at the end, or at the message that was found.
  render({ at = null, isAtEnd = this.rows.items.length === 0 } = {}) {
    this.renderHead();
    this.rows.set(this.#items(), isAtEnd || at ? "end" : null);
    if (at) this.rows.reveal(at, "middle");
    // Newer messages that are read later come below.
    this.rows.sticks = !this.talk.hasNewer;
    this.#drawn();
  }

  renew() {
    this.renderHead();
    this.rows.renew();
  }

  get inSight() {
    const [first, last] = this.rows.inSight;
    return this.rows.items.slice(first, last + 1).findLast((item) => item.txid) ?? null;
  }

  // MARK: Rows

  #items() {
    const { talk } = this;
    const items = [];
    // Another row for each page, so that the reader stays at the message below it.
    if (talk.older) items.push({ key: `older-${talk.older}`, text: "Reading older messages …" });
    else if (talk.messages.length > 0) items.push({ key: "start", text: "The beginning of this conversation" });
    let day = null;
    for (const each of talk.messages) {
      if (each.missingBefore) items.push(this.#gap(each.missingBefore, `before-${each.txid}`));
      const at = timeOf(each);
      if (at !== null && dayStarting(at) !== day) {
        day = dayStarting(at);
        items.push(this.#day(day, each.txid));
      }
      items.push(each);
      if (each.missingAfter) items.push(this.#gap(each.missingAfter, `after-${each.txid}`));
    }
    return items;
  }

  // Days and gaps stay the same objects, so that their rows are not drawn again.
  #day(day, txid) {
    const key = `day-${day}-${txid}`;
    if (!this.#days.has(key)) this.#days.set(key, { key, day });
    return this.#days.get(key);
  }

  #gap(gap, key) {
    if (!this.#gaps.has(gap)) this.#gaps.set(gap, { key, gap });
    return this.#gaps.get(gap);
  }

  #row(item) {
    if (item.text) return h("li", { class: "day" }, item.text);
    if (item.day !== undefined) return h("li", { class: "day" }, dayName(item.day));
    if (item.gap) return h("li", { class: "gap" }, this.#missing(item.gap));
    return this.#message(item);
  }

  // The number of missing messages, the time they cover, and the devices that have them.
  #missing({ messages, from, to, devices }) {
    const when = from && to ? `, ${span(from, to)}` : "";
    const holders = devices.slice(0, 3).map((each) => [name(deviceName(each)),
      each.connected ? " (connected)" : each.seenAt ? [" (last seen ", since(each.seenAt), ")"] : ""]);
    const who = holders.flatMap((each, index) => (index === 0 ? [each] : [index === holders.length - 1 ? " or " : ", ", each]));
    return h("p", null, h("strong", null, `${count(messages, "message")} missing here${when}`), h("br"),
      who.length > 0 ? ["Should be on ", who, ". They come as soon as it is in reach."]
        : "No device is known to have them.");
  }

  #message(each) {
    const isWaiting = each.status === "syncing";
    const kind = isWaiting ? "waiting" : each.direction === "sent" ? "sent" : "";
    const who = each.direction === "sent" ? "You" : this.state.isHidden() ? "They" : each.contact ?? "Somebody";
    const at = timeOf(each);
    return h("li", null, h("div", { class: `message ${kind} ${each.txid === this.state.place() ? "place" : ""}` },
      h("p", { class: "meta" }, name(who), at !== null ? timeOfDay(at) : null,
        statuses[each.status] ? h("span", null, statuses[each.status]) : null),
      isWaiting ? this.#reason(each) : this.#text(each),
      (each.attachments ?? []).length > 0
        ? h("p", { class: "meta" }, count(each.attachments.length, "attachment")) : null));
  }

  #text(each) {
    const body = each.body ?? "";
    const isShort = body.length <= mostText || this.#opened.has(each.txid);
    return [
      h("p", { class: "text", dir: "auto" }, marking(isShort ? body : `${body.slice(0, mostText)}…`, this.state.words())),
      isShort ? null : h("button", { type: "button", class: "small", onclick: () => {
        this.#opened.add(each.txid);
        this.rows.renew();
      } }, `Show all ${number(body.length)} characters`),
    ];
  }

  #reason(each) {
    return h("p", { class: "text" }, "This message is still missing here. ", local(sentence(each.waitingFor ?? "")),
      each.nextTry ? [" Next request ", soon(each.nextTry), "."] : null);
  }

  #drawn() {
    const { talk, rows } = this;
    if (!talk.isRead) return;
    const isEmpty = rows.items.length === 0;
    const [first, last] = rows.inSight;
    if (!isEmpty && talk.older && first < fewRows) this.app.guarded(async () => await talk.readOlder() && this.render());
    if (!isEmpty && talk.hasNewer && rows.items.length - last < fewRows) {
      this.app.guarded(async () => await talk.readNewer() && this.render());
    }
    const isAway = !isEmpty && (talk.hasNewer || !rows.isAtEnd);
    if (this.foot.hidden === isAway || !this.foot.hasChildNodes()) {
      this.foot.hidden = !isAway;
      show(this.foot, h("button", { type: "button", class: "small", onclick: () => this.#toEnd() },
        "Show the newest messages"));
    }
  }

  #toEnd() {
    this.box.focus({ preventScroll: true });
    if (this.state.place()) {
      location.hash = `#/conversations/${encodeURIComponent(this.talk.id)}`;
    } else if (this.talk.hasNewer) {
      this.app.guarded(async () => {
        await this.talk.readNewest();
        this.render({ isAtEnd: true });
      });
    } else this.rows.end();
  }

  // Goes to the first message of a day, or to the last one before it.
  async #jump(day) {
    const [year, month, date] = day.split("-").map(Number);
    const [start, end] = [new Date(year, month - 1, date).getTime(), new Date(year, month - 1, date + 1).getTime() - 1];
    if (!(start > 0)) return;
    if (!await this.talk.readUntil(end)) {
      announce(`There are no messages up to ${dayName(start)}.`);
      return;
    }
    const { messages } = this.talk;
    const first = messages.find((each) => timeOf(each) >= start) ?? messages.at(-1);
    this.render({ at: first.txid });
    this.rows.reveal(first.txid, "start");
    this.box.focus({ preventScroll: true });
    announce(`${timeOf(first) >= start ? "" : "No messages on that day. "}${dayName(timeOf(first))}.`);
  }

  // MARK: Head

  renderHead() {
    const { talk, state } = this;
    const row = state.row();
    const tools = row ? h("div", { class: "row tools" },
      h("label", { class: "small" }, "Go to ", h("input", { type: "date", "aria-label": "Go to a date", min: "1970-01-02",
        max: "9999-12-31",
        onchange: (event) => event.target.value && this.app.guarded(() => this.#jump(event.target.value)) })),
      row.unread > 0 || row.markedUnread ? this.#tool("Mark as read", () => this.#markRead()) : null,
      this.#tool(row.pinned ? "Unpin" : "Pin", () => this.#set({ pinned: !row.pinned })),
      this.#tool(row.muted ? "Unmute" : "Mute", () => this.#set({ muted: !row.muted }))) : null;
    const menu = tools && narrow.matches
      ? h("details", { class: "menu" }, h("summary", { "aria-label": "What you can do" }, "⋯"), tools) : tools;
    show(this.head,
      h("a", { class: `back ${state.words() ? "always" : ""}`, href: "#/conversations" },
        state.words() ? "Back to the results" : "All conversations"),
      h("h2", { id: "open", class: "wrap" }, name(state.title())),
      menu,
      talk.isRead && talk.messages.length === 0
        ? h("p", { class: "soft" }, `No messages here. ${sentence(talk.problem ?? "")}`) : null);
  }

  #tool(text, action) {
    return h("button", { type: "button", class: "small", onclick: () => this.app.guarded(action) }, text);
  }

  async #set(fields) {
    const id = encodeURIComponent(this.talk.id);
    await request("PATCH", `/v1/conversations/${id}`, this.app.query(), fields);
    await this.state.renew();
    const [field, isOn] = Object.entries(fields)[0];
    announce(`${capital(field)} ${isOn ? "on" : "off"}.`);
  }

  async #markRead() {
    await post(`/v1/conversations/${encodeURIComponent(this.talk.id)}/read`, {}, this.app.query());
    await this.state.renew();
    announce("Marked as read.");
    this.box.focus({ preventScroll: true });
  }
}
