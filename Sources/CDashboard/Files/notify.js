// Notifications of this browser, from what the node finds worth one. They come while a tab with this page is open.
import { watch } from "./api.js";
import { clean, h } from "./dom.js";

const kinds = [
  ["message", "New messages"], ["score", "Results of others"], ["overtaken", "Somebody overtakes you"],
  ["streak", "A streak is about to end"],
];
const stored = "notifies";

const wanted = () => new Set((localStorage.getItem(stored) ?? "").split(" ").filter(Boolean));
const isPossible = () => "Notification" in window;
const isOn = () => isPossible() && Notification.permission === "granted" && wanted().size > 0;

let stream = null;
// The account and the kinds that the stream follows.
let followed = null;

// Follows the account's notices, if the user wants some. Called whenever either may have changed.
export function listen(app) {
  const key = isOn() && app.account?.deviceId ? `${app.account.accountId} ${[...wanted()].join(" ")}` : null;
  if (key === followed) return;
  stream?.abort();
  followed = key;
  if (key === null) return;
  stream = new AbortController();
  watch("/v1/notices", app.query({ follow: true, kind: [...wanted()].join(" ") }), stream.signal, tell);
}

export function stop() {
  stream?.abort();
  followed = null;
}

// Names and titles stay out of it where the page hides them.
function text(notice) {
  const isHidden = localStorage.getItem("hides-titles") === "yes";
  return isHidden && notice.kind === "message" ? "New message" : notice.text;
}

function tell(notice) {
  // A user who looks at the page sees it there.
  if (!document.hidden && document.hasFocus()) return;
  const place = notice.conversationId ? `#/conversations/${encodeURIComponent(notice.conversationId)}`
    : `#/leaderboards/${notice.groupId}`;
  const shown = new Notification(clean(text(notice)), { tag: place + notice.kind, icon: "icon-192.png" });
  shown.onclick = () => {
    window.focus();
    location.hash = place;
    shown.close();
  };
}

// The part of the settings. `changed` is called when the user has chosen.
export function section(app, changed) {
  const choose = (kind, isWanted) => {
    const chosen = wanted();
    if (isWanted) chosen.add(kind);
    else chosen.delete(kind);
    localStorage.setItem(stored, [...chosen].join(" "));
    listen(app);
    changed();
  };
  const ask = async () => {
    // Browsers ask their user only after a click.
    if (await Notification.requestPermission() === "granted") {
      localStorage.setItem(stored, kinds.map(([kind]) => kind).join(" "));
      listen(app);
    }
    changed();
  };
  const content = !isPossible() ? h("p", { class: "soft" }, "This browser has none.")
    : Notification.permission === "denied"
      ? h("p", { class: "soft" }, "This browser does not allow them for this page. Its settings for the page can change that.")
      : Notification.permission === "default"
        ? [h("p", { class: "soft" }, "While a tab with this page is open, also in the background."),
          h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: ask }, "Allow notifications"))]
        : h("ul", { class: "stack tight" }, kinds.map(([kind, what]) => h("li", { "data-key": kind },
          h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: wanted().has(kind),
            onchange: (event) => choose(kind, event.target.checked) }), what))));
  return h("section", { "aria-labelledby": "notifications" }, h("h2", { id: "notifications" }, "Notifications"),
    h("div", { class: "card stack" }, content));
}
