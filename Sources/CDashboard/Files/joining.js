// Ways into a group: to create one, to join one, what waits, and a group's first game.
import { all, post, put } from "./api.js";
import { announce, h, marked, name, show } from "./dom.js";
import { capital, sentence, since } from "./words.js";

let said = { text: "", bad: false };

const models = [
  ["lower-attempts", "Fewer attempts win", "Wordle: 3 of 6"], ["lower-seconds", "Less time wins", "a crossword, in seconds"],
  ["higher", "More points win", "a quiz"], ["lower-guesses", "Fewer guesses win", ""], ["lower-hints", "Fewer hints win", ""],
];

// Runs a form's request, and shows the result. True if it worked.
async function act(body, refresh) {
  try {
    said = { text: await body(), bad: false };
  } catch (error) {
    said = { text: error.message, bad: true };
  }
  announce(said.text);
  await refresh();
  return !said.bad;
}

const outcome = () => h("p", { class: `said small ${said.bad ? "bad" : ""}` }, said.bad ? marked(sentence(said.text)) : said.text);

// Finds the invitation in a pasted message.
const tokenIn = (text) => /kachat:[a-z2-7\s-]+/i.exec(text)?.[0].trim() ?? text.trim();

const field = (id, label, properties, help) => h("div", { class: "field" }, h("label", { for: id }, label),
  h("input", { id, name: id, autocomplete: "off", ...properties, "aria-describedby": help ? `${id}-help` : null }),
  help ? h("span", { class: "help", id: `${id}-help` }, help) : null);

// The two ways, side by side. `isFirst`: the account is in no group yet.
function begin(app, isFirst, refresh = async () => {}) {
  const create = async (event) => {
    event.preventDefault();
    const fields = new FormData(event.target);
    await act(async () => {
      const made = await post("/v1/groups", { title: fields.get("title").trim(),
        ...(fields.get("about").trim() ? { description: fields.get("about").trim() } : {}) }, app.query());
      const own = fields.get("own-name").trim();
      if (own) await put(`/v1/groups/${made.groupId}/name`, { name: own }, app.query());
      location.hash = `#/leaderboards/${made.groupId}`;
      return `The group ${made.title} was created.`;
    }, refresh);
  };
  const join = async (event) => {
    event.preventDefault();
    const form = event.target;
    const fields = new FormData(form);
    const own = fields.get("joined-name").trim();
    await act(async () => {
      const joined = await post("/v1/groups/join", { token: tokenIn(fields.get("token")), ...(own ? { name: own } : {}) },
        app.query());
      form.reset();
      if (joined.state !== "pending") location.hash = `#/leaderboards/${joined.groupId}`;
      return joined.state === "joined" ? `You are now in ${joined.title}.` : `${joined.title}: ${joined.sentence}.`;
    }, refresh);
  };
  return [
    isFirst ? h("p", { class: "lead" }, "You are not in a group yet. In a group, friends compare their results in daily games.")
      : null,
    h("div", { class: "pair" },
      h("section", { class: "card", "aria-labelledby": "joins" }, h("h2", { id: "joins" }, "Join a group"),
        h("form", { class: "stack", onsubmit: join },
          h("div", { class: "field" }, h("label", { for: "token" }, "Invitation"),
            h("textarea", { id: "token", name: "token", rows: "4", required: true, spellcheck: "false", autocomplete: "off",
              placeholder: "kachat:…", "aria-describedby": "token-help" }),
            h("span", { class: "help", id: "token-help" }, "The link, or the text in the QR code.")),
          field("joined-name", "Your name there", { maxlength: "80" }),
          h("div", { class: "row" }, h("button", { type: "submit", class: "main" }, "Join")))),
      h("section", { class: "card", "aria-labelledby": "creates" }, h("h2", { id: "creates" }, "Create a group"),
        h("form", { class: "stack", onsubmit: create },
          field("title", "Name of the group", { required: true, maxlength: "80" }),
          field("about", "What it is about", { maxlength: "500" }),
          field("own-name", "Your name there", { maxlength: "80" }),
          h("div", { class: "row" }, h("button", { type: "submit", class: isFirst ? null : "main" }, "Create"))))),
    outcome(),
  ];
}

// Joins that wait, and groups that ended or changed, with what to do.
function waiting(app, groups, refresh) {
  const shown = groups.filter((each) => !["joined", "left"].includes(each.state));
  if (shown.length === 0) return null;
  const cancel = (group) => act(async () => {
    await post(`/v1/groups/${group.groupId}/leave`, {}, app.query());
    return group.state === "refused" ? `${group.title} is off the list.` : `No longer waiting for ${group.title}.`;
  }, refresh);
  const buttons = { pending: ["Cancel", "joining"], refused: ["Remove", "from this list:"] };
  return h("ul", { class: "problems", "aria-label": "Groups that wait or ended" }, shown.map((each) =>
    h("li", { "data-key": each.groupId },
      h("h3", null, { pending: "Joining ", refused: "Not let into " }[each.state] ?? "", name(each.title)),
      h("p", null, marked(sentence(capital(each.sentence.replace(/^(pending|refused): /, "")))),
        each.since ? [" Asked ", since(each.since), "."] : null),
      buttons[each.state] ? h("div", { class: "row" }, h("button", { type: "button", class: "small",
        onclick: () => cancel(each) }, buttons[each.state][0],
      h("span", { class: "unseen" }, ` ${buttons[each.state][1]} ${each.title}`))) : null)));
}

// The form for a game; owners and admins may add one.
function gameForm(app, group, refresh) {
  const add = async (event) => {
    event.preventDefault();
    const form = event.target;
    const fields = new FormData(form);
    const most = Number(fields.get("game-most"));
    const isDone = await act(async () => {
      const made = await post(`/v1/groups/${group.groupId}/games`, { name: fields.get("game-name").trim(),
        model: fields.get("game-model"), ...(most > 0 ? { maxAttempts: most } : {}) }, app.query());
      return `${made.name} is in the catalogue.`;
    }, refresh);
    if (isDone) form.reset();
  };
  return h("form", { class: "row low", onsubmit: add },
    field("game-name", "Game", { required: true, maxlength: "80", placeholder: "Wordle" }),
    h("div", { class: "field" }, h("label", { for: "game-model" }, "Who wins"),
      h("select", { id: "game-model", name: "game-model" }, models.map(([id, text, like]) =>
        h("option", { value: id }, like ? `${text} (${like})` : text)))),
    h("div", { class: "field narrow" }, h("label", { for: "game-most" }, "Attempts at most"),
      h("input", { id: "game-most", name: "game-most", type: "number", min: "0", max: "100", inputmode: "numeric" })),
    h("button", { type: "submit", class: "main" }, "Add game"));
}

const firstGame = (app, group, refresh) => (["owner", "admin"].includes(group.role)
  ? h("section", { class: "card", "aria-labelledby": "first-game" }, h("h2", { id: "first-game" }, "Add the first game"),
    h("p", { class: "soft" }, "Everybody in the group can then post results of it."), gameForm(app, group, refresh), outcome())
  : h("p", { class: "lead" }, "This group has no games yet. Its owner or an admin can add one."));

// The page that joins or creates one more.
function open(main, app) {
  let groups = [];
  const render = () => show(main, h("p", null, h("a", { href: "#/leaderboards" }, "Back to the board")),
    h("h1", null, "New group"), waiting(app, groups, update), begin(app, false, update));
  async function update() {
    groups = await all("/v1/groups", app.query());
    render();
  }
  said = { text: "", bad: false };
  return { update };
}

export const joining = { act, outcome, begin, waiting, gameForm, firstGame, open };
