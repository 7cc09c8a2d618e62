// Elements without markup: every text from a node, a peer or a member becomes a text node.

// Control and directional characters are replaced.
const hostile = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/gu;

export const clean = (text) => String(text).replace(hostile, "\uFFFD");

const svgSpace = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element[name] = value;
    else if (name === "width%") element.style.width = `${value}%`;
    else element.setAttribute(name, value === true ? "" : clean(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(clean(child)));
  }
  return element;
}

export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
export const svg = (tag, properties, ...children) =>
  fill(document.createElementNS(svgSpace, tag), properties, children);

// A name chosen by others: its text direction stays contained.
export const name = (text) => h("bdi", null, text);

// A command: it wraps between words, not at the hyphens of options.
export const command = (text) => h("code", null,
  text.split(/([ \n])/).map((part) => (part.trim() ? h("span", { class: "word" }, part) : part)));

// A sentence from the node, with commands between backticks.
export const marked = (text) => text.split("`").map((part, index) => (index % 2 === 1 ? command(part) : part));

// A command to be run in a terminal, with a button that copies it.
export const copyable = (text) => h("span", { class: "copyable" }, command(text),
  h("button", { type: "button", class: "small", onclick: async (event) => {
    const said = await navigator.clipboard.writeText(text).then(() => "Copied", () => "Not allowed");
    event.target.lastChild.textContent = said;
    announce(`${said}.`);
    setTimeout(() => { event.target.lastChild.textContent = "Copy"; }, 2000);
  } }, h("span", { class: "unseen" }, "Copy the command: "), h("span", null, "Copy")));

// The same sentence, with a button for each of its commands.
export const advice = (text) => text.replace(/`\.$/, "`").split("`").map((part, index) => (index % 2 === 1 ? copyable(part) : part));

const handlers = ["onclick", "onchange", "onsubmit", "oninput", "onkeydown"];

// Makes `old` look like `made` but keeps its elements, so that focus, selection and typed text stay.
export function morph(old, made) {
  const isSame = old.nodeType === made.nodeType && old.nodeName === made.nodeName
    && (old.nodeType !== 1 || old.getAttribute("data-key") === made.getAttribute("data-key"));
  if (!isSame) return old.replaceWith(made);
  if (old.nodeType !== 1) {
    if (old.data !== made.data) old.data = made.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    // `open` belongs to the reader, `tabindex` to scrolling elements.
    if (!made.hasAttribute(name) && !["open", "tabindex"].includes(name)) old.removeAttribute(name);
  }
  for (const { name, value } of made.attributes) {
    // The attribute would be an inline style, which the page's policy refuses.
    if (name === "style") old.style.cssText = made.style.cssText;
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const handler of handlers) old[handler] = made[handler];
  morphChildren(old, [...made.childNodes]);
}

function morphChildren(parent, wanted) {
  wanted.forEach((child, index) => {
    const present = parent.childNodes[index];
    if (present) morph(present, child);
    else parent.append(child);
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild.remove();
}

// Shows the children in the element, with as few changes as possible.
export const show = (element, ...children) => {
  const made = h("div", null, ...children);
  const refocus = focusKeeper(element);
  morphChildren(element, [...made.childNodes]);
  // A browser keeps showing the user's choice until it is set explicitly.
  for (const field of element.querySelectorAll("select[data-shows]")) field.value = field.dataset.shows;
  refocus();
  reachable(element);
};

// If rows change places, the focus moves with its row.
function focusKeeper(element) {
  const focused = document.activeElement;
  const row = element.contains(focused) ? focused.closest("[data-key]") : null;
  if (!row) return () => {};
  const fields = (place) => [...place.querySelectorAll("a, button, input, select")];
  const [key, index] = [row.dataset.key, fields(row).indexOf(focused)];
  return () => {
    if (focused.isConnected && focused.closest("[data-key]")?.dataset.key === key) return;
    const now = element.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (now) fields(now)[index]?.focus({ preventScroll: true });
  };
}

// Makes scrolling elements reachable with the keyboard.
export function reachable(element) {
  for (const area of element.querySelectorAll(".scroll")) {
    const scrolls = area.scrollWidth > area.clientWidth || area.scrollHeight > area.clientHeight;
    if (scrolls) area.setAttribute("tabindex", "0");
    else area.removeAttribute("tabindex");
  }
}

// Announces a text to a screen reader, after the current one.
export function announce(text) {
  const region = document.getElementById("live");
  if (region.textContent !== text) region.textContent = clean(text);
}

// Asks before an irreversible action. Returns true if confirmed.
export function confirm(title, text, verb) {
  return new Promise((resolve) => {
    const close = (answer) => {
      dialog.close();
      dialog.remove();
      before?.focus();
      resolve(answer);
    };
    const before = document.activeElement;
    const dialog = h("dialog", { "aria-labelledby": "dialog-title", "aria-describedby": "dialog-text" },
      h("h2", { id: "dialog-title" }, title),
      h("p", { id: "dialog-text" }, text),
      h("div", { class: "row end" },
        h("button", { type: "button", onclick: () => close(false) }, "Cancel"),
        h("button", { type: "button", class: "danger", onclick: () => close(true) }, verb)));
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(false);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
