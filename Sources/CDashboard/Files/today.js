// My day: the games still to play, the box for a game's share text, and everybody's results of today.
import { post } from "./api.js";
import { announce, h, name } from "./dom.js";
import { table } from "./chart.js";
import { count, day, nextDay, number, sentence, soon } from "./words.js";

// Names in a sentence.
const namedMembers = 12;
// In milliseconds: a streak that ends sooner is urgent.
const urgent = 6 * 3600000;

let said = { text: "", bad: false };

export function myDay(app, shown, refresh) {
  const { board, open, group, games } = shown;
  const me = board.rows.find((row) => row.me);
  if (!me || !["owner", "admin", "member"].includes(group.role)) return null;
  const mine = shown.today.results.filter((each) => each.me);

  async function send(path, body) {
    try {
      const posted = await post(path, body, app.query());
      const all = posted.items ?? [posted];
      said = { text: `Posted ${result(all[0], true)}, ${count(all[0].points, "point")}`
        + (all.length > 1 ? `, in ${number(all.length)} groups.` : "."), bad: false };
    } catch (error) {
      said = { text: error.message, bad: true };
    }
    announce(said.text);
    await refresh();
    return !said.bad;
  }

  async function paste(event) {
    event.preventDefault();
    const form = event.target;
    const text = new FormData(form).get("text");
    const isForAll = new FormData(form).get("everywhere") !== null;
    if (await send(isForAll ? "/v1/scores" : `/v1/groups/${group.groupId}/scores`, { shareText: text })) form.reset();
  }

  async function type(event) {
    event.preventDefault();
    const form = event.target;
    const fields = new FormData(form);
    const isFailed = fields.get("failed") !== null;
    const value = isFailed ? { failed: true } : { score: Number(fields.get("score")) };
    if (await send(`/v1/groups/${group.groupId}/scores`, { game: fields.get("game"), ...value })) form.reset();
  }

  return h("section", { class: "card my-day", "aria-labelledby": "my-day" },
    h("div", { class: "stack" }, h("h2", { id: "my-day" }, "My day"), streak(me),
      mine.length > 0
        ? h("ul", { class: "stack tight" }, mine.map((each) => h("li", { "data-key": each.gameId },
          name(each.gameName ?? "A game"), ": ", h("strong", null, each.completed ? number(each.score) : "not solved"),
          h("span", { class: "soft" }, `, ${count(each.points, "point")}`),
          each.winner ? [" ", h("span", { class: "tag" }, "best so far")] : null)))
        : h("p", { class: "soft" }, "You have not played today.")),
    h("div", { class: "stack" },
      h("form", { class: "stack tight", onsubmit: paste },
        h("label", { for: "share" }, "Paste a result"),
        h("textarea", { id: "share", name: "text", rows: "3", required: true, maxlength: "4000", spellcheck: "false",
          autocomplete: "off", placeholder: "Wordle 1,234 3/6" }),
        h("div", { class: "row" }, h("button", { type: "submit", class: "main" }, "Post"),
          open.length > 1 ? h("label", { class: "check" },
            h("input", { type: "checkbox", name: "everywhere", checked: true }), "in each of my groups with the game")
            : null)),
      h("details", null, h("summary", null, "Type it instead"),
        h("form", { class: "row low", onsubmit: type },
          h("div", { class: "field" }, h("label", { for: "posted-game" }, "Game"),
            h("select", { id: "posted-game", name: "game" },
              games.map((each) => h("option", { value: each.gameId }, each.name)))),
          h("div", { class: "field narrow" }, h("label", { for: "posted-score" }, "Result"),
            h("input", { id: "posted-score", name: "score", type: "number", min: "0", inputmode: "numeric" })),
          h("label", { class: "check" }, h("input", { type: "checkbox", name: "failed" }), "not solved"),
          h("button", { type: "submit" }, "Post"))),
      h("p", { class: `said small ${said.bad ? "bad" : ""}` }, said.bad ? sentence(said.text) : said.text)));
}

const result = (score, isNamed) => (isNamed ? `${score.gameName ?? "a game"} ` : "")
  + (score.completed ? number(score.score) : "X") + (score.maxAttempts > 0 ? `/${score.maxAttempts}` : "");

function streak(me) {
  if (me.currentStreak === 0) return null;
  if (me.playedToday) {
    return h("p", { class: "streak" }, h("strong", null, `${count(me.currentStreak, "day")}`), " in a row");
  }
  const end = nextDay().getTime();
  return h("p", { class: `streak ${end - Date.now() < urgent ? "warn" : ""}` },
    "Your ", h("strong", null, `${number(me.currentStreak)}-day`), " streak ends ", soon(end), ".");
}

// Of a game that I have not played, only the names of those who have are shown.
export function todaysResults(shown, isHidden, hidesToday, onSwitch) {
  const { board, today } = shown;
  const open = today.results.filter((each) => each.me || !isHidden(each.gameId)).sort((a, b) => b.me - a.me);
  const hidden = today.results.filter((each) => !open.includes(each));
  const rows = open.map((each) => ({
    key: each.memberId + each.gameId, class: each.me ? "me" : null,
    cells: [
      [name(each.name), " ", each.me ? h("span", { class: "tag" }, "you") : null,
        each.winner ? h("span", { class: "tag plain" }, "best so far") : null],
      h("span", { class: "game" }, name(each.gameName ?? "a game")), each.completed ? number(each.score) : "not solved", number(each.points),
    ],
  }));
  const missing = board.rows.filter((row) => !row.playedToday).map((row) => (row.me ? "you" : row.name));
  const played = [...new Set(hidden.map((each) => each.name))];
  return h("section", { "aria-labelledby": "today" },
    h("div", { class: "row apart" }, h("h2", { id: "today" }, "Today’s results"),
      h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: hidesToday,
        onchange: onSwitch }), "Hide others’ results until I have played")),
    hidden.length > 0 ? h("p", { class: "card veiled" }, h("strong", null, `${count(hidden.length, "result")} hidden`),
      " until you have played the same game. Played: ", names(played), ".") : null,
    rows.length > 0 ? table("Results of today", [{ text: "Name" }, { text: "Game" }, { text: "Result", number: true },
      { text: "Points", number: true }], rows) : null,
    today.results.length === 0 ? h("p", { class: "soft" }, `Nobody has played yet on ${day(today.date)}. Be the first.`)
      : missing.length > 0 ? h("p", { class: "soft" }, "Not yet: ", names(missing), ".") : null);
}

const names = (list) => [list.slice(0, namedMembers).map((each, index) => [index > 0 ? ", " : "", name(each)]),
  list.length > namedMembers ? ` and ${number(list.length - namedMembers)} more` : ""];
