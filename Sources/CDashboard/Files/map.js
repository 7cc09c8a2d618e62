// A map of an account's devices: a line from this one to each other, and in each a ring of how much it holds.
import { clean, h, svg } from "./dom.js";
import { isLost } from "./health.js";
import { deviceName } from "./words.js";

// As many as stand on the map without touching; the table below it has all.
const mostShown = 8;
// In milliseconds: a device that was away for longer is likely to stay away.
const goneAfter = 7 * 86400000;

// The look of the line to another device, and the word for it.
function line(app, device) {
  if (isLost(app)) return ["unknown", "unknown"];
  if (device.connected) return ["live", "here now"];
  if (device.seenAt && Date.now() - device.seenAt < goneAfter) return ["stale", "away"];
  return ["far", device.seenAt ? "away for long" : "never came"];
}

// The share of everything known here that a device holds, in percent; null if unknown.
function holding(app, device) {
  const { account } = app;
  if (isLost(app) || (device.thisDevice && account.wantedBlobs > 0 && account.progress.counting)) return null;
  // A device that holds everything from here still lacks what is missing here.
  return device.holdsPercent === null ? null : Math.min(device.holdsPercent, account.verdict === "incomplete" ? 99 : 100);
}

// `away, 92 %`: where a device is, and how much it holds.
function about(app, device) {
  const part = holding(app, device);
  return [device.thisDevice ? "this device" : line(app, device)[1], part === null ? null : `${part}\u00A0%`]
    .filter(Boolean).join(", ");
}

const short = (text) => {
  const letters = [...clean(text)];
  return letters.length > 14 ? `${letters.slice(0, 13).join("")}…` : letters.join("");
};

// The name stands `above`, `below` or `beside` the ring: where no line goes.
const sides = {
  above: ["middle", 0, -34, -50], below: ["middle", 0, 44, 60], beside: ["start", 34, -2, 14],
};

function node(app, device, x, y, side) {
  const [anchor, left, first, second] = sides[side];
  const kind = device.thisDevice ? "self" : line(app, device)[0];
  const part = holding(app, device);
  const [radius, around] = [24, 2 * Math.PI * 24];
  return svg("g", { class: `device ${kind}`, transform: `translate(${x} ${y})` },
    svg("circle", { class: "ground", r: radius }),
    part === null ? svg("circle", { class: "ring unknown", r: radius })
      : svg("circle", { class: `ring ${part === 100 ? "whole" : "part"}`, r: radius, transform: "rotate(-90)",
        "stroke-dasharray": `${((part / 100) * around).toFixed(1)} ${around.toFixed(1)}` }),
    // Nothing says which of them is a phone.
    svg("path", { class: "sign", d: "M-9 -7H9V5H-9zM-13 9H13" }),
    svg("text", { x: left, y: first, "text-anchor": anchor }, short(deviceName(device))),
    svg("text", { class: "small", x: left, y: second, "text-anchor": anchor }, about(app, device)));
}

export function deviceMap(app) {
  const { devices } = app.account;
  const self = devices.find((each) => each.thisDevice);
  const others = devices.filter((each) => !each.thisDevice).slice(0, mostShown);
  if (!self || others.length === 0) return null;
  const isNarrow = document.documentElement.clientWidth < 640;
  const [width, rows] = [isNarrow ? 340 : 720, others.length > (isNarrow ? 2 : 4) ? 2 : 1];
  const height = rows === 1 ? 230 : 350;
  // Others stand below this one, and above it where one row is too short.
  const lower = others.slice(0, Math.ceil(others.length / rows));
  const upper = others.slice(lower.length);
  const middle = rows === 1 ? 66 : 175;
  const placed = [[lower, height - 74], [upper, 74]].flatMap(([row, y]) => row.map((device, index) => ({
    device, x: (width * (index + 0.5)) / row.length, y })));
  const words = others.map((each) => `${deviceName(each)}: ${about(app, each)}`).join("; ");
  return h("figure", { class: "card map" },
    svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Your devices. ${words}` },
      placed.map(({ device, x, y }) =>
        svg("path", { class: `line ${line(app, device)[0]}`, d: `M${width / 2} ${middle}L${x} ${y}` })),
      placed.map(({ device, x, y }) => node(app, device, x, y, y > middle ? "below" : "above")),
      node(app, self, width / 2, middle, rows > 1 ? "beside" : "above")),
    h("figcaption", { class: "small soft" }, "A ring shows how much a device is known to hold of all that this one knows. Lines: ",
      h("span", { class: "legend live" }, "connected"), " ", h("span", { class: "legend stale" }, "away"), " ",
      h("span", { class: "legend far" }, "away for more than a week")));
}
