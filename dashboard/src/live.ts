import { coalesce } from "./coalesce.ts";
import { answeredAt, mayHaveChanged, problem, refresh } from "./queries.ts";
import { connection, now } from "./state.ts";

const PAUSE_MS = 1000;
const RETRY_MS = 3000;
const TICK_MS = 15_000;

let tookMs = 0;
const ask = coalesce(
  async () => {
    const start = performance.now();
    await refresh();
    tookMs = performance.now() - start;
  },
  // A store that needs long for its answers is asked less often.
  () => Math.max(PAUSE_MS, 4 * tookMs),
);
let source: EventSource | undefined;
const listeners = new Set<(line: string) => void>();

/** Every event as its line, for as long as somebody wants it. */
export function listen(listener: (line: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps the page up to date for as long as somebody can see it. */
export function startLive(): void {
  document.addEventListener("visibilitychange", follow);
  // Some things change without an event: windows of time move on, observations are dropped.
  setInterval(() => {
    now.value = Date.now();
    if (!document.hidden) ask();
  }, TICK_MS);
  setInterval(retry, RETRY_MS);
  follow();
}

/** A hidden page lets go of its connection: a browser has six per server, and the seventh tab would wait for ever. */
function follow(): void {
  if (document.hidden) {
    source?.close();
    source = undefined;
    mayHaveChanged(Number.POSITIVE_INFINITY);
    return;
  }
  connect();
  if (answeredAt.peek() !== undefined) ask();
}

function connect(): void {
  source?.close();
  const opened = new EventSource("/api/live");
  source = opened;
  const startedAt = Date.now();
  opened.onopen = () => {
    // What happened while nobody listened is fetched; the first time it is on its way already.
    if (connection.peek() === "lost") ask();
    mayHaveChanged(connection.peek() === "connecting" ? startedAt : Date.now());
    connection.value = "open";
  };
  opened.onerror = () => {
    // Is it only the feed, or the server? An answer, or none, says so.
    if (connection.peek() !== "lost") ask();
    connection.value = "lost";
    mayHaveChanged(Number.POSITIVE_INFINITY);
  };
  opened.onmessage = ({ data }) => {
    for (const listener of listeners) listener(data as string);
    mayHaveChanged(Date.now());
    ask();
  };
}

/** EventSource comes back by itself from a lost connection, but not from an answer it did not like. */
function retry(): void {
  if (document.hidden) return;
  if (source?.readyState === EventSource.CLOSED) connect();
  if (problem.peek() !== undefined) ask();
}
