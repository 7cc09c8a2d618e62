// A group's board: my day, the standings, and their history. The pages beside it are in people.js and joining.js.
import { all, get, newest } from "./api.js";
import { h, name, show } from "./dom.js";
import * as awards from "./achievements.js";
import { calendar } from "./calendar.js";
import { asOf, isLost } from "./health.js";
import { joining } from "./joining.js";
import { people } from "./people.js";
import { race, weeks } from "./race.js";
import { podium, standings } from "./standings.js";
import { myDay, todaysResults } from "./today.js";
import { count, nextDay, sentence, until } from "./words.js";

export const title = "Leaderboards";

const periods = [["today", "Today"], ["week", "This week"], ["month", "This month"], ["all", "All time"]];
// The pages beside a group's board, as the second part of the address.
const pages = { people };

export function open(main, app) {
  // Each page has its own element, so late output of an earlier page is not seen.
  let place = null;
  // The data on the page, read together so that no table appears under another one's heading. Null before the first
  // answer.
  let shown = null;
  // The latest choice, which may still be loading.
  const wish = { game: "", period: "week" };
  const isNewest = newest();
  let hidesToday = localStorage.getItem("hides-today") !== "no";
  let page = null;

  // Without a group if the account is in none. `isAnew`: nothing of what is shown is kept.
  async function read(isAnew) {
    const groups = await all("/v1/groups", app.query());
    const open = groups.filter((each) => each.role || each.state === "joined");
    const group = open.find((each) => each.groupId === (app.path[0] ?? localStorage.getItem("group")))
      ?? open.find((each) => each.games > 0) ?? open[0] ?? null;
    if (!group) return { groups, group };
    localStorage.setItem("group", group.groupId);
    const path = `/v1/groups/${group.groupId}`;
    const games = await all(`${path}/games`, app.query());
    const game = games.some((each) => each.gameId === wish.game) ? wish.game : "";
    const query = (more) => app.query({ ...(game ? { game } : {}), ...more });
    const now = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const ofYear = `${Number(now.slice(0, 4)) - 1}${now.slice(4)}`.replace("0229", "0228");
    const { period } = wish;
    const [board, lastWeek, history, today, month, held] = await Promise.all([
      get(`${path}/leaderboard`, query({ period })), get(`${path}/leaderboard`, query({ period: "last-week" })),
      get(`${path}/leaderboard/history`, query()), get(`${path}/leaderboard/days/${now}`, query()),
      get(`${path}/leaderboard/race`, query()), awards.read(app.query()),
    ]);
    // A year of own results is much: it is read again where something says that it changed.
    const place = history.members.findIndex((each) => each.memberId === group.memberId);
    const me = board.rows.find((row) => row.me);
    const mark = JSON.stringify([group.groupId, game, now, me?.currentStreak, me?.bestStreak, me?.lastPlayed,
      history.weeks.map((week) => week.points[place]), today.results.filter((each) => each.me)]);
    const own = shown?.mark === mark && !isAnew ? shown.own
      : await all(`${path}/scores`, query({ from: ofYear, limit: 500 }));
    return { groups, open, group, games, game, period, board, lastWeek, history, today, month, own, mark, held };
  }

  // Reads and shows, unless another reading has started in the meantime.
  async function refresh(kind) {
    const isWanted = isNewest();
    const found = await read(kind === "route" || kind === "reset");
    if (!isWanted() || page.name !== "board") return;
    shown = found;
    render();
  }

  const change = (more) => app.guarded(async () => {
    Object.assign(wish, more);
    await refresh();
  });

  // The arrow keys move through the tabs.
  function keys(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const index = periods.findIndex(([id]) => id === wish.period);
    const wanted = periods[(index + step + periods.length) % periods.length][0];
    change({ period: wanted }).then(() => document.getElementById(`tab-${wanted}`)?.focus());
  }

  const tabs = () => h("div", { class: "tabs", role: "tablist", "aria-label": "Time", onkeydown: keys },
    periods.map(([id, text]) => h("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": "board",
      "aria-selected": String(id === shown.period), tabindex: id === shown.period ? "0" : "-1",
      onclick: () => change({ period: id }) }, text)));

  function reset() {
    if (shown.period === "all") return null;
    const next = nextDay();
    if (shown.period === "week") next.setUTCDate(next.getUTCDate() + ((8 - next.getUTCDay()) % 7));
    if (shown.period === "month" && next.getUTCDate() !== 1) next.setUTCMonth(next.getUTCMonth() + 1, 1);
    const what = { today: "The day", week: "The week", month: "The month" }[shown.period];
    return h("p", { class: "soft small" }, `${what} ends in `, until(next.getTime(), "a moment"), ", at 00:00 UTC.");
  }

  function winner() {
    const first = shown.lastWeek.rows.filter((row) => row.rank === 1 && row.points > 0);
    if (first.length === 0) return h("p", { class: "lead" }, "Nobody played last week.");
    const names = first.flatMap((row, index) => [index > 0 ? " and " : "", name(row.me ? "you" : row.name)]);
    return h("p", { class: "lead" }, first.length > 1 ? "Last week’s winners: " : "Last week’s winner: ",
      h("strong", null, names), `, with ${count(first[0].points, "point")}.`);
  }

  function choosers() {
    const { open, group, games, game } = shown;
    return h("div", { class: "row low" },
      open.length > 1 ? h("div", { class: "field" }, h("label", { for: "group" }, "Group"),
        h("select", { id: "group", "data-shows": group.groupId,
          onchange: (event) => { location.hash = `#/leaderboards/${event.target.value}`; } },
        open.map((each) => h("option", { value: each.groupId }, each.title)))) : null,
      games.length > 1 ? h("div", { class: "field" }, h("label", { for: "game" }, "Game"),
        h("select", { id: "game", "data-shows": game, onchange: (event) => change({ game: event.target.value }) },
          h("option", { value: "" }, "All games"),
          games.map((each) => h("option", { value: each.gameId }, each.name)))) : null,
      h("nav", { class: "row beside", "aria-label": "Group" },
        h("a", { href: `#/leaderboards/${group.groupId}/people` }, "Members and invitations"),
        h("a", { href: "#/leaderboards/new" }, "New group")));
  }

  const switchVeil = (event) => {
    hidesToday = event.target.checked;
    localStorage.setItem("hides-today", hidesToday ? "yes" : "no");
    render();
  };

  // The games of today whose results stay hidden: those that I have not played.
  function veil() {
    if (!hidesToday) return () => false;
    const mine = new Set(shown.today.results.filter((each) => each.me).map((each) => each.gameId));
    return (gameId) => !mine.has(gameId);
  }

  function render() {
    if (!shown) return;
    if (!shown.group) return show(place, h("h1", null, title), joining.waiting(app, shown.groups, refresh),
      joining.begin(app, true));
    const { board, group, games, period } = shown;
    if (games.length === 0) {
      return show(place, h("h1", null, name(group.title)), joining.waiting(app, shown.groups, refresh), choosers(),
        joining.firstGame(app, group, refresh));
    }
    const isHidden = veil();
    const isVeiled = period === "today" && hidesToday && !board.rows.some((row) => row.me && row.playedToday);
    show(place, h("div", { class: "stack" }, h("h1", null, name(group.title)), winner()), asOf(app), choosers(),
      joining.waiting(app, shown.groups, refresh),
      myDay(app, shown, refresh),
      h("section", { "aria-label": "Standings" }, tabs(),
        h("div", { id: "board", role: "tabpanel", "aria-labelledby": `tab-${period}`, class: "stack" },
          isVeiled ? null : podium(board.rows),
          board.lack ? h("p", { class: "soft" }, sentence(board.lack)) : null,
          standings(board.rows, periods.find(([id]) => id === period)[1], { isVeiled, isOneGame: shown.game !== "", isStale: isLost(app) }),
          reset())),
      todaysResults(shown, isHidden, hidesToday, switchVeil),
      race(shown), calendar(shown), weeks(shown), awards.achievements(shown.held));
  }

  // The page that the address names.
  function wanted() {
    if (app.path[0] === "new") return { name: "new", make: joining.open };
    const make = pages[app.path[1]];
    return make ? { name: `${app.path[0]}/${app.path[1]}`, make } : { name: "board", make: () => ({ update: refresh, lost: render }) };
  }

  return {
    lost: () => page?.lost?.(),
    async update(kind) {
      if (["beat", "sync", "device"].includes(kind) || kind.startsWith("message")) return;
      const { name, make } = wanted();
      if (name !== page?.name) {
        place = h("div", { class: "view" });
        main.replaceChildren(place);
        page = { name, ...make(place, app) };
        window.scrollTo(0, 0);
      }
      await page.update(kind);
    },
  };
}
