// Plots as SVG. A table or a sentence beside them shows the same.
import { clean, h, svg } from "./dom.js";

export const colours = ["one", "two", "three", "four", "five"];

// A line of the last values, without axes.
export function sparkline(values, label) {
  const [width, height] = [480, 64];
  const most = Math.max(1, ...values);
  const points = values.map((value, index) => {
    const x = width - (values.length - 1 - index) * (width / 89);
    return `${x.toFixed(1)} ${(height - 4 - (value / most) * (height - 10)).toFixed(1)}`;
  });
  const line = points.length > 1 ? `M${points.join("L")}` : "";
  const first = points[0]?.split(" ")[0] ?? width;
  return svg("svg", { class: "spark", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
    "aria-label": label },
  svg("path", { class: "ground", d: `M0 ${height - 4}H${width}` }),
  line && svg("path", { class: "area", d: `${line}L${width} ${height - 4}L${first} ${height - 4}Z` }),
  line && svg("path", { class: "stroke", d: line }));
}

// A line for each of `series`, named at its end: `{ name, values, colour, isOwn }`, without a colour for one of the crowd.
// `labels` has a text or null for each place on the x axis; `values` may end before them. `isRunning`: the last value
// may still grow, so that its line is broken and its point is open.
export function lines(labels, series, label, isRunning = false) {
  const isNarrow = document.documentElement.clientWidth < 640;
  const [width, height] = isNarrow ? [340, 250] : [720, 270];
  const named = series.filter((each) => each.colour);
  const names = named.map((each) => short(each.name, isNarrow ? 9 : 14));
  // The plot leaves room for the longest name, and for half of the last date.
  const right = Math.max(48, 18 + Math.max(0, ...names.map(breadth)));
  const [left, top, bottom] = [isNarrow ? 34 : 44, 12, 30];
  const most = ceiling(Math.max(1, ...series.flatMap((each) => each.values)));
  const x = (index) => left + (labels.length < 2 ? 0 : (index / (labels.length - 1)) * (width - left - right));
  const y = (value) => height - bottom - (value / most) * (height - top - bottom);
  const steps = [0, 0.5, 1].map((part) => Math.round(most * part));
  const ends = spread(named.map((each) => y(each.values.at(-1) ?? 0)), 17, top + 6, height - bottom);
  const path = (values, first) => values.map((value, index) =>
    `${index === 0 ? "M" : "L"}${x(first + index).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const line = ({ values, colour }) => {
    const settled = isRunning && colour ? values.slice(0, -1) : values;
    return [
      settled.length > 1 ? svg("path", { d: path(settled, 0) }) : null,
      isRunning && colour && values.length > 1
        ? svg("path", { class: "running", d: path(values.slice(-2), values.length - 2) }) : null,
    ];
  };
  return svg("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label },
    steps.map((value) => [
      svg("path", { class: "grid", d: `M${left} ${y(value)}H${width - right}` }),
      svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, String(value)),
    ]),
    apart(labels, x).map((index) => svg("text", { x: x(index), y: height - 8,
      "text-anchor": index === 0 ? "start" : "middle" }, labels[index])),
    series.filter((each) => !each.colour).map((each) => svg("g", { class: "series crowd" }, line(each))),
    named.map((each, place) => {
      const at = x(each.values.length - 1);
      return svg("g", { class: `series ${each.colour}${each.isOwn ? " own" : ""}` }, line(each),
        svg("circle", { class: isRunning ? "running" : null, cx: at, cy: y(each.values.at(-1) ?? 0), r: 3.5 }),
        svg("text", { x: at + 12, y: ends[place] + 4 }, names[place]));
    }));
}

const short = (text, most) => {
  const letters = [...clean(text)];
  return letters.length > most + 1 ? `${letters.slice(0, most).join("")}…` : letters.join("");
};

// The approximate width of a name, in the plot's units: East Asian letters are wider, and so are pictures and some others.
const breadth = (text) => [...text].reduce((sum, letter) => sum + (letter > "\u2E80" || "MWmw@%".includes(letter) ? 14 : 9), 0);

// The next round number.
function ceiling(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((factor) => factor * power).find((each) => each >= value && each % 2 === 0)
    ?? 10 * power;
}

// The indices of the labels that fit side by side; the last one always does.
function apart(labels, x) {
  const shown = [];
  let free = Infinity;
  for (let index = labels.length - 1; index >= 0; index -= 1) {
    if (!labels[index]) continue;
    const half = breadth(labels[index]) * 0.4;
    const [start, end] = index === 0 ? [x(0), x(0) + 2 * half] : [x(index) - half, x(index) + half];
    if (end > free) continue;
    shown.push(index);
    free = start - 6;
  }
  return shown;
}

// Keeps names from overlapping.
function spread(places, least, top, bottom) {
  const order = places.map((place, index) => ({ place, index })).sort((a, b) => a.place - b.place);
  order.forEach((each, rank) => {
    const above = rank > 0 ? order[rank - 1].place + least : top;
    each.place = Math.max(each.place, above);
  });
  for (let rank = order.length - 1; rank >= 0; rank -= 1) {
    const below = rank < order.length - 1 ? order[rank + 1].place - least : bottom;
    order[rank].place = Math.min(order[rank].place, below);
  }
  const result = [];
  for (const { place, index } of order) result[index] = place;
  return result;
}

// A table that scrolls if it is too wide. With the class `cards`, each row is a card on a narrow screen; roles are then
// explicit, since browsers drop those of elements not laid out as a table.
export function table(caption, heads, rows, { cards = null, rowHead = 0 } = {}) {
  const role = (name) => (cards ? name : null);
  const cell = (content, index) => h(index === rowHead ? "th" : "td", {
    scope: index === rowHead ? "row" : null, role: role(index === rowHead ? "rowheader" : "cell"),
    class: [heads[index].number ? "number" : null, heads[index].wide ? "wide" : null].filter(Boolean).join(" ") || null,
    "data-label": cards && index !== rowHead && !heads[index].hidden ? heads[index].text : null,
  }, cards && content !== null ? h("div", null, content) : content);
  return h("div", { class: "scroll", role: "group", "aria-label": caption },
    h("table", { class: cards, role: role("table") },
      h("caption", { class: "unseen" }, caption),
      h("thead", { role: role("rowgroup") }, h("tr", { role: role("row") }, heads.map((head) =>
        h("th", { scope: "col", role: role("columnheader"), class: head.number ? "number" : null },
          head.hidden ? h("span", { class: "unseen" }, head.text) : head.text)))),
      h("tbody", { role: role("rowgroup") }, rows.map((row) =>
        h("tr", { "data-key": row.key, class: row.class, role: role("row") }, row.cells.map(cell))))));
}
