// The race of the month, and points by week.
import { h, name } from "./dom.js";
import { colours, lines, table } from "./chart.js";
import { day, number } from "./words.js";

// Lines with a name and a colour; the others are the crowd.
const named = 5;

// The member that I am, and those with the most points; everybody else is the crowd.
function chosen(members, totals, me) {
  const order = members.map((_, place) => place).sort((a, b) => totals[b] - totals[a]);
  const first = order.slice(0, named);
  const own = members.findIndex((each) => each.memberId === me);
  if (own >= 0 && !first.includes(own)) first.splice(named - 1, 1, own);
  return { order, first };
}

const asTable = (caption, head, members, order, rows) =>
  h("details", null, h("summary", null, "Show as a table"),
    table(caption, [{ text: head }, ...order.map((place) => ({ text: name(members[place].name), number: true }))], rows));

// Points added up from the first of the month to today.
export function race({ month, group, board }) {
  const { members } = month;
  const today = board.today % 100;
  const length = month.to % 100;
  const sums = members.map(() => 0);
  const values = members.map(() => []);
  const rows = [];
  const byDay = new Map(month.days.map((each) => [each.date % 100, each.points]));
  for (let date = 1; date <= today; date += 1) {
    byDay.get(date)?.forEach((points, place) => { sums[place] += points; });
    sums.forEach((sum, place) => values[place].push(sum));
    const dateInt = board.today - today + date;
    rows.push({ key: String(dateInt), sums: [...sums], dateInt });
  }
  // One day is a point, and one player alone is no race.
  if (today < 2 || sums.filter((sum) => sum > 0).length < 2) return null;
  const { order, first } = chosen(members, sums, group.memberId);
  const series = order.filter((place) => sums[place] > 0 || first.includes(place)).map((place) => ({
    name: members[place].name, values: values[place], colour: colours[first.indexOf(place)],
    isOwn: members[place].memberId === group.memberId,
  }));
  const labels = Array.from({ length }, (_, index) =>
    ([1, 8, 15, 22, length].includes(index + 1) ? day(board.today - today + index + 1).replace(/,? \d{4}$/, "") : null));
  const title = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" })
    .format(new Date(Date.UTC(2000, Math.floor(board.today / 100) % 100 - 1, 1)));
  return h("section", { "aria-labelledby": "race" }, h("h2", { id: "race" }, `The race of ${title}`),
    h("figure", { class: "card" },
      lines(labels, series, `Points added up day by day. In the lead: ${members[order[0]].name}, with `
        + `${number(sums[order[0]])}. The table below has the numbers.`, true),
      h("figcaption", { class: "small soft" }, "Points added up day by day; today still counts on.",
        order.length > first.length ? ` ${number(first.length)} of ${number(order.length)} are named.` : "")),
    asTable("Points added up, newest day first", "Day", members, order,
      rows.reverse().map((row) => ({ key: row.key, cells: [day(row.dateInt), ...order.map((place) =>
        number(row.sums[place]))] }))));
}

export function weeks({ history, group }) {
  const recent = history.weeks.slice(-26);
  // Two points are a stroke, not a course.
  if (recent.length < 3) return null;
  const { members } = history;
  const totals = members.map((_, place) => recent.reduce((sum, week) => sum + week.points[place], 0));
  const { order, first } = chosen(members, totals, group.memberId);
  const series = first.map((place, index) => ({
    name: members[place].name, values: recent.map((week) => week.points[place]), colour: colours[index],
    isOwn: members[place].memberId === group.memberId,
  }));
  const monday = new Date();
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  const isRunning = String(recent.at(-1).week) === monday.toISOString().slice(0, 10).replaceAll("-", "");
  const marks = [0, Math.floor((recent.length - 1) / 2), recent.length - 1];
  const labels = recent.map((week, index) => (marks.includes(index) ? day(week.week) : null));
  return h("section", { "aria-labelledby": "weeks" }, h("h2", { id: "weeks" }, "Points by week"),
    h("figure", { class: "card" },
      lines(labels, series, `Points by week, ${labels[0]} to ${labels.at(-1)}, of `
        + `${series.map((each) => each.name).join(", ")}. The table below has the numbers.`, isRunning),
      h("figcaption", { class: "small soft" }, isRunning ? "The last week is still running. " : "",
        order.length > named ? `${number(named)} of ${number(order.length)}; the table lists everyone.` : "")),
    asTable("Points by week, newest first", "Week of", members, order, recent.map((week) => ({
      key: String(week.week), cells: [day(week.week), ...order.map((place) => number(week.points[place]))],
    })).reverse()));
}
