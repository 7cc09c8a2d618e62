// Numbers, times and sentences for people.
import { h } from "./dom.js";

const grouped = new Intl.NumberFormat("en");
export const number = (value) => grouped.format(value ?? 0);
export const count = (value, what) => `${number(value)} ${what}${value === 1 ? "" : "s"}`;
export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");
export const sentence = (text) => (text ? capital(text) + (/[.!?]$/.test(text) ? "" : ".") : "");

export function bytes(value) {
  let rest = value ?? 0;
  for (const unit of ["B", "kB", "MB", "GB"]) {
    if (rest < 999.5) return `${rest < 9.95 && unit !== "B" ? rest.toFixed(1) : Math.round(rest)} ${unit}`;
    rest /= 1000;
  }
  return `${rest.toFixed(1)} TB`;
}

export function duration(seconds) {
  if (seconds < 90) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

// `2 days 04:05:06`, for countdowns.
export function clock(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value) => String(value).padStart(2, "0");
  const days = Math.floor(seconds / 86400);
  const time = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days > 0 ? `${count(days, "day")} ${time}` : time;
}

// A time written by others may be beyond the range of a date.
const latest = 8.64e15;
const dateOf = (at) => new Date(Math.max(-latest, Math.min(latest, at)));

const calendar = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const ago = (at) => {
  const seconds = (Date.now() - at) / 1000;
  if (seconds > 30 * 86400) return calendar.format(dateOf(at));
  return seconds < 2 ? "just now" : `${duration(seconds)} ago`;
};

const full = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });
export const moment = (at) => full.format(dateOf(at));

// A relative time that keeps itself up to date; the full date is its title.
export const since = (at) => (at ? h("time", { ...stamp(at), "data-since": at }, ago(at)) : "never");
// The date itself.
export const date = (at) => h("time", stamp(at), moment(at));
// The time left, to the second; and rounded, as `in 40 s`.
export const until = (at, over) =>
  h("time", { ...stamp(at), "data-until": at, "data-over": over }, remaining(at, over));
export const soon = (at) =>
  h("time", { ...stamp(at), "data-until": at, "data-over": "now", "data-round": true }, remaining(at, "now", true));

const stamp = (at) => ({ datetime: dateOf(at).toISOString(), title: moment(at) });
const remaining = (at, over, isRound) => {
  const rest = at - Date.now();
  if (rest <= 0) return over;
  return isRound ? `in ${duration(rest / 1000)}` : clock(rest);
};

// Updates all relative times. Called every second.
export function tick(root) {
  const write = (element, text) => {
    if (element.textContent !== text) element.textContent = text;
  };
  for (const element of root.querySelectorAll("time[data-since]")) write(element, ago(Number(element.dataset.since)));
  for (const element of root.querySelectorAll("time[data-until]")) {
    write(element, remaining(Number(element.dataset.until), element.dataset.over, "round" in element.dataset));
  }
}

// When the day of games ends: they change at midnight in UTC.
export function nextDay() {
  const next = new Date();
  next.setUTCHours(24, 0, 0, 0);
  return next;
}

// `20261121` as a date in UTC.
const days = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
export const day = (dateInt) => (dateInt ? days.format(dayStart(dateInt)) : "");
const dayStart = (dateInt) =>
  Date.UTC(Math.floor(dateInt / 10000), (Math.floor(dateInt / 100) % 100) - 1, dateInt % 100);

export const deviceName = (device) => device.name ?? `device ${(device.deviceId ?? "").slice(0, 8)}`;

// The time of day, with the full date as its title.
const hours = new Intl.DateTimeFormat("en", { timeStyle: "short", hourCycle: "h23" });
export const timeOfDay = (at) => h("time", stamp(at), hours.format(dateOf(at)));

// A day by this browser's clock: a number that differs from day to day, and its name.
const named = new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long", year: "numeric" });
export const dayStarting = (at) => dateOf(at).setHours(0, 0, 0, 0);
export function dayName(at) {
  const start = dayStarting(at);
  if (start === dayStarting(Date.now())) return "Today";
  return start === new Date().setHours(-24, 0, 0, 0) ? "Yesterday" : named.format(dateOf(at));
}

// `24 Feb 2006 – 28 Feb 2006`, by this browser's clock.
const plain = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" });
export const span = (from, to) => plain.formatRange(dateOf(from), dateOf(to));

// A sentence from the node: it writes times in UTC, and all else on the page is by this browser's clock.
export const local = (text) => text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g,
  (_, day, time) => moment(Date.parse(`${day}T${time}Z`)));

// `March 2019`, by this browser's clock.
const months = new Intl.DateTimeFormat("en", { month: "long", year: "numeric" });
export const month = (at) => months.format(dateOf(at));
