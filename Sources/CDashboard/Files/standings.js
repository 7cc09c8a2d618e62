// The standings: the first three, and the table of all.
import { h, name } from "./dom.js";
import { table } from "./chart.js";
import { count, number } from "./words.js";

// At least two people with points make a contest. Equal ranks stand equally high.
export function podium(rows) {
  const scorers = rows.filter((row) => row.points > 0);
  const first = scorers.slice(0, 3);
  if (first.length < 2) return null;
  const others = scorers.slice(3).filter((row) => row.rank === first[2].rank).length;
  return [h("ol", { class: "podium", "aria-label": "The first three" }, first.map((row) =>
    h("li", { class: `step ${["gold", "silver", "bronze"][row.rank - 1]}${row.me ? " me" : ""}`, "data-key": row.memberId },
      h("span", { class: "who" }, name(row.name), row.me ? [" ", h("span", { class: "tag" }, "you")] : null),
      h("span", { class: "points" }, count(row.points, "point")),
      h("span", { class: "block" }, h("span", { class: "unseen" }, "Rank "), number(row.rank))))),
  others > 0
    ? h("p", { class: "also small soft" }, `${number(others)} more ${others === 1 ? "shares" : "share"} rank ${number(first[2].rank)}.`)
    : null];
}

// My row stays in view while the others scroll. `isVeiled`: shows only the names of others who played. `isStale`: the
// node does not answer, so nothing is green.
export function standings(rows, period, { isVeiled, isOneGame, isStale }) {
  const heads = [{ text: "Rank", number: true }, { text: "Name" }, { text: "Points", number: true },
    { text: "Today" }, { text: "Streak", number: true }, { text: "Best", number: true }, { text: "Won", number: true },
    ...(isOneGame ? [{ text: "Average", number: true }] : []), { text: "Played", number: true }];
  const order = isVeiled ? [...rows].sort((a, b) => b.me - a.me || a.name.localeCompare(b.name)) : rows;
  const streak = (value) => (value > 0 ? count(value, "day") : "–");
  return table(`Standings, ${period.toLowerCase()}`, heads, order.map((row) => {
    const isHidden = isVeiled && !row.me;
    const dot = (value) => (isHidden ? "·" : value);
    return {
      key: row.memberId, class: row.me ? "me" : null,
      cells: [
        dot(row.played > 0 ? number(row.rank) : "–"),
        [name(row.name), " ", row.me ? h("span", { class: "tag" }, "you") : null],
        isHidden ? "hidden" : number(row.points),
        h("span", { class: `nowrap ${row.playedToday && !isStale ? "good" : "soft"}` }, row.playedToday ? "played" : "not yet"),
        dot(streak(row.currentStreak)), dot(streak(row.bestStreak)), dot(number(row.wins)),
        ...(isOneGame ? [dot(row.average === null ? "–" : row.average.toFixed(2))] : []), dot(number(row.played)),
      ],
    };
  }), { cards: "cards board", rowHead: 1 });
}
