import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";

/** Calls per second; each is emitted as two or three events. */
const CALLS_PER_SECOND = 260;
const TICK_MS = 100;
let run = 0;
const TOOLS = ["Bash", "Read", "Edit", "WebFetch", "mcp__github__create_issue", "apply_patch", "Grep", "Glob"];

export interface FeedMeasurements {
  readonly eventsPerSecond: number;
  readonly longestMs: number;
  /** In percent of the time. */
  readonly longShare: number;
  readonly mostNodes: number;
  /** Why the measurement is invalid. */
  readonly blind?: string;
}

/** Sends calls to the real ingest API and collects the browser's long tasks (over 50 ms). */
export async function watchFeed(page: Page, url: string, seconds: number): Promise<FeedMeasurements> {
  await page.locator("output.live").filter({ hasText: "Live" }).waitFor();
  // Calls that were recorded before emit no events.
  run += 1;
  await send(url, 0, 50);
  await wait(1500);
  await page.evaluate(`(() => {
    window.long = []; window.events = 0; window.nodes = 0;
    new PerformanceObserver((list) => window.long.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
    new EventSource("/api/live").onmessage = () => { window.events++; };
    setInterval(() => { window.nodes = Math.max(window.nodes, document.querySelectorAll("*").length); }, 500);
  })()`);
  const blind = await blindness(page);
  const started = performance.now();
  let sent = 50;
  while (performance.now() - started < seconds * 1000) {
    const due = 50 + Math.floor(((performance.now() - started) / 1000) * CALLS_PER_SECOND);
    if (due > sent) await send(url, sent, due);
    sent = Math.max(sent, due);
    await wait(TICK_MS);
  }
  const took = (performance.now() - started) / 1000;
  const measured = (await page.evaluate("({ long: window.long, events: window.events, nodes: window.nodes })")) as {
    long: number[];
    events: number;
    nodes: number;
  };
  return {
    eventsPerSecond: measured.events / took,
    longestMs: Math.max(0, ...measured.long),
    longShare: (100 * measured.long.reduce((sum, one) => sum + one, 0)) / (1000 * took),
    mostNodes: measured.nodes,
    ...(blind !== undefined && { blind }),
  };
}

/** Triggers a long task on purpose: a result of zero only counts if the observer reports this one. */
async function blindness(page: Page): Promise<string | undefined> {
  await page.evaluate("setTimeout(() => { const end = performance.now() + 150; while (performance.now() < end); }, 0)");
  await wait(1000);
  const longest = (await page.evaluate("Math.max(0, ...window.long.splice(0))")) as number;
  await page.evaluate("window.events = 0");
  return longest >= 150 ? undefined : "the browser did not tell of a long task that was made on purpose";
}

async function send(url: string, from: number, to: number): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, at) => {
    const n = from + at;
    return JSON.stringify({
      ...{
        session_id: `feed-${run}-${n % 40}`,
        tool_call_id: `c${n}`,
        tool_name: TOOLS[n % TOOLS.length],
        model: "m",
        source: "hook",
      },
      ...{ client: "plain", content: n % 6 === 0 ? `Error: request ${n} failed` : "fine", is_error: n % 6 === 0 },
    });
  });
  const response = await fetch(`${url}/api/ingest`, {
    ...{ method: "POST", headers: { "content-type": "application/x-ndjson" }, body: lines.join("\n") },
  });
  await response.arrayBuffer();
}
