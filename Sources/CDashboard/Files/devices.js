// The account's devices: how each was found, how far it is synced, and the actions on it.
import { get, request } from "./api.js";
import * as pairing from "./pairing.js";
import { announce, command, confirm, h, name, show } from "./dom.js";
import { table } from "./chart.js";
import { asOf, holdsUpTo, ownHold, seenNow } from "./health.js";
import { capital, deviceName, since } from "./words.js";

export const title = "Devices";

// Asks before a device is forgotten. Only the recovery phrase shuts one out, and no page asks for that.
export function mayForget(app, device) {
  return confirm(`Forget ${deviceName(device)}?`,
    ["It is out of use, and nothing waits for it any more. Its messages stay. This shuts nobody out: if the device was ",
      "lost or stolen, run this in a terminal instead, with your recovery phrase: ",
      h("code", {}, app.line(`device remove ${device.deviceId.slice(0, 8)}`, true))], "Forget it");
}

const ways = {
  beacon: "by itself, on the local network", static: "at an address you gave", remembered: "at a remembered address",
  incoming: "it connected to this device",
};
const states = { connecting: "connecting", known: "not tried yet", unreachable: "does not answer", busy: "busy" };

export function open(main, app) {
  let devices = [];
  let address = null;
  let said = { text: "", bad: false };
  // The device being renamed; null for this one.
  let renamed = null;
  const pair = pairing.open(app, () => render());

  async function read() {
    [devices, address] = await Promise.all([
      get("/v1/devices", app.query()).then((list) => list.items), get("/v1/device/address", { qr: true }), pair.read(),
    ]);
  }

  async function act(body, done) {
    try {
      await body();
      said = { text: done, bad: false };
      await read();
    } catch (error) {
      said = { text: error.message, bad: true };
    }
    announce(said.text);
    render();
  }

  async function forget(device) {
    if (!await mayForget(app, device)) return;
    // The field may be about the one that goes.
    if (renamed === device.deviceId) renamed = null;
    await act(() => request("DELETE", `/v1/devices/${device.deviceId}`, app.query()),
      `${deviceName(device)} was forgotten.`);
  }

  // Renaming this device renames it in all accounts; renaming another one, in this account.
  function rename(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const wanted = form.get("name").trim();
    if (!wanted) return;
    const device = devices.find((each) => each.deviceId === renamed);
    if (!device || device.thisDevice) {
      act(() => request("PATCH", "/v1/device", {}, { name: wanted }), `This device is now called ${wanted}.`);
    } else {
      act(() => request("PATCH", `/v1/devices/${device.deviceId}`, app.query(), { name: wanted }),
        `${deviceName(device)} is now called ${wanted}.`);
    }
  }

  function choose(device) {
    renamed = device.deviceId;
    render();
    const field = document.getElementById("name");
    field.value = deviceName(device);
    field.focus();
    field.select();
  }

  function renaming() {
    const device = devices.find((each) => each.deviceId === renamed) ?? devices.find((each) => each.thisDevice);
    const isThis = device?.thisDevice ?? true;
    // A new field for each device, so that text typed for one is not used for the next.
    return h("section", { "aria-labelledby": "renaming" },
      h("h2", { id: "renaming" }, isThis ? "Name of this device" : ["New name for ", name(deviceName(device))]),
      h("form", { class: "row low", onsubmit: rename },
        h("div", { class: "field" }, h("label", { for: "name" }, isThis ? "Name on your other devices"
          : "Name on all your devices"),
        h("input", { id: "name", name: "name", "data-key": device?.deviceId, value: device ? deviceName(device) : app.status.name, maxlength: "60",
          required: true, autocomplete: "off" })),
        h("button", { type: "submit" }, "Rename")));
  }

  const peers = () => app.status.peers.filter((peer) => peer.accountId === app.account?.accountId);

  function row(device) {
    const lanes = device.lanes ?? [];
    const peer = peers().find((each) => each.deviceId && lanes.includes(each.deviceId));
    const report = app.account.devices?.find((each) => lanes.includes(each.deviceId));
    return {
      key: device.deviceId,
      cells: [
        [name(deviceName(device)), " ", device.thisDevice ? h("span", { class: "tag" }, "this device") : null,
          gone[device.state] ? h("span", { class: "tag" }, gone[device.state]) : null,
          h("div", { class: "small soft wrap" }, came(device)),
          device.appVersion ? h("div", { class: "small soft" }, `Version ${device.appVersion}`) : null],
        device.thisDevice ? "–" : peer ? [capital(ways[peer.foundBy] ?? "unknown"),
          h("div", { class: "small soft wrap" }, peer.address, roundTrip(peer))] : "not found",
        device.thisDevice || peer?.state === "connected" ? seenNow(app) : since(report?.seenAt ?? device.lastSeenAt),
        device.thisDevice ? ownHold(app) : holdsUpTo(app, report),
        !device.deviceId ? null : h("div", { class: "row actions" },
          h("button", { type: "button", class: "small", onclick: () => choose(device) }, "Rename",
            h("span", { class: "unseen" }, ` ${deviceName(device)}`)),
          device.thisDevice || gone[device.state] ? null
            : h("button", { type: "button", class: "small danger", onclick: () => forget(device) }, "Forget",
              h("span", { class: "unseen" }, ` ${deviceName(device)}`))),
      ],
    };
  }

  function others() {
    const known = new Set(devices.flatMap((device) => device.lanes ?? []));
    const list = peers().filter((peer) => peer.state !== "connected" && !known.has(peer.deviceId));
    if (list.length === 0) return null;
    return h("section", { "aria-labelledby": "addresses" }, h("h2", { id: "addresses" }, "Other addresses"),
      table("Addresses at which no device has answered", [{ text: "Address" }, { text: "Found" }, { text: "State" }],
        list.map((peer) => ({
          key: peer.address, cells: [peer.address, capital(ways[peer.foundBy] ?? ""), states[peer.state] ?? peer.state],
        }))));
  }

  function adding() {
    const text = address?.text;
    const option = text ? `--peer ${address.addresses[0]}` : "";
    return h("section", { "aria-labelledby": "adding" }, h("h2", { id: "adding" }, "Add a device"), pair.section(),
      h("div", { class: "card stack" }, h("h3", null, "With the recovery phrase"),
        h("div", { class: "ticket" },
          address?.qr ? h("img", { src: picture(address.qr), alt: `QR code of this device's address, ${text}` }) : null,
          h("ol", { class: "steps" },
            h("li", null, h("div", null, "Install kachat-node on the other device.")),
            h("li", null, h("div", null, "Give it the account’s recovery phrase, which you have written down: ",
              command("kachat-node init --phrase-file FILE"), ".")),
            h("li", null, h("div", null, "Start it: ", command("kachat-node run"),
              ". On the same network the two find each other within seconds.")),
            text ? h("li", null, h("div", null, "If they do not, give it this device’s address",
              address.qr ? ", which is in the code" : "", ": ",
              command(`kachat-node run ${option}`))) : null))));
  }

  function render() {
    if (!app.account) return show(main, h("h1", null, title), h("p", { class: "lead" }, "There is no account yet."));
    const heads = [{ text: "Device" }, { text: "Found" }, { text: "Last seen" },
      { text: "Holds everything up to" }, { text: "Actions", hidden: true }];
    show(main, h("h1", null, title),
      h("section", { "aria-labelledby": "known" }, h("h2", { id: "known" }, "Devices of this account"), asOf(app),
        table("Devices of this account", heads, devices.map(row), { cards: "cards" }),
        devices.length < 2 ? h("p", { class: "hint" }, "There is no other device yet. Add one as described below.") : null,
        h("p", { class: `said small ${said.bad ? "bad" : ""}` }, said.text)),
      renaming(),
      adding(), others());
  }

  return {
    close: () => pair.close(),
    // The devices are unknown if the view could not be loaded.
    lost: () => { if (address !== null) render(); else show(main, h("h1", null, title), asOf(app)); },
    async update(change) {
      if (address === null || ["route", "device", "account", "sync", "here", "more"].includes(change)) await read();
      else if (app.account) await pair.read();
      render();
    },
  };
}

// Devices that do not belong to the account any more, or not under this id.
const gone = { removed: "removed", forgotten: "forgotten", lapsed: "lapsed", left: "left", displaced: "no place", succeeded: "started afresh" };

// The device that let it in, and when this device learned of that.
function came(device) {
  if (device.state === "removed") return device.removedAt ? ["Heard of its removal ", since(device.removedAt)] : null;
  if (!device.enteredBy) return null;
  const by = device.enteredBy === "phrase" ? "the recovery phrase"
    : name(device.enteredByName ?? `device ${device.enteredBy.slice(0, 8)}`);
  return ["Let in by ", by, device.enteredAt ? [", ", since(device.enteredAt)] : null];
}

const roundTrip = (peer) =>
  (peer.roundTripMicroseconds ? `, ${(peer.roundTripMicroseconds / 1000).toFixed(1)} ms away` : "");

export const picture = (text) => `data:image/svg+xml,${encodeURIComponent(text)}`;
