// The standings of a group.
import { all, get, newest } from "./api.js";
import { command, h, name, show } from "./dom.js";
import { lines, table } from "./chart.js";
import { count, day, number, until } from "./words.js";

export const title = "Leaderboards";

// Names in a sentence; a table lists all.
const namedMembers = 12;
const periods = [["today", "Today"], ["week", "This week"], ["all", "All time"]];

export function open(main, app) {
  let groups = [];
  let games = [];
  let group = null;
  let game = "";
  let period = "week";
  let board = null;
  let lastWeek = null;
  let history = null;
  let today = null;
  let hidesToday = localStorage.getItem("hides-today") !== "no";

  // The latest choice, which may still be loading.
  const wish = { game, period };
  const isNewest = newest();

  // Reads everything at once, so that no table appears under another one's heading. False if another read has started
  // in the meantime.
  async function read() {
    const isWanted = isNewest();
    const listed = (await all("/v1/groups", app.query())).filter((each) => each.role || each.state === "joined");
    const chosen = listed.find((each) => each.groupId === (app.path[0] ?? group?.groupId)) ?? listed[0] ?? null;
    if (!chosen) {
      if (isWanted()) [groups, group] = [listed, null];
      return isWanted();
    }
    const path = `/v1/groups/${chosen.groupId}`;
    const played = await all(`${path}/games`, app.query());
    const [time, about] = [wish.period, played.some((each) => each.gameId === wish.game) ? wish.game : ""];
    const query = (more) => app.query({ ...(about ? { game: about } : {}), ...more });
    const now = new Date().toISOString().slice(0, 10).replaceAll("-", "");
    const found = await Promise.all([
      get(`${path}/leaderboard`, query({ period: time })), get(`${path}/leaderboard`, query({ period: "last-week" })),
      get(`${path}/leaderboard/history`, query()), get(`${path}/leaderboard/days/${now}`, query()),
    ]);
    if (!isWanted()) return false;
    [groups, group, games, game, period] = [listed, chosen, played, about, time];
    [board, lastWeek, history, today] = found;
    return true;
  }

  const change = (more) => app.guarded(async () => {
    Object.assign(wish, more);
    if (await read()) render();
  });

  const played = () => board.rows.some((row) => row.me && row.playedToday);
  const isVeiled = () => hidesToday && !played();

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
      "aria-selected": String(id === period), tabindex: id === period ? "0" : "-1",
      onclick: () => change({ period: id }) }, text)));

  function standings() {
    const isVeil = isVeiled() && period === "today";
    const mine = board.rows.filter((row) => row.me);
    const others = board.rows.filter((row) => !row.me);
    if (isVeil) others.sort((a, b) => (a.name ?? "").localeCompare(b.name ?? ""));
    const heads = [{ text: "Rank", number: true }, { text: "Name" }, { text: "Points", number: true },
      { text: "Today" }, { text: "Streak", number: true }, { text: "Best", number: true }, { text: "Played", number: true }];
    const rows = [...mine, ...others].map((row) => {
      const isHidden = isVeil && !row.me;
      const streak = (value) => (isHidden ? "·" : value > 0 ? count(value, "day") : "–");
      return {
        key: row.memberId, class: row.me ? "me" : null,
        cells: [
          isHidden ? "·" : row.played > 0 ? number(row.rank) : "–",
          [name(row.name ?? "Member"), " ", row.me ? h("span", { class: "tag" }, "you") : null],
          isHidden ? "hidden" : number(row.points), h("span", { class: "nowrap" }, row.playedToday ? "played" : "not yet"),
          streak(row.currentStreak), streak(row.bestStreak), isHidden ? "·" : number(row.played),
        ],
      };
    });
    return table(`Standings, ${periods.find(([id]) => id === period)[1].toLowerCase()}: your own row first`, heads, rows,
      { cards: "cards board", rowHead: 1 });
  }

  function reset() {
    const next = new Date();
    next.setUTCHours(24, 0, 0, 0);
    if (period === "all") return h("p", { class: "soft" }, "All time never resets.");
    if (period === "week") next.setUTCDate(next.getUTCDate() + ((8 - next.getUTCDay()) % 7));
    return h("p", { class: "soft" }, period === "week" ? "The week ends in " : "The day ends in ",
      until(next.getTime(), "a moment"), ", at 00:00 UTC.");
  }

  function winner() {
    const first = lastWeek.rows.filter((row) => row.rank === 1 && row.points > 0);
    if (first.length === 0) return h("p", { class: "soft" }, "Nobody played last week.");
    const names = first.flatMap((row, index) => [index > 0 ? " and " : "", name(row.me ? "you" : row.name ?? "Member")]);
    return h("p", null, first.length > 1 ? "Last week’s winners: " : "Last week’s winner: ", h("strong", null, names),
      `, with ${count(first[0].points, "point")}.`);
  }

  function results() {
    const isVeil = isVeiled();
    const shown = today.results.map((each) => {
      const isHidden = isVeil && !each.me;
      return {
        key: each.memberId + each.gameId,
        class: each.me ? "me" : null,
        cells: [
          [name(each.name ?? "Member"), " ", each.me ? h("span", { class: "tag" }, "you") : null,
            each.winner && !isHidden ? h("span", { class: "tag plain" }, "wins today") : null],
          each.gameName ?? "a game",
          isHidden ? "hidden" : each.completed ? number(each.score) : "not solved", isHidden ? "·" : number(each.points),
        ],
      };
    }).sort((a, b) => (a.class === "me" ? -1 : 0) - (b.class === "me" ? -1 : 0));
    const missing = board.rows.filter((row) => !row.playedToday);
    return h("section", { "aria-labelledby": "today" },
      h("div", { class: "row apart" }, h("h2", { id: "today" }, "Today’s results"),
        h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: hidesToday,
          onchange: (event) => {
            hidesToday = event.target.checked;
            localStorage.setItem("hides-today", hidesToday ? "yes" : "no");
            render();
          } }), "Hide others’ results until I have played")),
      isVeil ? h("p", { class: "soft" }, "You have not played today: the others’ results stay hidden until you have.") : null,
      shown.length === 0 ? h("p", { class: "soft" }, "Nobody has played today yet. Be the first.")
        : table("Results of today", [{ text: "Name" }, { text: "Game" }, { text: "Result", number: true },
          { text: "Points", number: true }], shown),
      shown.length > 0 && missing.length > 0
        ? h("p", { class: "soft" }, "Not yet: ", missing.slice(0, namedMembers).map((row, index) =>
          [index > 0 ? ", " : "", row.me ? "you" : name(row.name ?? "Member")]),
        missing.length > namedMembers ? ` and ${number(missing.length - namedMembers)} more.` : ".") : null);
  }

  function weeks() {
    const recent = history.weeks.slice(-26);
    if (recent.length === 0) return null;
    const total = (place) => recent.reduce((sum, week) => sum + week.points[place], 0);
    const order = history.members.map((_, place) => place).sort((a, b) => total(b) - total(a));
    const series = order.slice(0, 5).map((place) => ({
      name: history.members[place].name, values: recent.map((week) => week.points[place]),
    }));
    const labels = recent.map((week) => day(week.week));
    return h("section", { "aria-labelledby": "weeks" }, h("h2", { id: "weeks" }, "Points by week"),
      h("figure", { class: "card" },
        lines(labels, series, `Points by week, ${labels[0]} to ${labels.at(-1)}, of ${series.map((s) => s.name).join(", ")}. ` +
          "The table below has the numbers."),
        order.length > 5 ? h("figcaption", { class: "small soft" }, "The five with the most points; the table lists everyone.") : null),
      h("details", null, h("summary", null, "Show as a table"),
        table("Points by week, newest first",
          [{ text: "Week of" }, ...order.map((place) => ({ text: name(history.members[place].name), number: true }))],
          recent.map((week) => ({ key: String(week.week), cells: [day(week.week), ...order.map((place) =>
            number(week.points[place]))] })).reverse())));
  }

  function choosers() {
    const groupField = groups.length > 1 ? h("div", { class: "field" }, h("label", { for: "group" }, "Group"),
      h("select", { id: "group", "data-shows": group.groupId,
        onchange: (event) => { location.hash = `#/leaderboards/${event.target.value}`; } },
      groups.map((each) => h("option", { value: each.groupId }, each.title)))) : null;
    const gameField = games.length > 1 ? h("div", { class: "field" }, h("label", { for: "game" }, "Game"),
      h("select", { id: "game", "data-shows": game, onchange: (event) => change({ game: event.target.value }) },
        h("option", { value: "" }, "All games"),
        games.map((each) => h("option", { value: each.gameId }, each.name)))) : null;
    return groupField || gameField ? h("div", { class: "row" }, groupField, gameField) : null;
  }

  function render() {
    if (!group) return show(main, ...noGroup(app));
    if (games.length === 0) {
      return show(main, h("h1", null, title), choosers(), h("p", { class: "lead" }, name(group.title),
        " has no games yet. Its owner or an admin can add one:"),
      h("pre", null, command(app.line("game add Wordle --model lower-attempts --max-attempts 6", true))));
    }
    show(main, h("div", { class: "stack" }, h("h1", null, name(group.title)), winner()), choosers(),
      h("section", { "aria-label": "Standings" }, tabs(),
        h("div", { id: "board", role: "tabpanel", "aria-labelledby": `tab-${period}`, class: "stack" },
          reset(), standings())),
      results(), weeks());
  }

  return {
    async update(kind) {
      if (["beat", "sync", "device"].includes(kind) || kind.startsWith("message")) return;
      if (await read()) render();
    },
  };
}

export const noGroup = (app) => [
  h("h1", null, title),
  h("p", { class: "lead" }, "You are not in a group yet. In a group, friends compare their results in daily games. " +
    "Create one, or join one with an invitation:"),
  h("pre", null, command(`${app.line("group create Family", true)}\n${app.line("group join kachat:… --name Ben", true)}`)),
];
