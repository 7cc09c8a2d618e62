// Searching all messages: the hits, with the words marked.
import { get } from "./api.js";
import { announce, h } from "./dom.js";
import { count } from "./words.js";

// As many hits as anyone looks through; more words find fewer.
const mostHits = 100;

export class Search {
  // Null, or `{ words, items, problem }`, without items while the node searches.
  found = null;

  constructor(app, changed) {
    Object.assign(this, { app, changed });
  }

  async run(words) {
    const found = { words, items: null, problem: null };
    this.found = found;
    this.changed();
    try {
      const { items } = await get("/v1/search", this.app.query({ words, limit: mostHits }));
      found.items = items;
    } catch (error) {
      [found.items, found.problem] = [[], error.message];
    }
    // Other words were looked for in the meantime.
    if (this.found !== found) return;
    announce(found.problem ?? `${count(found.items.length, "message")} found.`);
    this.changed();
  }

  close() {
    this.found = null;
    this.changed();
  }

  get sentence() {
    const { items, problem } = this.found;
    if (problem) return problem;
    if (items === null) return "Searching all messages …";
    if (items.length === 0) return "No message contains all these words.";
    return items.length < mostHits ? `${count(items.length, "message")}, newest first.`
      : `The newest ${mostHits} messages. More words find fewer.`;
  }
}

// The words of a query, phrases in double quotes as one.
const parts = (words) => [...words.matchAll(/"([^"]+)"|[^\s"]+/gu)].map((each) => each[1] ?? each[0]);
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/gu, "\\$&");
const pattern = (words) => {
  const all = words ? parts(words).map((part) => part.trim().split(/\s+/u).map(escaped).join("\\s+")) : [];
  return all.length === 0 ? null : new RegExp(`(?<![\\p{L}\\p{N}])(?:${all.join("|")})`, "giu");
};

// The text with each of the words marked.
export function marking(text, words) {
  const wanted = pattern(words);
  if (!wanted) return text;
  const result = [];
  let last = 0;
  for (const hit of text.matchAll(wanted)) {
    result.push(text.slice(last, hit.index), h("mark", null, hit[0]));
    last = hit.index + hit[0].length;
  }
  return [...result, text.slice(last)];
}

// The words and the text around them: a message may be long.
export function excerpt(body, words) {
  const at = Math.max(0, body.search(pattern(words) ?? /^/u));
  const begin = at < 80 ? 0 : at - 60;
  const text = body.slice(begin, begin + 240);
  return [begin > 0 ? "…" : "", marking(text, words), body.length > begin + 240 ? "…" : ""];
}
