// Handing the account to a device in the room: both show six digits, and the user says on each that they are the same.
import { end, get, lines, post } from "./api.js";
import { announce, command, h, name } from "./dom.js";
import { capital, sentence, until } from "./words.js";

const isOver = (state) => ["none", "done", "over"].includes(state);

// `showAll` renders the view anew; the section is `pairing.section()`.
export function open(app, showAll) {
  // Where it stands, as the node says; null before anything was asked.
  let now = null;
  let endsAt = 0;
  let said = { text: "", bad: false };
  // This page holds the pairing; else another page or program may have begun one.
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
    if (value.state === "done") tell("The other device has the account now. It fetches everything by itself.");
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
      await lines("/v1/pairing", app.query(), take);
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

  // What another page or program has begun is shown, too, and can be stopped.
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

  // Other digits stood here before: a click that was meant for those says nothing of these.
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
          h("p", null, "More than one device is here. Which one is meant? The four characters stand on its display too."),
          h("div", { class: "row" }, now.peers.map((peer) =>
            button([name(peer.name), ` (${peer.tag})`], () => say("choose", { tag: peer.tag })))),
        ];
      case "waiting": return h("p", null, who(), " is here, and has not chosen this device yet.");
      case "comparing": return now.lastTry ? typing() : comparing();
      case "confirmed": return h("p", null, "Now ", who(), " has to agree, too.");
      case "moving": return h("p", null, "Both agree. The account is on its way.");
      default:
        return [h("p", null, "Looking for the other device. Start it there:"),
          h("pre", null, command("kachat-node account pair --join"))];
    }
  }

  const failure = () => now.lastTry && h("p", { class: "warn" }, `That try came to nothing: ${now.lastTry}. `,
    now.triesLeft === 1 ? "1 try is left. " : `${now.triesLeft} tries are left. `,
    "If nobody was mistaken, somebody may stand between the devices: do not go on then.");

  const progress = () => [failure(), step(), h("div", { class: "row" },
    button("Stop", stop, { class: "small" }),
    h("span", { class: "small soft" }, "Both devices can be seen for ", until(endsAt, "a moment"), "."))];

  const beginning = () => [
    h("p", { class: "soft" }, "Both devices show six digits; you compare them, and say on each that they are the same. ",
      "No phrase is typed."),
    h("div", { class: "row" }, button("Pair a device", start, { class: "main" }))];

  const section = () => h("div", { class: "card stack" }, h("h3", null, "In the same room"),
    goesOn() ? progress() : beginning(),
    h("p", { class: `said small ${said.bad ? "bad" : ""}` }, sentence(said.text)));

  return {
    section, read,
    // Who looks at something else goes on pairing on no device.
    close() {
      if (isOwn && goesOn()) end("/v1/pairing").catch(() => {});
    },
  };
}
