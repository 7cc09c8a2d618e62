// A long list of which only the rows in sight, and some beyond, are in the document.
import { morph } from "./dom.js";

// Pixels drawn above and below the part in sight, so that scrolling does not outrun drawing.
const beyond = 500;
// Heights that are measured can change those of rows not drawn yet; more rounds than this change nothing visible.
const rounds = 4;

// `box` scrolls. `key(item)` names a row, `make(item)` makes its element; it is made again if the item is another object.
// Until a row is drawn, its height is `height(item)`. A list that `sticks` stays at its end while it grows. A list with
// `keys` is one stop of the tab key: arrows, Home and End move the focus among the links of its rows.
export class Rows {
  #items = [];
  #places = new Map();
  #tops = [0];
  #heights = new Map();
  // The drawn rows by key: `{ item, element }`.
  #drawn = new Map();
  #width = 0;

  constructor(box, body, { key, make, height, sticks = false, keys = false, onDraw = () => {} }) {
    Object.assign(this, { box, body, key, make, height, sticks, keys, onDraw });
    // The row that takes the focus; it stays in the document also out of sight.
    this.active = null;
    if (keys) {
      body.addEventListener("keydown", (event) => this.#press(event));
      body.addEventListener("focusin", (event) => this.#activate(event.target.closest("[data-key]")?.dataset.key));
    }
    body.classList.add("rows");
    box.addEventListener("scroll", () => this.#draw(this.#held()), { passive: true });
    this.watch = new ResizeObserver(() => this.#resized());
    this.watch.observe(box);
  }

  get items() { return this.#items; }
  get isAtEnd() { return this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight < 40; }
  // The indices of the first and the last row in sight.
  get inSight() {
    const top = this.box.scrollTop;
    return [this.#at(top), this.#at(top + this.box.clientHeight)];
  }

  place(key) { return this.#places.get(key) ?? -1; }
  element(key) { return this.#drawn.get(key)?.element ?? null; }

  close() { this.watch.disconnect(); }

  // Shows these items: from the `end`, or else the row at the top of the part in sight stays where it is.
  set(items, from = null) {
    const held = from ?? this.#held();
    this.#items = items;
    this.#places = new Map(items.map((item, index) => [this.key(item), index]));
    this.#draw(held, true);
  }

  // Draws all rows again, after a change that is not in their items.
  renew() {
    for (const row of this.#drawn.values()) row.item = null;
    this.#draw(this.#held());
  }

  // Scrolls a row into sight: to the `middle`, or as little as possible.
  reveal(key, where = "nearest") {
    const index = this.place(key);
    if (index < 0) return;
    // Its own height, and those before it, may be known only once they are drawn.
    for (let round = 0; round < 2; round += 1) {
      const [top, bottom] = [this.#tops[index], this.#tops[index + 1]];
      const { scrollTop, clientHeight } = this.box;
      let wanted = scrollTop;
      if (where === "middle") wanted = (top + bottom - clientHeight) / 2;
      else if (where === "start" || top < scrollTop) wanted = top;
      else if (bottom > scrollTop + clientHeight) wanted = bottom - clientHeight;
      this.#draw([{ key, offset: top - Math.max(0, wanted) }]);
    }
  }

  end() {
    this.#draw("end");
    this.#draw("end");
  }

  // Moves the focus to a row's link.
  focus(key) {
    this.#activate(key);
    this.reveal(key);
    this.element(key)?.querySelector("a")?.focus({ preventScroll: true });
  }

  #activate(key) {
    this.active = key ?? null;
    this.#stop();
  }

  #press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const [at, last] = [this.place(this.active), this.#items.length - 1];
    const page = Math.max(1, this.inSight[1] - this.inSight[0] - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last, End: last };
    if (!(event.key in steps) || at < 0) return;
    event.preventDefault();
    this.focus(this.key(this.#items[Math.max(0, Math.min(last, at + steps[event.key]))]));
  }

  // One of the links takes the tab key.
  #stop() {
    if (!this.keys || this.#items.length === 0) return;
    if (this.place(this.active) < 0) this.active = this.key(this.#items[0]);
    for (const [key, { element }] of this.#drawn) {
      element.setAttribute("aria-setsize", this.#items.length);
      element.setAttribute("aria-posinset", this.place(key) + 1);
      element.querySelector("a").tabIndex = key === this.active ? 0 : -1;
    }
  }

  // MARK: Places

  #held() {
    if (this.sticks && this.#items.length > 0 && this.isAtEnd) return "end";
    // Of several rows, since one may be gone in the list that follows.
    const first = this.#at(this.box.scrollTop);
    return this.#items.slice(first, first + 5)
      .map((item, step) => ({ key: this.key(item), offset: this.#tops[first + step] - this.box.scrollTop }));
  }

  // The index of the row at that height.
  #at(height) {
    let [low, high] = [0, Math.max(0, this.#items.length - 1)];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#tops[middle] <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #layOut() {
    const tops = new Array(this.#items.length + 1);
    tops[0] = 0;
    this.#items.forEach((item, index) => {
      tops[index + 1] = tops[index] + (this.#heights.get(this.key(item)) ?? this.height(item));
    });
    this.#tops = tops;
    this.body.style.height = `${tops.at(-1)}px`;
  }

  #resized() {
    const held = this.#held();
    const isOther = this.#width !== this.box.clientWidth;
    this.#width = this.box.clientWidth;
    if (isOther) this.#heights.clear();
    this.#draw(held, isOther);
  }

  // MARK: Drawing

  #draw(held, isOther = false) {
    // A list that is not shown has no places.
    if (this.box.clientHeight === 0) return isOther && this.#layOut();
    if (isOther) this.#layOut();
    for (let round = 0; round < rounds; round += 1) {
      this.#hold(held);
      const wanted = this.#wanted();
      this.#arrange(wanted);
      if (!this.#measure(wanted)) break;
      this.#layOut();
    }
    for (const [key, { element }] of this.#drawn) element.style.top = `${this.#tops[this.place(key)]}px`;
    this.#hold(held);
    this.#stop();
    this.onDraw();
  }

  // Scrolls so that the first of these rows that is still there is where it was.
  #hold(held) {
    const row = held === "end" ? null : held.find(({ key }) => this.#places.has(key));
    if (held !== "end" && !row) return;
    const top = row ? this.#tops[this.place(row.key)] - row.offset : this.#tops.at(-1) - this.box.clientHeight;
    if (Math.abs(this.box.scrollTop - top) >= 1) this.box.scrollTop = top;
  }

  // The indices to draw, in order.
  #wanted() {
    if (this.#items.length === 0) return [];
    const top = this.box.scrollTop;
    const [first, last] = [this.#at(top - beyond), this.#at(top + this.box.clientHeight + beyond)];
    const wanted = Array.from({ length: last - first + 1 }, (_, step) => first + step);
    const active = this.place(this.active);
    if (active >= 0 && active < first) wanted.unshift(active);
    if (active > last) wanted.push(active);
    return wanted;
  }

  #arrange(wanted) {
    const keys = new Set(wanted.map((index) => this.key(this.#items[index])));
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    for (const [key, row] of this.#drawn) {
      if (keys.has(key)) continue;
      row.element.remove();
      this.#drawn.delete(key);
    }
    let next = this.body.firstChild;
    for (const index of wanted) {
      const element = this.#row(index);
      if (element === next) next = next.nextSibling;
      else this.body.insertBefore(element, next);
    }
    // An element that is moved loses the focus.
    if (focused && focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
  }

  #row(index) {
    const item = this.#items[index];
    const key = this.key(item);
    const row = this.#drawn.get(key);
    if (row?.item === item) return row.element;
    const made = this.make(item);
    made.dataset.key = key;
    if (row) morph(row.element, made);
    // Its height may be another one.
    this.#drawn.set(key, { item, element: row?.element ?? made, isMeasured: false });
    return row?.element ?? made;
  }

  // Returns true if a height was not as expected.
  #measure(wanted) {
    let isOther = false;
    for (const index of wanted) {
      const key = this.key(this.#items[index]);
      const row = this.#drawn.get(key);
      if (row.isMeasured && this.#heights.has(key)) continue;
      row.isMeasured = true;
      const height = row.element.getBoundingClientRect().height;
      if (Math.abs(height - (this.#tops[index + 1] - this.#tops[index])) >= 0.5) isOther = true;
      this.#heights.set(key, height);
    }
    return isOther;
  }
}
