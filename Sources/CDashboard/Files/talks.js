// The conversations of an account: read page by page, then patched row by row as events tell of them.
import { get } from "./api.js";

// The first page is what fits on a screen; the others come behind it.
const [firstRows, pageRows] = [100, 500];
// If more conversations change at once, reading a page is less work than reading each.
const mostSingle = 40;

const timeOf = (each) => each.lastBlockTime ?? (each.lastSenderTs ? each.lastSenderTs * 1000 : 0);
const order = (left, right) => right.pinned - left.pinned || timeOf(right) - timeOf(left)
  || (left.conversationId < right.conversationId ? -1 : 1);

// `changed()` is called after each change of `list`.
export class Talks {
  #byId = new Map();
  #numbers = new Map();
  // Each reading of all pages ends the one before.
  #reading = 0;

  constructor(app, changed) {
    Object.assign(this, { app, changed, list: [], isRead: false });
  }

  get(id) { return this.#byId.get(id) ?? null; }

  // A name for a conversation whose title is hidden; it stays while the page is open.
  number(id) {
    if (!this.#numbers.has(id)) this.#numbers.set(id, this.#numbers.size + 1);
    return this.#numbers.get(id);
  }

  // Reads the first page, and leaves the others to `app.guarded`.
  async read() {
    this.#reading += 1;
    const own = this.#reading;
    const page = await get("/v1/conversations", this.app.query({ limit: firstRows }));
    if (own !== this.#reading) return;
    const known = new Map();
    this.#take(page.items, known);
    // Conversations known before stay until all pages are here.
    this.#show(page.cursor ? new Map([...this.#byId, ...known]) : known);
    if (page.cursor) this.app.guarded(() => this.#readRest(page.cursor, known, own));
  }

  // Reads the conversations with the newest messages.
  async readFirst() {
    const page = await get("/v1/conversations", this.app.query({ limit: firstRows }));
    const known = new Map(this.#byId);
    this.#take(page.items, known);
    this.#show(known);
  }

  async #readRest(first, known, own) {
    for (let cursor = first; cursor;) {
      const page = await get("/v1/conversations", this.app.query({ limit: pageRows, cursor }));
      if (own !== this.#reading) return;
      this.#take(page.items, known);
      cursor = page.cursor;
      if (cursor) this.#show(new Map([...this.#byId, ...known]));
    }
    this.#show(known);
  }

  #take(items, known) {
    for (const each of items) {
      this.number(each.conversationId);
      known.set(each.conversationId, each);
    }
  }

  #show(byId) {
    this.#byId = byId;
    this.list = [...byId.values()].sort(order);
    this.isRead = true;
    this.changed();
  }

  // Reads these conversations again.
  async renew(ids) {
    if (ids.length > mostSingle) return this.read();
    const fresh = await Promise.all(ids.map((id) =>
      get(`/v1/conversations/${encodeURIComponent(id)}`, this.app.query()).catch((error) => {
        if (error.status === 404) return null;
        throw error;
      })));
    // A reading that began before knows less.
    const isReading = this.#reading;
    const byId = new Map(this.#byId);
    ids.forEach((id, index) => {
      if (fresh[index]) byId.set(id, fresh[index]);
      else byId.delete(id);
    });
    if (isReading === this.#reading) this.#show(byId);
  }
}
