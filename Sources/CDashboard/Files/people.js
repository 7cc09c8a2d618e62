// Invitations to a group.
import { all, get, newest, post, request } from "./api.js";
import { announce, command, confirm, h, name, show } from "./dom.js";
import { table } from "./chart.js";
import { noGroup } from "./leaderboards.js";
import { picture } from "./devices.js";
import { capital, count, date, number, until } from "./words.js";

export const title = "Invite";

const roles = [
  ["member", "Member", "posts and sees results"], ["viewer", "Viewer", "sees results"],
  ["admin", "Admin", "also invites people and adds games"],
];
const lifetimes = [["1h", "1 hour"], ["12h", "12 hours"], ["1d", "1 day"], ["7d", "7 days"], ["30d", "30 days"],
  ["never", "No limit"]];

export function open(main, app) {
  let groups = [];
  let group = null;
  let invites = [];
  let made = null;
  let isMaking = false;
  let said = { text: "", bad: false };
  const isNewest = newest();

  // False if another read has started in the meantime.
  async function read() {
    const isWanted = isNewest();
    const joined = (await all("/v1/groups", app.query())).filter((each) => each.state === "joined");
    const chosen = joined.find((each) => each.groupId === (app.path[0] ?? group?.groupId)) ?? joined[0] ?? null;
    const open = chosen ? await all(`/v1/groups/${chosen.groupId}/invites`, app.query()) : [];
    if (!isWanted()) return false;
    [groups, group, invites] = [joined, chosen, open];
    if (made && made.groupId !== group?.groupId) made = null;
    return true;
  }

  function tell(text, bad = false) {
    said = { text, bad };
    announce(text);
    render();
  }

  async function create(event) {
    event.preventDefault();
    // A second click is for the same invitation.
    if (isMaking) return;
    isMaking = true;
    const form = new FormData(event.target);
    const people = Number(form.get("people"));
    try {
      made = await post(`/v1/groups/${group.groupId}/invites`,
        { role: form.get("role"), expires: form.get("expires"), qr: true, ...(people > 0 ? { people } : {}) }, app.query());
      await read();
      tell("Invitation created. Anyone with it can join: share it only with people you trust.");
      document.getElementById("made")?.focus();
    } catch (error) {
      tell(error.message, true);
    }
    isMaking = false;
  }

  async function revoke(invite) {
    const isWanted = await confirm("Revoke this invitation?",
      "It stops working. People who already joined stay.", "Revoke it");
    if (!isWanted) return;
    try {
      await request("DELETE", `/v1/groups/${group.groupId}/invites/${invite.inviteId}`, app.query());
      await read();
      tell("Invitation revoked.");
    } catch (error) {
      tell(error.message, true);
    }
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(made.token);
      tell("Copied.");
    } catch {
      tell("The browser does not allow copying. Select the text and copy it yourself.", true);
    }
  }

  const ends = (invite) => (invite.expiresAt ? until(invite.expiresAt, "expired") : "no limit");
  const used = (invite) => `${number(invite.used ?? 0)} of ${number(invite.people)}`;

  const form = () => h("section", { "aria-labelledby": "making" }, h("h2", { id: "making" }, "New invitation"),
    h("form", { class: "card stack", onsubmit: create },
      h("div", { class: "row low" },
        groups.length > 1 ? h("div", { class: "field" }, h("label", { for: "group" }, "Group"),
          h("select", { id: "group", "data-shows": group.groupId,
            onchange: (event) => { location.hash = `#/invite/${event.target.value}`; } },
          groups.map((each) => h("option", { value: each.groupId }, each.title)))) : null,
        h("div", { class: "field" }, h("label", { for: "role" }, "Role"),
          h("select", { id: "role", name: "role" }, roles.map(([id, text, help]) =>
            h("option", { value: id }, `${text}: ${help}`)))),
        h("div", { class: "field" }, h("label", { for: "expires" }, "Valid for"),
          h("select", { id: "expires", name: "expires" }, lifetimes.map(([id, text]) =>
            h("option", { value: id, selected: id === "7d" }, text)))),
        h("div", { class: "field" }, h("label", { for: "people" }, "People"),
          h("input", { id: "people", name: "people", type: "number", min: "1", max: "64", value: "1",
            "aria-describedby": "people-help" }))),
      h("p", { class: "small soft", id: "people-help" },
        "So many people may join with it. Any member's device lets them in; yours may be away."),
      h("div", { class: "row" }, h("button", { type: "submit", class: "main" }, "Create an invitation"),
        h("p", { class: `said small ${said.bad ? "bad" : ""}` }, said.text))));

  const ticket = () => made && h("section", { "aria-labelledby": "made" },
    h("h2", { id: "made", tabindex: "-1" }, "Your invitation to ", name(made.title)),
    h("div", { class: "card ticket" },
      made.qr ? h("img", { src: picture(made.qr), alt: "QR code of the invitation beside it" }) : null,
      h("div", { class: "stack" },
        h("p", { class: "token", tabindex: "0", role: "group", "aria-label": "Text of the invitation" }, made.token),
        h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: copy }, "Copy the text")),
        h("dl", { class: "pairs" },
          h("div", null, h("dt", null, "Role"), h("dd", null, capital(made.role))),
          h("div", null, h("dt", null, "Expires in"), h("dd", null, ends(made))),
          h("div", null, h("dt", null, "People"), h("dd", null, number(made.people)))),
        h("p", { class: "small soft" }, "It is shown only once. The other person runs ",
          command("kachat-node group join"), " with the text."))));

  function openOnes() {
    const heads = [{ text: "Role" }, { text: "Expires in" }, { text: "Used", number: true }, { text: "Created by" },
      { text: "Created" }, { text: "Action", hidden: true }];
    return h("section", { "aria-labelledby": "open" }, h("h2", { id: "open" }, "Open invitations"),
      invites.length === 0 ? h("p", { class: "soft" }, "None: nobody can join with an invitation now.")
        : table("Open invitations of the group", heads, invites.map((each) => ({
          key: each.inviteId,
          cells: [capital(each.role), ends(each), used(each), name(each.issuer ?? "a member"),
            each.createdAt ? date(each.createdAt) : "–",
            h("button", { type: "button", class: "small danger", onclick: () => revoke(each) }, "Revoke",
              h("span", { class: "unseen" }, ` the invitation created by ${each.issuer ?? "a member"}`))],
        })), { cards: "cards" }));
  }

  function render() {
    if (!group) return show(main, h("h1", null, title), ...noGroup(app).slice(1));
    const mayInvite = ["owner", "admin"].includes(group.role);
    show(main, h("div", { class: "stack" }, h("h1", null, "Invite to ", name(group.title)),
      h("p", { class: "lead" }, `${count(group.members, "member")}. You are `,
        group.role === "owner" ? "its owner" : `in it as ${group.role}`, ".",
        mayInvite ? "" : " Only its owner and admins can invite people.")),
    mayInvite ? form() : null, ticket(), openOnes());
  }

  return {
    async update(kind) {
      if (["beat", "sync", "device"].includes(kind) || kind.startsWith("message")) return;
      if (await read()) render();
    },
  };
}
