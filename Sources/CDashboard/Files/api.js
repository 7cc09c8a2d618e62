// The node's API: requests, and the stream of events, which survives sleep and restarts of either side.

const keyName = "kachat-key";
const offeredName = "kachat-key-offered";

// A link to the dashboard has the key in its fragment. Only this page keeps it, and it stays out of the history. Any
// page can link here with a key of its own, so an offered key replaces the old one only after it has worked.
export function takeKey() {
  const found = /^#key=([0-9a-f]{64})$/.exec(location.hash);
  if (!found) return;
  localStorage.setItem(offeredName, found[1]);
  history.replaceState(null, "", location.pathname + "#/overview");
}

export class Problem extends Error {
  constructor(status, fields) {
    super(fields?.detail ?? `The node answered with ${status}.`);
    this.status = status;
    this.code = fields?.code;
  }
}

// The node did not answer, or fell silent.
export class Unreachable extends Error {
  constructor() {
    super("The node does not answer. Try again later.");
  }
}

const headers = () => ({ "X-Kachat-Key": localStorage.getItem(offeredName) ?? localStorage.getItem(keyName) ?? "" });

// True if the request was refused because of an offered key, so that it is repeated with the old one.
function judge(shown, status) {
  const offered = localStorage.getItem(offeredName);
  if (offered === null || shown["X-Kachat-Key"] !== offered) return false;
  localStorage.removeItem(offeredName);
  if (status !== 401) localStorage.setItem(keyName, offered);
  return status === 401;
}

// Revokes this browser's key.
export async function signOut() {
  await end("/v1/token");
  localStorage.removeItem(keyName);
  localStorage.removeItem(offeredName);
}

// In milliseconds: a scrub reads everything; a node that takes this long for its status is not answering.
const limits = { "/v1/scrub": 600000, "/v1/status": 10000 };

export async function request(method, path, query, body) {
  const target = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) target.searchParams.set(name, value);
  }
  const shown = headers();
  let answer, text;
  try {
    answer = await fetch(target, {
      method, cache: "no-store", credentials: "same-origin", redirect: "error",
      headers: body === undefined ? shown : { ...shown, "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(limits[path] ?? 60000),
    });
    text = await answer.text();
  } catch {
    throw new Unreachable();
  }
  if (judge(shown, answer.status)) return request(method, path, query, body);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem(answer.status);
  }
  if (!answer.ok) throw new Problem(answer.status, value);
  return value;
}

export const get = (path, query) => request("GET", path, query);
export const post = (path, body, query) => request("POST", path, query, body ?? {});
export const put = (path, body, query) => request("PUT", path, query, body);
export const end = (path, query) => request("DELETE", path, query);

// All rows of a list, page by page.
export async function all(path, query) {
  const items = [];
  let cursor;
  do {
    const page = await get(path, { ...query, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor);
  return items;
}

// If reads overtake each other, only the newest counts: each call returns a way to ask whether it still is.
export function newest() {
  let last = 0;
  return () => {
    last += 1;
    const own = last;
    return () => own === last;
  };
}

// Longer than two heartbeats. A stream that is silent for longer is dead, as after the machine slept.
const silence = 35000;

// Reads an answer as it arrives: `take` receives each piece that ends with `mark`.
async function hear(target, options, mark, { take, onOpen, stop = new AbortController() }) {
  const give = () => stop.abort();
  let watch = setTimeout(give, silence);
  const lost = () => {
    throw new Unreachable();
  };
  try {
    const answer = await fetch(target, {
      cache: "no-store", credentials: "same-origin", signal: stop.signal, ...options,
    }).catch(lost);
    if (!answer.ok) throw new Problem(answer.status, await answer.json().catch(() => null));
    onOpen?.();
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read().catch(lost);
      if (done) return;
      clearTimeout(watch);
      watch = setTimeout(give, silence);
      text += value;
      for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark)) {
        take(text.slice(0, at));
        text = text.slice(at + mark.length);
      }
    }
  } finally {
    clearTimeout(watch);
    stop.abort();
  }
}

// Posts, and reads the lines of the answer; empty lines are signs of life.
export async function lines(path, query, take) {
  const options = { method: "POST", body: "{}", headers: { ...headers(), "Content-Type": "application/json" } };
  await hear(targetOf(path, query), options, "\n", { take: (line) => line && take(JSON.parse(line)) });
}

const targetOf = (path, query) => {
  const target = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) if (value) target.searchParams.set(name, value);
  return target;
};

// Calls `body` with a controller that follows `signal`.
async function within(signal, body) {
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener("abort", end);
  try {
    return await body(stop);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

// Returns the results of `take` for each line of an answer. Fails if the answer ends with an error, or is cut off.
export async function download(path, query, signal, take) {
  const parts = [];
  await within(signal, (stop) => hear(targetOf(path, query), { headers: headers() }, "\n", { stop, take: (line) => {
    if (!line) return;
    const { error } = line.startsWith('{"error":') ? JSON.parse(line) : {};
    if (error) throw new Problem(error.status, error);
    parts.push(take(line));
  } }));
  return parts;
}

// Reads what is told in lines until `signal` aborts, or the browser may not.
export async function watch(path, query, signal, take) {
  let wait = 500;
  while (!signal.aborted) {
    try {
      await within(signal, (stop) => hear(targetOf(path, query), { headers: headers() }, "\n", { stop, take: (line) => {
        wait = 500;
        const value = line ? JSON.parse(line) : null;
        if (value && !value.error) take(value);
      } }));
    } catch (error) {
      if (error instanceof Problem && [400, 401, 403].includes(error.status)) return;
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, 60000);
  }
}

// Reads events until `signal` aborts.
export async function follow(account, { signal, onOpen, onEvent, onLost }) {
  let last = null;
  let wait = 500;
  while (!signal.aborted) {
    try {
      await readStream(account, last, signal, {
        onOpen: () => {
          wait = 500;
          onOpen();
        },
        onEvent: (kind, id, data) => {
          if (id) last = id;
          onEvent(kind, data);
        },
      });
      onLost(new Unreachable());
    } catch (error) {
      if (signal.aborted) return;
      onLost(error);
      if (error instanceof Problem && error.status === 401) return;
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, 5000);
  }
}

async function readStream(account, last, signal, { onOpen, onEvent }) {
  const shown = last ? { ...headers(), "Last-Event-ID": last } : headers();
  await within(signal, (stop) => hear(targetOf("/v1/events", { account }), { headers: shown }, "\n\n",
    { take: (block) => takeEvent(block, onEvent), onOpen, stop }));
}

function takeEvent(block, onEvent) {
  const fields = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
  }
  if (fields.data) onEvent(fields.event ?? "message", fields.id, JSON.parse(fields.data));
}

// Ends early when the page is shown again: somebody is waiting.
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    document.addEventListener("visibilitychange", end);
    signal.addEventListener("abort", end);
  });
}
