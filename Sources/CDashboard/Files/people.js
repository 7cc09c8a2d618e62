// A group's members and roles, its invitations, its names and games, and the ways out.
import { all, end, get, newest, post, put, request } from "./api.js";
import { announce, command, confirm, h, marked, name, show } from "./dom.js";
import { table } from "./chart.js";
import { asOf } from "./health.js";
import { joining } from "./joining.js";
import { picture } from "./devices.js";
import { capital, count, date, number, sentence, soon, until } from "./words.js";

const roles = [
  ["member", "Member", "posts results"], ["viewer", "Viewer", "only looks"], ["admin", "Admin", "also invites, adds games"],
];
const lifetimes = [["1h", "1 hour"], ["12h", "12 hours"], ["1d", "1 day"], ["7d", "7 days"], ["30d", "30 days"],
  ["never", "No limit"]];
const states = { suspended: "suspended", removed: "removed", left: "left" };

export function people(main, app) {
  let group = null;
  let members = [];
  let invites = [];
  let made = null;
  let isMaking = false;
  let said = { text: "", bad: false };
  const isNewest = newest();

  const path = (more = "") => `/v1/groups/${encodeURIComponent(app.path[0])}${more}`;

  // False if another read has started in the meantime.
  async function read() {
    const isWanted = isNewest();
    const found = await Promise.all([
      get(path(), app.query()), all(path("/members"), app.query({ all: true })), all(path("/invites"), app.query()),
    ]);
    if (!isWanted()) return false;
    [group, members, invites] = found;
    const rank = (member) => ["owner", "admin", "member", "viewer"].indexOf(member.role);
    members.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
    if (made && made.groupId !== group.groupId) made = null;
    return true;
  }

  function tell(text, bad = false) {
    said = { text, bad };
    announce(text);
    render();
  }

  // Runs a request, and says what was done or why not.
  async function act(body, done) {
    try {
      await body();
      await read();
      tell(done);
      return true;
    } catch (error) {
      tell(error.message, true);
      return false;
    }
  }

  // MARK: Invitations

  async function create(event) {
    event.preventDefault();
    // A second click is for the same invitation.
    if (isMaking) return;
    isMaking = true;
    const form = new FormData(event.target);
    const number = Number(form.get("people"));
    const isMade = await act(async () => {
      made = await post(path("/invites"), { role: form.get("role"), expires: form.get("expires"), qr: true,
        ...(number > 0 ? { people: number } : {}) }, app.query());
    }, "Invitation created. Anyone with it can join: share it only with people you trust.");
    if (isMade) document.getElementById("made")?.focus();
    isMaking = false;
  }

  async function revoke(invite) {
    const isWanted = await confirm("Revoke this invitation?",
      `It was created by ${invite.issuer ?? "a member"}. It stops working; people who already joined stay.`, "Revoke it");
    if (!isWanted) return;
    await act(() => end(path(`/invites/${invite.inviteId}`), app.query()), "Invitation revoked.");
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
  const leads = () => ["owner", "admin"].includes(group.role);

  const form = () => h("form", { class: "card stack", onsubmit: create },
    h("div", { class: "row low" },
      h("div", { class: "field" }, h("label", { for: "role" }, "Role"),
        h("select", { id: "role", name: "role" },
          roles.filter(([id]) => group.role === "owner" || id !== "admin").map(([id, text, help]) =>
            h("option", { value: id }, `${text}: ${help}`)))),
      h("div", { class: "field" }, h("label", { for: "expires" }, "Valid for"),
        h("select", { id: "expires", name: "expires" }, lifetimes.map(([id, text]) =>
          h("option", { value: id, selected: id === "7d" }, text)))),
      h("div", { class: "field narrow" }, h("label", { for: "people" }, "People"),
        h("input", { id: "people", name: "people", type: "number", min: "1", max: "64", value: "1",
          "aria-describedby": "people-help" }))),
    h("p", { class: "small soft", id: "people-help" },
      "So many people may join with it. Any member's device lets them in; yours may be away."),
    h("div", { class: "row" }, h("button", { type: "submit", class: "main" }, "Create an invitation")));

  const ticket = () => made && h("div", { class: "stack" },
    h("h3", { id: "made", tabindex: "-1" }, "Your invitation to ", name(made.title)),
    h("div", { class: "card ticket" },
      made.qr ? h("img", { src: picture(made.qr), alt: "QR code of the invitation beside it" }) : null,
      h("div", { class: "stack" },
        h("p", { class: "token", tabindex: "0", role: "group", "aria-label": "Text of the invitation" }, made.token),
        h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: copy }, "Copy the text")),
        h("dl", { class: "pairs" },
          h("div", null, h("dt", null, "Role"), h("dd", null, capital(made.role))),
          h("div", null, h("dt", null, "Expires in"), h("dd", null, ends(made))),
          h("div", null, h("dt", null, "People"), h("dd", null, number(made.people)))),
        h("p", { class: "small soft" }, "It is shown only once. The other person pastes it on their dashboard, under ",
          "“Join a group”, or runs ", command("kachat-node group join"), " with it."))));

  function invitations() {
    const heads = [{ text: "Created by" }, { text: "Created" }, { text: "Role" }, { text: "Used", number: true },
      { text: "Expires" }, { text: "Action", hidden: true }];
    return h("section", { "aria-labelledby": "invitations" }, h("h2", { id: "invitations" }, "Invitations"),
      invites.length === 0 ? h("p", { class: "soft" }, "None is open: nobody can join with an invitation now.")
        : table("Open invitations of the group", heads, invites.map((each) => {
          const isOwn = each.issuerId === group.memberId;
          return {
            key: each.inviteId,
            cells: [
              [name(each.issuer ?? "a member"), " ", isOwn ? h("span", { class: "tag" }, "you") : null],
              each.createdAt ? date(each.createdAt) : "–", capital(each.role), used(each),
              each.expiresAt ? soon(each.expiresAt) : "never",
              group.role === "owner" || (isOwn && leads())
                ? h("button", { type: "button", class: "small danger", onclick: () => revoke(each) }, "Revoke",
                  h("span", { class: "unseen" }, ` the invitation created by ${each.issuer ?? "a member"}`)) : "",
            ],
          };
        }), { cards: "cards" }),
      leads() && group.state === "joined" ? form() : null, ticket());
  }

  // MARK: Members

  const target = (member) => path(`/members/${member.memberId}`);

  async function remove(member) {
    const isWanted = await confirm(`Remove ${member.name}?`,
      "For good: this person reads nothing that is posted from now on. What was posted stays. All open invitations end, "
      + "since the person may know them.", "Remove");
    if (isWanted) await act(() => end(target(member), app.query()), `${member.name} was removed.`);
  }

  const suspend = (member) => (member.state === "suspended"
    ? act(() => post(`${target(member)}/unsuspend`, {}, app.query()), `${member.name} is shown again.`)
    : act(() => post(`${target(member)}/suspend`, {}, app.query()), `${member.name}’s results are hidden.`));

  const setRole = (member, event) => act(() => put(`${target(member)}/role`, { role: event.target.value }, app.query()),
    `${member.name} is now ${event.target.value === "admin" ? "an" : "a"} ${event.target.value}.`);

  function role(member) {
    if (group.role !== "owner" || member.me || member.state !== "active") return capital(member.role);
    return h("select", { class: "small", "data-shows": member.role, "aria-label": `Role of ${member.name}`,
      onchange: (event) => setRole(member, event) }, roles.map(([id, text]) => h("option", { value: id }, text)));
  }

  function actions(member) {
    if (member.me || member.role === "owner" || group.state !== "joined") return "";
    const whom = h("span", { class: "unseen" }, ` ${member.name}`);
    const isIn = ["active", "suspended"].includes(member.state);
    return h("div", { class: "row tight" },
      leads() && isIn ? h("button", { type: "button", class: "small", onclick: () => suspend(member) },
        member.state === "suspended" ? "Show results" : "Hide results", whom) : null,
      group.role === "owner" && member.state !== "removed"
        ? h("button", { type: "button", class: "small danger", onclick: () => remove(member) }, "Remove", whom.cloneNode(true))
        : null);
  }

  function memberTable() {
    const names = new Map(members.map((each) => [each.memberId, each.name]));
    const here = members.filter((each) => each.state !== "removed" && each.state !== "left");
    const gone = members.filter((each) => !here.includes(each));
    const heads = [{ text: "Name" }, { text: "Role" }, { text: "Invited by" }, { text: "Actions", hidden: true }];
    const rows = (list) => list.map((each) => ({
      key: each.memberId, class: each.me ? "me" : null,
      cells: [
        [name(each.name), " ", each.me ? h("span", { class: "tag" }, "you") : null,
          states[each.state] ? h("span", { class: "tag plain" }, states[each.state]) : null,
          each.confirmed || states[each.state] ? null : h("span", { class: "tag plain" }, "new")],
        role(each), each.cameBy ? name(names.get(each.cameBy) ?? "a former member") : "–", actions(each),
      ],
    }));
    return h("section", { "aria-labelledby": "members" }, h("h2", { id: "members" }, "Members"),
      table("Members of the group", heads, rows(here), { cards: "cards" }),
      gone.length > 0 ? h("details", null, h("summary", null, `${count(gone.length, "former member")}`),
        table("Former members of the group", heads, rows(gone), { cards: "cards" })) : null);
  }

  // MARK: The group itself

  const rename = (event) => {
    event.preventDefault();
    const wanted = new FormData(event.target).get("group-title").trim();
    return act(() => request("PATCH", path(), app.query(), { title: wanted }), `The group is now called ${wanted}.`);
  };

  const renameMe = (event) => {
    event.preventDefault();
    const wanted = new FormData(event.target).get("own-name").trim();
    return act(() => put(path("/name"), { name: wanted }, app.query()), `You are now called ${wanted} in this group.`);
  };

  async function leave() {
    const isWanted = await confirm(`Leave ${group.title}?`,
      "This deletes the group’s data on this device, but a file with your own results. The others keep what you posted. "
      + "To come back you need a new invitation.", "Leave");
    if (!isWanted) return;
    await leaveBy(() => post(path("/leave"), {}, app.query()));
  }

  async function close() {
    const isWanted = await confirm(`Close ${group.title} for everyone?`,
      "For good. Each member keeps a copy that can only be read.", "Close the group");
    if (isWanted) await act(() => end(path(), app.query()), "The group is closed.");
  }

  // Afterwards the group is not here any more.
  async function leaveBy(body) {
    try {
      await body();
      location.hash = "#/leaderboards";
    } catch (error) {
      tell(error.message, true);
    }
  }

  const named = (id, label, value, submit) => h("form", { class: "row low", onsubmit: submit },
    h("div", { class: "field" }, h("label", { for: id }, label),
      h("input", { id, name: id, value, required: true, maxlength: "80", autocomplete: "off" })),
    h("button", { type: "submit" }, "Rename"));

  const isMember = () => ["owner", "admin", "member", "viewer"].includes(group.role) && group.state === "joined";

  const itself = () => h("section", { "aria-labelledby": "itself" }, h("h2", { id: "itself" }, "This group"),
    h("div", { class: "card stack" },
      isMember() ? named("own-name", "Your name here", group.name ?? "", renameMe) : null,
      group.role === "owner" && isMember() ? named("group-title", "Name of the group", group.title, rename) : null,
      leads() && isMember() ? h("details", null, h("summary", null, "Add a game"),
        joining.gameForm(app, group, async () => { await read(); render(); }), joining.outcome()) : null,
      h("div", { class: "row" }, group.role === "owner" && isMember()
        ? h("button", { type: "button", class: "danger", onclick: close }, "Close the group")
        : h("button", { type: "button", class: "danger", onclick: leave }, "Leave the group"))));

  function render() {
    if (!group) return;
    show(main, h("p", null, h("a", { href: `#/leaderboards/${group.groupId}` }, "Back to the board")),
      h("div", { class: "stack" }, h("h1", null, "Members of ", name(group.title)),
        group.description ? h("p", { class: "lead wrap" }, name(group.description)) : null,
        h("p", { class: "lead" }, `${count(group.members, "member")}. `, group.role === "owner" ? "You are the owner." :
          `You are ${group.role === "admin" ? "an" : "a"} ${group.role}.`),
        group.state === "joined" ? null : h("p", { class: "warn" }, marked(sentence(capital(group.sentence))))),
      h("p", { class: `said ${said.bad ? "bad" : ""}` }, said.text),
      asOf(app), memberTable(), invitations(), itself());
  }

  return {
    lost: render,
    async update() {
      if (await read()) render();
    },
  };
}
