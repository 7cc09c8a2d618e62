// The tokens with which apps use the local API.
import { all, end, post } from "./api.js";
import { announce, confirm, h, name } from "./dom.js";
import { table } from "./chart.js";
import { sentence, since, soon } from "./words.js";

const scopes = [
  ["chat:read", "read messages"], ["chat:write", "add and delete messages"], ["groups:read", "read leaderboards"],
  ["groups:write", "post results, lead groups"], ["admin", "everything, and settings"],
];

// `showAll` renders the view again.
export function open(app, showAll) {
  let tokens = [];
  let made = null;
  let said = { text: "", bad: false };

  const read = async () => { tokens = await all("/v1/tokens"); };

  async function act(body, done) {
    try {
      await body();
      await read();
      said = { text: done, bad: false };
    } catch (error) {
      said = { text: error.message, bad: true };
    }
    announce(said.text);
    showAll();
  }

  async function create(event) {
    event.preventDefault();
    const form = event.target;
    const fields = new FormData(form);
    const scope = fields.getAll("scope").join(",");
    if (!scope) {
      said = { text: "Choose what the app may do.", bad: true };
      return showAll();
    }
    const [called, days] = [fields.get("token-name").trim(), Number(fields.get("token-days"))];
    await act(async () => {
      made = await post("/v1/tokens", { scope, ...(called ? { name: called } : {}), ...(days > 0 ? { expires: days } : {}),
        ...(fields.get("only") ? { account: app.account.accountId } : {}) });
      form.reset();
    }, "The token was created. It is shown only here.");
    document.getElementById("made-token")?.focus();
  }

  async function revoke(token) {
    const isWanted = await confirm(`Revoke ${token.name ?? token.id}?`, token.name === "dashboard"
      ? "A browser that is signed in with it is signed out at once." : "The app that has it is shut out at once.", "Revoke");
    if (!isWanted) return;
    if (made?.id === token.id) made = null;
    await act(() => end(`/v1/tokens/${token.id}`), "Revoked.");
  }

  async function copy() {
    await navigator.clipboard.writeText(made.token).then(() => { said = { text: "Copied.", bad: false }; },
      () => { said = { text: "The browser does not allow copying. Select the text and copy it yourself.", bad: true }; });
    showAll();
  }

  const accountOf = (token) => app.status.accounts.find((each) => each.accountId === token.accountId);
  const isForOne = () => tokens.some((each) => each.accountId);

  const list = () => table("Tokens", [{ text: "Name" }, { text: "May" }, ...(isForOne() ? [{ text: "Account" }] : []), { text: "Created" }, { text: "Expires" },
    { text: "Action", hidden: true }], tokens.map((each) => ({
    key: each.id,
    cells: [
      [name(each.name ?? "–"), h("div", { class: "small soft" }, each.id)], each.scopes.join(", "),
      ...(isForOne() ? [each.accountId ? name(accountOf(each)?.label ?? "another") : "all"] : []),
      since(each.createdAt), each.expiresAt ? soon(each.expiresAt) : "never",
      h("button", { type: "button", class: "small danger", onclick: () => revoke(each) }, "Revoke",
        h("span", { class: "unseen" }, ` ${each.name ?? each.id}`)),
    ],
  })), { cards: "cards" });

  const form = () => h("form", { class: "card stack", onsubmit: create },
    h("h3", null, "New token"),
    h("fieldset", { class: "checks" }, h("legend", { class: "unseen" }, "What the app may do"), scopes.map(([id, what]) =>
      h("label", { class: "check" }, h("input", { type: "checkbox", name: "scope", value: id }),
        h("span", null, h("code", null, id), h("span", { class: "soft" }, ` ${what}`))))),
    h("div", { class: "row low" },
      h("div", { class: "field" }, h("label", { for: "token-name" }, "Name of the app"),
        h("input", { id: "token-name", name: "token-name", maxlength: "40", autocomplete: "off" })),
      h("div", { class: "field narrow" }, h("label", { for: "token-days" }, "Days valid"),
        h("input", { id: "token-days", name: "token-days", type: "number", min: "1", max: "3650", inputmode: "numeric",
          placeholder: "no limit" })),
      app.status.accounts.length > 1 ? h("label", { class: "check" }, h("input", { type: "checkbox", name: "only" }),
        "only this account") : null,
      h("button", { type: "submit", class: "main" }, "Create")),
    made ? h("div", { class: "stack tight" },
      h("p", { class: "token", id: "made-token", tabindex: "-1", role: "group", "aria-label": "The new token" }, made.token),
      h("div", { class: "row" }, h("button", { type: "button", onclick: copy }, "Copy"))) : null,
    h("p", { class: `said small ${said.bad ? "bad" : ""}` }, sentence(said.text)));

  const section = () => h("section", { "aria-labelledby": "tokens" }, h("h2", { id: "tokens" }, "Apps and browsers"),
    h("p", { class: "soft" }, "Each has a token. Browsers that are signed in here are called dashboard."),
    tokens.length > 0 ? list() : null, form());

  return { read, section };
}
