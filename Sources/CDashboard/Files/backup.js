// A copy of the account's messages, as a file of this browser.
import { download } from "./api.js";
import { announce, command, h } from "./dom.js";
import { bytes, count, number, sentence, since } from "./words.js";

// `showAll` renders the view again.
export function open(app, showAll) {
  // While a download runs: how much of it is here.
  let running = null;
  let done = null;
  let failed = "";

  async function start() {
    if (running) return;
    const stop = new AbortController();
    running = { lines: 0, bytes: 0, stop };
    [done, failed] = [null, ""];
    showAll();
    let shownAt = 0;
    try {
      const lines = await download("/v1/export/state", app.query(), stop.signal, (line) => {
        running.lines += 1;
        running.bytes += line.length;
        // To show each line would take longer than to read it.
        if (Date.now() - shownAt < 200) return;
        shownAt = Date.now();
        showAll();
      });
      const day = new Date().toISOString().slice(0, 10);
      const file = new Blob(lines, { type: "application/x-ndjson" });
      const target = URL.createObjectURL(file);
      h("a", { href: target, download: `kachat-${day}.jsonl` }).click();
      setTimeout(() => URL.revokeObjectURL(target), 60000);
      done = { lines: lines.length, bytes: file.size };
      announce("The download is complete.");
    } catch (error) {
      failed = stop.signal.aborted ? "Stopped: nothing was saved." : error.message;
      announce(failed);
    }
    running = null;
    showAll();
  }

  function state() {
    if (running) {
      // Lines about conversations come behind the messages.
      const percent = Math.min(99, Math.floor((running.lines / Math.max(1, app.account.messages)) * 100));
      const text = `${number(running.lines)} lines (${bytes(running.bytes)})`;
      return [h("div", { class: "bar", role: "progressbar", "aria-label": "Download", "aria-valuemin": "0", "aria-valuemax": "100",
        "aria-valuenow": String(percent), "aria-valuetext": text }, h("span", { "width%": percent })),
      h("div", { class: "row" }, h("span", { class: "small" }, `${percent} %: ${text}`),
        h("button", { type: "button", class: "small", onclick: () => running?.stop.abort() }, "Stop"))];
    }
    return [h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: start }, "Download all messages")),
      done ? h("p", { class: "good" }, `Complete: ${count(done.lines, "line")}, ${bytes(done.bytes)}, in your downloads.`) : null,
      failed ? h("p", { class: "bad" }, sentence(failed)) : null];
  }

  const section = () => h("section", { "aria-labelledby": "backup" }, h("h2", { id: "backup" }, "Backup"),
    h("div", { class: "card stack" },
      h("p", { class: "soft" }, "Messages, with titles, read positions and deletions, as one file, which ",
        command("kachat-node import"), " reads on any device. It is not encrypted, and has no keys and no leaderboards."),
      state(),
      h("p", { class: "small soft" }, "A backup of the whole device, with its keys, is made in a terminal: ",
        command(app.line("backup FILE")), ". ", app.status.backupAt ? ["The last one was made ", since(app.status.backupAt), "."]
          : "There is none yet.")));

  return { section };
}
