// Gives the account to a device in the room, or takes one from there: both show six digits, and the user confirms on
// each that they are the same.
import { end, get, lines, post } from "./api.js";
import { announce, command, h, name } from "./dom.js";
import { capital, sentence, until } from "./words.js";

const isOver = (state) => ["none", "done", "over"].includes(state);

const goals = {
  give: {
    path: "/v1/pairing", head: "In the same room", verb: "Pair a device", other: "kachat-node account pair --join",
    lead: "Both devices show six digits. Compare them, and confirm on each that they are the same. No phrase is typed.",
    moving: "Both agree. Sending the account.", done: "The other device now has the account. It fetches everything automatically.",
  },
  take: {
    path: "/v1/pairing/join", head: "Take an account from a device in the room", verb: "Take an account",
    other: "kachat-node account pair",
    lead: "Start it on both devices. Both show six digits: compare them, and confirm on each that they are the same.",
    moving: "Both agree. Receiving the account.", done: "This device now has the account, and fetches everything.",
  },
};

// `showAll` renders the view again; the section is `pairing.section()`. `goal`: `give` or `take`.
export function open(app, showAll, goal = "give") {
  const { path, head, verb, other, lead, moving, done } = goals[goal];
  // The pairing's state according to the node; null before the first answer.
  let now = null;
  let endsAt = 0;
  let said = { text: "", bad: false };
  // This page started the pairing; otherwise another page or program may have one.
  let isOwn = false;

  const goesOn = () => now !== null && !isOver(now.state);

  function take(value) {
    if (value.error) {
      now = { state: "over" };
      tell(capital(value.error.detail), true);
      return;
    }
    const before = now?.state;
    now = value;
    if (value.secondsLeft !== undefined) endsAt = Date.now() + value.secondsLeft * 1000;
    if (value.state === "done") tell(done);
    showAll();
    if (value.state !== "comparing" || before === "comparing") return;
    announce(`The digits are ${[...value.digits].join(" ")}.`);
    document.getElementById(value.lastTry ? "theirs" : "same")?.focus();
  }

  function tell(text, bad = false) {
    said = { text, bad };
    announce(text);
    showAll();
  }

  async function start() {
    said = { text: "", bad: false };
    isOwn = true;
    now = { state: "seeking", triesLeft: 3 };
    endsAt = Date.now() + 120000;
    showAll();
    try {
      await lines(path, goal === "give" ? app.query() : {}, take);
    } catch (error) {
      now = null;
      tell(error.message, true);
    }
    isOwn = false;
    showAll();
  }

  async function say(what, body) {
    try {
      await post(`/v1/pairing/${what}`, body);
    } catch (error) {
      tell(error.message, true);
    }
  }

  async function stop() {
    await end("/v1/pairing").catch((error) => tell(error.message, true));
    if (!isOwn) await read();
    showAll();
  }

  // A pairing started by another page or program is shown, too, and can be stopped.
  async function read() {
    if (isOwn) return;
    const value = await get("/v1/pairing");
    if (!isOwn) now = value;
    if (now.secondsLeft !== undefined) endsAt = Date.now() + now.secondsLeft * 1000;
  }

  const button = (text, onclick, properties) => h("button", { type: "button", onclick, ...properties }, text);

  const who = () => [h("strong", null, name(now.peer ?? "The other device")),
    now.tag ? h("span", { class: "soft" }, ` (${now.tag})`) : null];

  const digits = () => h("p", { class: "digits" }, now.digits.slice(0, 3), " ", now.digits.slice(3));

  const comparing = () => [
    h("p", null, "Does ", who(), " show the same digits?"), digits(),
    h("div", { class: "row" },
      button("They are the same", () => say("confirm", { digits: now.digits }), { class: "main", id: "same" }),
      button("They differ", () => say("refuse"), { class: "danger" }))];

  // Other digits stood here before, so a click may have meant those.
  const typing = () => [
    h("p", null, "Which digits does ", who(), " show now? This device shows"), digits(),
    h("form", { class: "row low", onsubmit: compare },
      h("div", { class: "field" }, h("label", { for: "theirs" }, "Digits on the other display"),
        h("input", { id: "theirs", name: "theirs", inputmode: "numeric", pattern: "[0-9]{3} ?[0-9]{3}", required: true,
          autocomplete: "off" })),
      h("button", { type: "submit", class: "main" }, "Compare"),
      button("They differ", () => say("refuse"), { class: "danger" }))];

  function compare(event) {
    event.preventDefault();
    say("confirm", { digits: new FormData(event.target).get("theirs").replaceAll(" ", "") });
  }

  function step() {
    switch (now.state) {
      case "choosing":
        return [
          h("p", null, "There is more than one device. Choose the one that shows the same four characters."),
          h("div", { class: "row" }, now.peers.map((peer) =>
            button([name(peer.name), ` (${peer.tag})`], () => say("choose", { tag: peer.tag })))),
        ];
      case "waiting": return h("p", null, who(), " is here, but has not chosen this device yet.");
      case "comparing": return now.lastTry ? typing() : comparing();
      case "confirmed": return h("p", null, "Waiting for ", who(), " to agree.");
      case "moving": return h("p", null, moving);
      default:
        return [h("p", null, "Looking for the other device. Start it there:"),
          h("pre", null, command(other))];
    }
  }

  const failure = () => now.lastTry && h("p", { class: "warn" }, `That try failed: ${now.lastTry}. `,
    now.triesLeft === 1 ? "1 try is left. " : `${now.triesLeft} tries are left. `,
    "If neither of you made a mistake, someone may be intercepting the connection: stop here.");

  const progress = () => [failure(), step(), h("div", { class: "row" },
    button("Stop", stop, { class: "small" }),
    h("span", { class: "small soft" }, "Both devices are visible for ", until(endsAt, "a moment"), "."))];

  const beginning = () => [
    h("p", { class: "soft" }, lead), h("div", { class: "row" }, button(verb, start, { class: goal === "give" ? "main" : null }))];

  const section = () => h("div", { class: goal === "give" ? "card stack" : "stack" }, h("h3", null, head),
    goesOn() ? progress() : beginning(),
    h("p", { class: `said small ${said.bad ? "bad" : ""}` }, sentence(said.text)));

  return {
    section, read,
    // Leaving the view ends the pairing.
    close() {
      if (isOwn && goesOn()) end("/v1/pairing").catch(() => {});
    },
  };
}
