import { coalesce } from "./coalesce.ts";
import { markChanged, problem, refresh, updatedAt } from "./queries.ts";
import { connection, now } from "./state.ts";

const PAUSE_MS = 1000;
const RETRY_MS = 3000;
const TICK_MS = 15_000;

let tookMs = 0;
const scheduleRefresh = coalesce(
  async () => {
    const start = performance.now();
    await refresh();
    tookMs = performance.now() - start;
  },
  // Refreshes a slow store less often.
  () => Math.max(PAUSE_MS, 4 * tookMs),
);
let source: EventSource | undefined;
const listeners = new Set<(line: string) => void>();

/** Calls the listener with every event line until the returned function is called. */
export function listen(listener: (line: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Keeps the page up to date while it is visible. */
export function startLive(): void {
  document.addEventListener("visibilitychange", follow);
  // Some data changes without an event: time ranges move, observations are dropped.
  setInterval(() => {
    now.value = Date.now();
    if (!document.hidden) scheduleRefresh();
  }, TICK_MS);
  setInterval(retry, RETRY_MS);
  follow();
}

/** Closes the stream while the page is hidden: browsers allow six connections per host, so a seventh tab would hang. */
function follow(): void {
  if (document.hidden) {
    source?.close();
    source = undefined;
    markChanged(Number.POSITIVE_INFINITY);
    return;
  }
  connect();
  if (updatedAt.peek() !== undefined) scheduleRefresh();
}

function connect(): void {
  source?.close();
  const opened = new EventSource("/api/live");
  source = opened;
  const startedAt = Date.now();
  opened.onopen = () => {
    // After a reconnect, fetch what happened meanwhile. On the first connect, the page is already loading.
    if (connection.peek() === "lost") scheduleRefresh();
    markChanged(connection.peek() === "connecting" ? startedAt : Date.now());
    connection.value = "open";
  };
  opened.onerror = () => {
    // Refresh to find out whether only the feed or the whole server is unavailable.
    if (connection.peek() !== "lost") scheduleRefresh();
    connection.value = "lost";
    markChanged(Number.POSITIVE_INFINITY);
  };
  opened.onmessage = ({ data }) => {
    for (const listener of listeners) listener(data as string);
    markChanged(Date.now());
    scheduleRefresh();
  };
}

/** EventSource reconnects after a lost connection, but not after an error response. */
function retry(): void {
  if (document.hidden) return;
  if (source?.readyState === EventSource.CLOSED) connect();
  if (problem.peek() !== undefined) scheduleRefresh();
}
