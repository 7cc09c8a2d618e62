// My days of the last year: a cell for each, a column for each week.
import { h, svg } from "./dom.js";
import { count, day, number } from "./words.js";

const [cell, gap, dayMilliseconds] = [11, 3, 86400000];
const step = cell + gap;
const short = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });

const numberOf = (date) => date.getUTCFullYear() * 10000 + (date.getUTCMonth() + 1) * 100 + date.getUTCDate();

// Null if there is no result to show.
export function calendar({ own, board }) {
  const me = board.rows.find((row) => row.me);
  if (!me || own.length === 0) return null;
  // A day is solved if any game of it was.
  const days = new Map();
  for (const { dateInt, completed } of own) days.set(dateInt, completed || days.get(dateInt) === true);
  const today = new Date(Date.UTC(Math.floor(board.today / 10000), Math.floor(board.today / 100) % 100 - 1,
    board.today % 100));
  const isNarrow = document.documentElement.clientWidth < 640;
  const weeks = isNarrow ? 22 : 53;
  // The column of the running week is the last one, and a column begins with its Monday.
  const first = new Date(today.getTime() - ((today.getUTCDay() + 6) % 7 + (weeks - 1) * 7) * dayMilliseconds);
  const cells = [];
  const months = [];
  let [solved, played] = [0, 0];
  for (let index = 0; ; index += 1) {
    const date = new Date(first.getTime() + index * dayMilliseconds);
    if (date > today) break;
    const dateInt = numberOf(date);
    const state = days.get(dateInt);
    if (state !== undefined) played += 1;
    if (state) solved += 1;
    const [x, y] = [Math.floor(index / 7) * step, 18 + (index % 7) * step];
    if (date.getUTCDate() === 1 || index === 0) months.push({ x, text: short.format(date) });
    cells.push(svg("rect", { x, y, width: cell, height: cell, rx: 2.5,
      class: `${state ? "solved" : state === false ? "failed" : "none"}${dateInt === board.today ? " today" : ""}` },
    svg("title", null, `${day(dateInt)}: ${state ? "solved" : state === false ? "played, not solved" : "not played"}`)));
  }
  // The first month is left out where the next one would stand on it.
  const shown = months.filter((month, index) => index > 0 || !(months[1]?.x - month.x < 2.5 * step));
  const text = `${number(solved)} of ${count(cells.length, "day")} solved`
    + (played > solved ? `, ${number(played - solved)} played without success` : "");
  return h("section", { "aria-labelledby": "calendar" }, h("h2", { id: "calendar" }, "Days played"),
    h("figure", { class: "card" },
      h("dl", { class: "numbers" },
        [["Streak", count(me.currentStreak, "day")], ["Longest", count(me.bestStreak, "day")],
          [isNarrow ? "Solved in five months" : "Solved in a year", number(solved)]].map(([what, value]) =>
          h("div", null, h("dt", null, what), h("dd", { class: "number" }, value)))),
      svg("svg", { class: "calendar", viewBox: `0 0 ${weeks * step - gap} ${18 + 7 * step - gap}`, role: "img",
        "aria-label": `Since ${day(numberOf(first))}: ${text}.` },
      shown.map((month) => svg("text", { x: month.x, y: 11 }, month.text)), cells),
      h("figcaption", { class: "small soft key" },
        [["solved", "solved"], ["failed", "played, not solved"], ["none", "not played"]].map(([kind, what]) =>
          h("span", null, svg("svg", { class: "calendar", viewBox: "0 0 11 11", "aria-hidden": "true" },
            svg("rect", { class: kind, width: cell, height: cell, rx: 2.5 })), what)))));
}
