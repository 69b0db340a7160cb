import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callObservation, FAILED, result } from "../../test/support/observations.ts";
import { createTestStore, type TestStore } from "../../test/support/test-store.ts";
import type { Applied, Batch, Store } from "../store/port.ts";
import { Journal } from "./journal/journal.ts";
import { Recorder, type RecorderProblem } from "./recorder.ts";

let folder: string;
const open: Recorder[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-recorder-"));
});
afterEach(async () => {
  for (const recorder of open.splice(0)) await recorder.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  readonly recorder: Recorder;
  readonly applied: Applied[];
  readonly problems: RecorderProblem[];
}

async function start(
  store: Store,
  { maxBatchBytes, ...options }: { readonly spoolBytes?: number; readonly maxBatchBytes?: number } = {},
): Promise<Started> {
  const journal = new Journal({ folder: join(folder, "journal"), batchMs: 1, ...options });
  const [applied, problems]: [Applied[], RecorderProblem[]] = [[], []];
  const recorder = new Recorder({
    journal,
    store,
    rejectedFile: join(folder, "rejected.jsonl"),
    ...(maxBatchBytes !== undefined && { maxBatchBytes }),
    onApplied: (one) => applied.push(one),
    onProblem: (problem) => problems.push(problem),
  });
  open.push(recorder);
  await recorder.start();
  return { recorder, applied, problems };
}

const call = (id: number): ReturnType<typeof callObservation> =>
  callObservation({ tool_call_id: `toolu_${String(id).padStart(12, "0")}x`, result: result(`result ${id}`, FAILED) });

/** Returns a store that fails `failures` times, and the batches it applied. */
function flaky(failures: number): {
  store: Store & { records: TestStore["records"] };
  batches: Batch[];
  state: { failures: number; attempts: number };
} {
  const memory = createTestStore();
  const batches: Batch[] = [];
  const state = { failures, attempts: 0 };
  const store = {
    ...memory,
    async apply(batch: Batch): Promise<Applied> {
      state.attempts += 1;
      if (state.failures > 0) {
        state.failures -= 1;
        throw new Error("database is locked");
      }
      batches.push(batch);
      return memory.apply(batch);
    },
  };
  return { store, batches, state };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 400) throw new Error("the condition was not met within 4 s");
    await wait(10);
  }
}

describe("the recorder", () => {
  it("acknowledges, applies and counts observations", async () => {
    const store = createTestStore();
    const { recorder, applied } = await start(store);
    expect(await recorder.record([call(1), call(2)])).toBe(2);
    expect(await recorder.record([])).toBe(0);
    await recorder.drain();
    expect(recorder.totals).toEqual({ acknowledged: 2, applied: 2, dropped: 0, rejected: 0 });
    expect(recorder.unappliedBytes).toBe(0);
    expect(store.records()).toHaveLength(2);
    expect(applied.flatMap(({ counted }) => counted)).toHaveLength(2);
  });

  it("loses nothing and keeps the order while the store is unavailable, and reports the problem until it is over", async () => {
    const { store, batches, state } = flaky(3);
    const { recorder, problems } = await start(store);
    for (let id = 0; id < 20; id += 1) await recorder.record([call(id)]);
    await recorder.drain();
    await until(() => recorder.totals.applied === 20);
    expect(problems[0]).toEqual({ kind: "store", message: "database is locked" });
    expect(recorder.storeProblem).toBeUndefined();
    expect(state.failures).toBe(0);
    const ids = batches.flatMap(({ lines }) =>
      String(lines)
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).tool_call_id),
    );
    expect(ids).toEqual(Array.from({ length: 20 }, (_, id) => call(id).tool_call_id));
    expect(recorder.unappliedBytes).toBe(0);
  });

  it("reports the reason as long as the store fails", async () => {
    const { store, state } = flaky(Number.POSITIVE_INFINITY);
    const { recorder } = await start(store);
    expect(await recorder.record([call(1)])).toBe(1);
    await recorder.drain();
    expect(recorder.storeProblem).toBe("database is locked");
    expect(recorder.totals).toEqual({ acknowledged: 1, applied: 0, dropped: 0, rejected: 0 });
    expect(recorder.unappliedBytes).toBeGreaterThan(0);
    state.failures = 0;
    await recorder.drain();
    expect(recorder.storeProblem).toBeUndefined();
    expect(recorder.totals.applied).toBe(1);
  });

  it("retries an unavailable store with backoff, regardless of traffic", async () => {
    const { store, state } = flaky(Number.POSITIVE_INFINITY);
    const { recorder } = await start(store);
    for (let id = 0; id < 40; id += 1) {
      await recorder.record([call(id)]);
      await wait(5);
    }
    await wait(300);
    // 50, 100, 200, 400 ms: a few attempts in half a second, not one for each of 40 records.
    expect(state.attempts).toBeLessThanOrEqual(8);
    state.failures = 0;
    await until(() => recorder.totals.applied === 40);
  });

  it("writes rejected lines to the file with their reason, and applies the others", async () => {
    const store = createTestStore();
    const { recorder, problems } = await start(store);
    const bad = { ...call(2), occurred_at: -1 };
    await recorder.record([call(1), bad, call(3)]);
    await recorder.drain();
    expect(store.records()).toHaveLength(2);
    expect(recorder.totals).toEqual({ acknowledged: 3, applied: 2, dropped: 0, rejected: 1 });
    const [line, end] = readFileSync(join(folder, "rejected.jsonl"), "utf8").split("\n");
    expect(JSON.parse(line as string)).toEqual({
      line: JSON.stringify(bad),
      reason: "occurred_at is not a time in ms",
      at: expect.any(Number),
    });
    expect(end).toBe("");
    expect(problems).toEqual([{ kind: "rejected", message: "1 lines: occurred_at is not a time in ms" }]);
  });

  it("drops observations before acknowledging them when the journal is full, counts and reports them", async () => {
    const { store } = flaky(Number.POSITIVE_INFINITY);
    const { recorder, problems } = await start(store, { spoolBytes: 1200 });
    const taken = [];
    for (let id = 0; id < 5; id += 1) taken.push(await recorder.record([call(id)]));
    const acknowledged = taken.reduce((sum, one) => sum + one, 0);
    expect(acknowledged).toBeGreaterThan(0);
    expect(acknowledged).toBeLessThan(5);
    expect(recorder.totals).toMatchObject({ acknowledged, dropped: 5 - acknowledged });
    expect(problems.some(({ kind, message }) => kind === "journal" && message.includes("dropped"))).toBe(true);
    expect(
      readFileSync(join(folder, "journal", "00000001.jsonl"), "utf8")
        .trim()
        .split("\n"),
    ).toHaveLength(acknowledged);
  });
});

describe("starting the recorder", () => {
  it("applies the backlog of an earlier process without changing counters", async () => {
    const { store, state } = flaky(Number.POSITIVE_INFINITY);
    const first = await start(store);
    await first.recorder.record([call(1), call(2)]);
    await first.recorder.close();
    state.failures = 0;
    const second = await start(store);
    expect(store.records()).toHaveLength(2);
    expect(second.recorder.totals).toEqual({ acknowledged: 0, applied: 2, dropped: 0, rejected: 0 });
    expect(second.applied.flatMap(({ counted }) => counted)).toEqual([]);
    expect(second.recorder.unappliedBytes).toBe(0);
  });

  it.each([
    ["several transactions if the backlog exceeds maxBatchBytes", 8 << 10, true],
    ["one transaction if the backlog fits into maxBatchBytes", 4 << 20, false],
  ])("a new recorder applies the backlog in %s", async (_name, maxBatchBytes, several) => {
    const { store, batches } = flaky(0);
    const { recorder } = await start(store, { maxBatchBytes });
    for (let id = 0; id < 8; id += 1) await recorder.record(Array.from({ length: 10 }, (_, at) => call(id * 10 + at)));
    await recorder.drain();
    expect(batches.length > 1).toBe(several);
    expect(store.records()).toHaveLength(80);
  });

  it("applies no line twice", async () => {
    const { store, batches } = flaky(0);
    const first = await start(store);
    await first.recorder.record([call(1)]);
    await first.recorder.close();
    const second = await start(store);
    expect(second.applied).toEqual([]);
    expect(batches).toHaveLength(1);
  });

  it("counts its first traffic as live even if an earlier process wrote to the journal", async () => {
    const store = createTestStore();
    const first = await start(store);
    await first.recorder.record([call(1)]);
    await first.recorder.close();
    const second = await start(store);
    await second.recorder.record([call(2)]);
    await second.recorder.drain();
    expect(second.applied.flatMap(({ counted }) => counted)).toEqual([
      expect.objectContaining({ tool_name: "Bash", outcome: "failed" }),
    ]);
  });

  it("reports no unapplied bytes once everything is applied, even after a partial line", async () => {
    const store = createTestStore();
    const first = await start(store);
    await first.recorder.record([call(1)]);
    await first.recorder.close();
    writeFileSync(join(folder, "journal", "00000001.jsonl"), '{"half', { flag: "a" });
    const second = await start(store);
    await second.recorder.record([call(2)]);
    await second.recorder.drain();
    expect(store.records()).toHaveLength(2);
    expect(second.recorder.unappliedBytes).toBe(0);
  });

  it("applies new lines after the journal's segments were deleted by hand", async () => {
    const store = createTestStore();
    for (const id of [1, 2, 3]) {
      const { recorder } = await start(store);
      await recorder.record([call(id)]);
      await recorder.close();
    }
    for (const name of readdirSync(join(folder, "journal")).filter((one) => /^\d+\.jsonl$/.test(one))) {
      rmSync(join(folder, "journal", name));
    }
    const { recorder } = await start(store);
    await recorder.record([call(4)]);
    await recorder.drain();
    expect(store.records()).toHaveLength(4);
    expect(recorder.totals).toMatchObject({ acknowledged: 1, applied: 1 });
  });

  it("accepts new lines before it has started, and applies them after the old ones", async () => {
    const { store, batches, state } = flaky(Number.POSITIVE_INFINITY);
    const first = await start(store);
    await first.recorder.record([call(1)]);
    await first.recorder.close();
    state.failures = 0;
    const journal = new Journal({ folder: join(folder, "journal"), batchMs: 1 });
    const recorder = new Recorder({ journal, store, rejectedFile: join(folder, "rejected.jsonl") });
    open.push(recorder);
    expect(await recorder.record([call(2)])).toBe(1);
    await recorder.start();
    await recorder.drain();
    const ids = batches.flatMap(({ lines, live }) =>
      String(lines)
        .trim()
        .split("\n")
        .map((line) => [JSON.parse(line).tool_call_id, live]),
    );
    expect(ids).toEqual([
      [call(1).tool_call_id, false],
      [call(2).tool_call_id, true],
    ]);
  });

  it.each([
    ["applies light traffic soon", 1, 0, 900],
    ["batches longer under load", 400, 900, 4000],
    ["applies a full batch without delay", 6000, 0, 900],
  ])("%s", async (_name, calls, atLeast, atMost) => {
    const { store, state } = flaky(0);
    const { recorder } = await start(store);
    await recorder.record(Array.from({ length: calls }, (_, id) => call(id)));
    const acknowledgedAt = performance.now();
    await until(() => state.attempts > 0);
    const waited = performance.now() - acknowledgedAt;
    expect(waited).toBeGreaterThanOrEqual(atLeast);
    expect(waited).toBeLessThan(atMost);
  });
});
