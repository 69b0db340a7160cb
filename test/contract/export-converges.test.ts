import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { createTarget } from "../../src/export/export-settings.ts";
import { until } from "../support/raw-http.ts";
import { type Receiver, startReceiver } from "../support/receiver/start-receiver.ts";
import { type Running, startInFrontOf, temporaryFolder } from "../support/running.ts";

interface Line {
  readonly session_id: string;
  readonly tool_call_id: string;
  readonly source: "hook" | "transcript" | "library";
  readonly content?: string;
  readonly is_error?: boolean;
}
type Step =
  | { readonly kind: "report"; readonly line: Line }
  | { readonly kind: "wait"; readonly ms: number }
  | { readonly kind: "receiver"; readonly isDown: boolean }
  | { readonly kind: "restart" };

const RESULTS: readonly Partial<Line>[] = [
  {},
  { content: "forty-two lines", is_error: false },
  { content: "" },
  { content: "Error: connection timed out", is_error: true },
  { content: "Error: ENOENT: no such file or directory", is_error: true },
];
const LINE: fc.Arbitrary<Line> = fc
  .record({
    session_id: fc.constantFrom("s1", "s2"),
    call: fc.constantFrom("toolu_01A09q90qw90lq917835lq9", "toolu_02B09q90qw90lq917835lq8", "call_1"),
    source: fc.constantFrom("hook", "transcript", "library"),
    result: fc.constantFrom(...RESULTS),
  })
  // A call that only a transcript reported, and that a restart finds open, is not exported (docs/langfuse.md).
  .filter(({ source, result }) => source !== "transcript" || result.content !== undefined)
  .map(({ session_id, call, source, result }) => ({
    ...{ session_id, source, ...result },
    // Ids of providers do not occur in two sessions, unless one was forked from the other.
    tool_call_id: call === "call_1" ? call : `${call}${session_id}`,
  }));
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: LINE.map((line) => ({ kind: "report" as const, line })) },
  { weight: 3, arbitrary: fc.constantFrom(1000, 15_000, 75_000).map((ms) => ({ kind: "wait" as const, ms })) },
  { weight: 1, arbitrary: fc.boolean().map((isDown) => ({ kind: "receiver" as const, isDown })) },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" as const }) },
);

const FAILED_CALL = { session_id: "s1", tool_call_id: "call_1", is_error: true } as const;
/** The reason of a failure changes after its scores were sent, and their values stay. */
const OTHER_REASON: readonly Step[] = [
  { kind: "report", line: { ...FAILED_CALL, source: "transcript", content: "Error: connection timed out" } },
  { kind: "wait", ms: 75_000 },
  { kind: "report", line: { ...FAILED_CALL, source: "library", content: "Error: ENOENT: no such file or directory" } },
  { kind: "wait", ms: 15_000 },
];

let data = "";
let receiver: Receiver;
let running: Running | undefined;
let time = 0;
afterEach(async () => {
  await running?.close();
  await receiver.close();
  if (data !== "") rmSync(data, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const environment = { LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-2", LANGFUSE_HOST: receiver.url };
  running = await startInFrontOf("http://127.0.0.1:9", {
    ...{ data, now: () => time, idleTimeoutMs: 60_000, sweepMs: 5 },
    exporting: {
      targets: [createTarget("langfuse", environment, "1.2.3")],
      ...{ content: false, giveUpAfterMs: 86_400_000, everyMs: 5 },
    },
  });
}

async function take(step: Step): Promise<void> {
  if (step.kind === "wait") time += step.ms;
  else if (step.kind === "receiver") receiver.refuse = () => (step.isDown ? { status: 503 } : undefined);
  else if (step.kind === "restart") {
    await running?.close();
    await start();
  } else {
    time += 10;
    const body = JSON.stringify({ tool_name: "Read", ...step.line });
    const headers = { "content-type": "application/json" };
    await fetch(`${running?.url}/api/ingest`, { method: "POST", headers, body });
    await running?.server.drain();
  }
}

/** Passes time until calls without a result are incomplete and everything is sent. */
async function settle(): Promise<void> {
  receiver.refuse = () => undefined;
  time += 120_000;
  let quiet = 0;
  await until("everything is sent", async () => {
    time += 10_000;
    await running?.server.drain();
    quiet = (await running?.server.store.backlog())?.length === 0 ? quiet + 1 : 0;
    return quiet > 20;
  });
}

/** What Langfuse has stored after these requests: of each span and score the last version. */
function stored(requests: Receiver["received"]): Readonly<Record<string, unknown>> {
  const all = new Map<string, unknown>();
  for (const { method, path, body } of requests) {
    if (method === "DELETE") all.delete(`score ${path.replace("/api/public/scores/", "")}`);
    else if (path.endsWith("/scores")) all.set(`score ${body.id}`, body);
    else {
      const { resourceSpans } = body as never as { resourceSpans: { scopeSpans: { spans: { spanId: string }[] }[] }[] };
      for (const span of resourceSpans[0]?.scopeSpans[0]?.spans ?? []) all.set(`span ${span.spanId}`, span);
    }
  }
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

it("what Langfuse has after any reports, outages and restarts equals a fresh export of the same records", async () => {
  receiver = await startReceiver();
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 4, maxLength: 25 }), async (steps) => {
      data = temporaryFolder();
      receiver.received.length = 0;
      receiver.refuse = () => undefined;
      time = Date.UTC(2026, 2, 10, 12);
      await start();
      for (const step of steps) await take(step);
      await settle();
      const incremental = receiver.received.splice(0);
      await running?.server.store.backfill("langfuse", { limit: 100, now: time, force: true });
      await settle();
      expect(incremental.flatMap(({ problems }) => problems)).toEqual([]);
      expect(stored(incremental)).toEqual(stored(receiver.received));
      await running?.close();
      running = undefined;
      rmSync(data, { recursive: true, force: true });
    }),
    // A failure is reported as found: smaller cases would take minutes to find.
    { numRuns: 11, endOnFailure: true, examples: [[[...OTHER_REASON]]] },
  );
}, 300_000);
