// The node's API: requests, and the stream of events, which goes on after sleep and restarts of either side.

const keyName = "kachat-key";
const offeredName = "kachat-key-offered";

// A link to the dashboard leaves the key behind its address; it is kept by this page alone, and out of the history.
// Every page can lead here with a key of its own choice: it takes the place of the one before once it opens something.
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

// The node did not answer at all, or fell silent.
export class Unreachable extends Error {
  constructor() {
    super("The node does not answer. Once it does, try again.");
  }
}

const headers = () => ({ "X-Kachat-Key": localStorage.getItem(offeredName) ?? localStorage.getItem(keyName) ?? "" });

// Whether the request was refused for an offered key, so that the one before is to be shown.
function judge(shown, status) {
  const offered = localStorage.getItem(offeredName);
  if (offered === null || shown["X-Kachat-Key"] !== offered) return false;
  localStorage.removeItem(offeredName);
  if (status !== 401) localStorage.setItem(keyName, offered);
  return status === 401;
}

// Gives up what lets this browser in.
export async function signOut() {
  await end("/v1/token");
  localStorage.removeItem(keyName);
  localStorage.removeItem(offeredName);
}

// Milliseconds: a scrub reads everything, and a node that owes its status this long is not answering.
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
export const end = (path) => request("DELETE", path);

// Of reads that overtake each other only the newest one counts: each call gives a way to ask whether it still is.
export function newest() {
  let last = 0;
  return () => {
    last += 1;
    const own = last;
    return () => own === last;
  };
}

// Two heartbeats and more. An answer that says nothing for longer is dead, as after the machine slept.
const silence = 35000;

// Hears an answer as it comes: `take` is given each piece, which `mark` ends.
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

// Posts, and hears the lines of the answer; an empty one shows that the node lives.
export async function lines(path, query, take) {
  const target = new URL(path, location.origin);
  for (const [name, value] of Object.entries(query)) if (value) target.searchParams.set(name, value);
  const options = { method: "POST", body: "{}", headers: { ...headers(), "Content-Type": "application/json" } };
  await hear(target, options, "\n", { take: (line) => line && take(JSON.parse(line)) });
}

// Reads events until `signal` says that it is enough.
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
  const stop = new AbortController();
  const end = () => stop.abort();
  signal.addEventListener("abort", end);
  try {
    const shown = last ? { ...headers(), "Last-Event-ID": last } : headers();
    await hear(`/v1/events?account=${encodeURIComponent(account)}`, { headers: shown }, "\n\n",
      { take: (block) => takeEvent(block, onEvent), onOpen, stop });
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function takeEvent(block, onEvent) {
  const fields = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
  }
  if (fields.data) onEvent(fields.event ?? "message", fields.id, JSON.parse(fields.data));
}

// Ends early when the page is looked at again: somebody waits.
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
