// One conversation: the messages that were read, without a hole between the first and the last of them.
import { get } from "./api.js";

const [firstRows, pageRows] = [50, 200];
// If more messages change at once, reading a page is less work than reading each.
const mostSingle = 12;

// A cursor is a number in hexadecimal digits and a txid; lists are ordered by both.
const timeOf = (message) => message.blockTime ?? message.senderTs * 1000;
// A list up to a time is what there is to go forward in it: as many times the length of what is looked for is tried.
const mostTries = 14;

const place = (message) => (message.cursor ?? "").padStart(81, "0");

export class Talk {
  // Oldest first.
  messages = [];
  // The cursor of the page before the first one; null at the beginning.
  older = null;
  // True if there are messages after the last one.
  hasNewer = false;
  // The node's answer if nothing of this conversation is here.
  problem = null;
  isRead = false;
  #isReadingOlder = false;
  #isReadingNewer = false;
  // Milliseconds in which about a page of messages lies.
  #step = 86400000;

  constructor(app, id) {
    Object.assign(this, { app, id });
  }

  #page(query) {
    return get("/v1/messages", this.app.query({ conversation: this.id, ...query })).catch((error) => {
      if (error.status !== 404) throw error;
      this.problem = error.message;
      return { items: [] };
    });
  }

  async readNewest() {
    const page = await this.#page({ limit: firstRows });
    this.#begin(page.items.reverse(), page.cursor, false);
  }

  // Reads a message and those around it. False if it is not here.
  async readAround(txid) {
    const message = await this.#single(txid);
    if (!message?.cursor) return false;
    const page = await this.#page({ limit: firstRows, cursor: message.cursor });
    this.#begin([...page.items.reverse(), message], page.cursor, true);
    return true;
  }

  // Reads the messages up to a time in milliseconds. False if there are none.
  async readUntil(at) {
    const page = await this.#page({ limit: firstRows, until: new Date(at).toISOString() });
    if (page.items.length === 0) return false;
    this.#begin(page.items.reverse(), page.cursor, true);
    return true;
  }

  #begin(messages, older, hasNewer) {
    Object.assign(this, { messages, older: older ?? null, hasNewer, isRead: true });
    if (messages.length > 0) this.problem = null;
  }

  // False if that is being done already, or nothing is left.
  async readOlder() {
    if (this.#isReadingOlder || !this.older) return false;
    this.#isReadingOlder = true;
    try {
      const from = this.older;
      const page = await this.#page({ limit: pageRows, cursor: from });
      // Another part was read in the meantime.
      if (this.older !== from) return false;
      this.messages = [...page.items.reverse(), ...this.messages];
      this.older = page.cursor ?? null;
      return true;
    } finally {
      this.#isReadingOlder = false;
    }
  }

  // The same for the messages after the last one.
  async readNewer() {
    if (this.#isReadingNewer || !this.hasNewer) return false;
    this.#isReadingNewer = true;
    try {
      return await this.#forward(this.messages.at(-1));
    } finally {
      this.#isReadingNewer = false;
    }
  }

  async #forward(last) {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const at = timeOf(last) + this.#step;
      const isWhole = at > Date.now();
      const page = await this.#page({ limit: pageRows, ...(isWhole ? {} : { until: new Date(at).toISOString() }) });
      if (this.messages.at(-1) !== last) return false;
      const index = page.items.findIndex((each) => each.txid === last.txid);
      if (index > 0 || (index === 0 && isWhole)) {
        this.messages = [...this.messages, ...page.items.slice(0, index).reverse()];
        this.hasNewer = !isWhole;
        if (index < pageRows / 4) this.#step *= 2;
        return true;
      }
      // So many that the last one is not among them, or none.
      this.#step = index < 0 ? Math.max(1, this.#step / 4) : this.#step * 4;
    }
    // Times that do not grow with the list lead nowhere.
    await this.readNewest();
    return true;
  }

  // MARK: Events

  // Takes the changes that events tell of. `inSight` is a message in sight, if any: without names of messages, those
  // around it are read again.
  async take(events, inSight) {
    const gone = new Set();
    const changed = new Set();
    let isVague = false;
    for (const { kind, data } of events) {
      const txids = data.txid ? [data.txid] : data.txids ?? [];
      if (txids.length === 0) isVague = true;
      for (const txid of txids) {
        gone.delete(txid);
        changed.delete(txid);
        (kind === "message-deleted" ? gone : changed).add(txid);
      }
    }
    if (gone.size > 0) this.messages = this.messages.filter((each) => !gone.has(each.txid));
    if (isVague || changed.size > mostSingle) return this.reread(inSight);
    const fresh = await Promise.all([...changed].map((txid) => this.#single(txid)));
    [...changed].forEach((txid, index) => this.#put(txid, fresh[index]));
  }

  #single(txid) {
    return get(`/v1/messages/${encodeURIComponent(txid)}`, this.app.query()).catch((error) => {
      if (error.status === 404) return null;
      throw error;
    });
  }

  // A message has its place by its cursor, which may have changed.
  #put(txid, fresh) {
    const at = this.messages.findIndex((each) => each.txid === txid);
    const old = at < 0 ? null : this.messages[at];
    const rest = old ? this.messages.filter((each) => each !== old) : this.messages;
    this.messages = rest;
    if (!fresh?.cursor || fresh.conversationId !== this.id) return;
    this.problem = null;
    const isBefore = rest.length > 0 && place(fresh) < place(rest[0]);
    const isAfter = rest.length > 0 && place(fresh) > place(rest.at(-1));
    // It is read with its neighbours.
    if ((isBefore && this.older) || (isAfter && this.hasNewer)) return;
    const next = rest.findLastIndex((each) => place(each) < place(fresh)) + 1;
    // Gaps are told in lists only.
    const gaps = old ? { missingAfter: old.missingAfter, missingBefore: old.missingBefore } : {};
    this.messages = [...rest.slice(0, next), { ...fresh, ...gaps }, ...rest.slice(next)];
  }

  // Reads again what is in sight, and the newest messages.
  async reread(inSight) {
    if (!this.hasNewer) this.#replace(await this.#page({ limit: firstRows }), null);
    const index = this.messages.indexOf(inSight);
    const from = index < 0 ? null : this.messages[Math.min(index + firstRows, this.messages.length - 1)];
    if (!from || from === this.messages.at(-1)) return;
    this.#replace(await this.#page({ limit: pageRows, cursor: from.cursor }), from);
  }

  // Puts a page in the place of what it covers: all up to `from`, which it does not contain; null is the end.
  #replace(page, from) {
    const fresh = page.items.reverse();
    const first = fresh[0] && place(fresh[0]);
    const before = page.cursor ? this.messages.filter((each) => place(each) < first) : [];
    const after = from ? this.messages.filter((each) => place(each) >= place(from)) : [];
    // So much is new that a hole would be left.
    const isApart = page.cursor && (before.length === 0 || before.length === this.messages.length);
    if (isApart) this.#begin([...fresh, ...after], page.cursor, this.hasNewer);
    else this.#begin([...before, ...fresh, ...after], page.cursor ? this.older : null, this.hasNewer);
  }
}
