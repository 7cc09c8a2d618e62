// Copies of what is here, as files of this browser: of the whole device, or of an account's messages.
import { download } from "./api.js";
import { announce, command, h } from "./dom.js";
import { bytes, number, sentence, since } from "./words.js";

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

// `take` gives of a line what belongs to the file, and the percentage that is here by then.
const kinds = {
  device: {
    path: "/v1/backup", ending: "backup", type: "application/octet-stream", button: "Download a backup",
    take: (line) => {
      const piece = JSON.parse(line);
      return [bytesOf(piece.bytes), piece.percent];
    },
  },
  messages: {
    path: "/v1/export/state", ending: "jsonl", type: "application/x-ndjson", button: "Download all messages",
    // Lines about conversations come behind the messages.
    take: (line, lines, app) => [`${line}\n`, Math.min(99, Math.floor((lines / Math.max(1, app.account.messages)) * 100))],
  },
};

// `showAll` renders the view again.
export function open(app, showAll) {
  // While a download runs: its kind, and how much of it is here.
  let running = null;
  // The last download: its kind, and the size of its file or why it failed.
  let said = null;

  async function start(kind) {
    if (running) return;
    const { path, ending, type, take } = kinds[kind];
    const stop = new AbortController();
    running = { kind, lines: 0, bytes: 0, percent: 0, stop };
    said = null;
    showAll();
    let shownAt = 0;
    try {
      const parts = await download(path, kind === "device" ? {} : app.query(), stop.signal, (line) => {
        running.lines += 1;
        const [part, percent] = take(line, running.lines, app);
        running.bytes += part.length;
        running.percent = percent;
        // To show each line would take longer than to read it.
        if (Date.now() - shownAt >= 200) {
          shownAt = Date.now();
          showAll();
        }
        return part;
      });
      const day = new Date().toISOString().slice(0, 10);
      const file = new Blob(parts, { type });
      const target = URL.createObjectURL(file);
      h("a", { href: target, download: `kachat-${day}.${ending}` }).click();
      setTimeout(() => URL.revokeObjectURL(target), 60000);
      const lines = kind === "messages" ? `${number(parts.length)} lines, ` : "";
      said = { kind, text: `Complete: ${lines}${bytes(file.size)}, in your downloads.` };
    } catch (error) {
      said = { kind, isBad: true, text: stop.signal.aborted ? "Stopped: nothing was saved." : sentence(error.message) };
    }
    announce(said.text);
    running = null;
    await app.guarded(app.refresh);
    showAll();
  }

  function state(kind) {
    if (running?.kind === kind) {
      const { percent } = running;
      const text = bytes(running.bytes);
      return [h("div", { class: "bar", role: "progressbar", "aria-label": "Download", "aria-valuemin": "0", "aria-valuemax": "100",
        "aria-valuenow": String(percent), "aria-valuetext": text }, h("span", { "width%": percent })),
      h("div", { class: "row" }, h("span", { class: "small" }, `${percent} %: ${text}`),
        h("button", { type: "button", class: "small", onclick: () => running?.stop.abort() }, "Stop"))];
    }
    return [h("div", { class: "row" }, h("button", { type: "button", class: "main", disabled: running !== null,
      onclick: () => start(kind) }, kinds[kind].button)),
    said?.kind === kind ? h("p", { class: said.isBad ? "bad" : "good" }, said.text) : null];
  }

  const section = () => h("section", { "aria-labelledby": "backup" }, h("h2", { id: "backup" }, "Backup"),
    h("div", { class: "card stack" },
      h("p", { class: "soft" }, "The whole device as one file, from which ", command("kachat-node restore FILE"), " makes a new "
        + "device. It has this device's keys: keep it safe. It has no recovery phrase."),
      state("device"),
      h("p", { class: "small soft" }, app.status.backupAt ? ["The last backup was made ", since(app.status.backupAt), "."]
        : "There is no backup yet.")),
    h("div", { class: "card stack" },
      h("p", { class: "soft" }, "Messages, with titles, read positions and deletions, as one file, which ",
        command("kachat-node import"), " reads on any device. It is not encrypted, and has no keys and no leaderboards."),
      state("messages")));

  return { section };
}
