import { describe, expect, it } from "vitest";
import { callObservation, FAILED, lines, NOON, OK, result } from "../../../test/support/observations.ts";
import { createTestStore } from "../../../test/support/test-store.ts";
import type { CallObservation } from "./observation.ts";

const seen = (n: number, fields: Partial<CallObservation> = {}): CallObservation =>
  callObservation({
    tool_call_id: "call_0",
    occurred_at: NOON + n * 100,
    place: { kind: "history", conversation: "c1", n },
    ...fields,
  });

/** The number of calls by which each batch incremented the live counters. */
async function counted(...batches: readonly (readonly CallObservation[])[]): Promise<readonly number[]> {
  const store = createTestStore();
  const increments: number[] = [];
  for (const batch of batches) {
    const applied = await store.apply({ journal: "j", position: "1", live: true, lines: lines(...batch) });
    increments.push(applied.counted.length);
  }
  return increments;
}

describe("live counters", () => {
  it("live counters count a call once, when live traffic first settles it", async () => {
    const settled = seen(0, { result: result("r") });
    expect(await counted([seen(0)], [settled], [settled], [{ ...settled, result: result("r", FAILED) }])).toEqual([
      0, 1, 0, 0,
    ]);
  });

  it("live counters do not count imported calls, nor live traffic that repeats them", async () => {
    const settled = seen(0, { result: result("r") });
    expect(await counted([{ ...settled, live: false }], [settled])).toEqual([0, 0]);
  });

  it("live counters count an earlier call with a reused id that arrives after a later one", async () => {
    const [first, second] = [seen(0, { result: result("a", OK) }), seen(1, { result: result("b", FAILED) })];
    expect(await counted([second], [first], [first, second])).toEqual([1, 1, 0]);
    expect(await counted([first], [second])).toEqual([1, 1]);
    expect(await counted([second, first])).toEqual([2]);
  });
});

describe("events", () => {
  it("events report a session and a call once, and every new outcome of a call", async () => {
    const store = createTestStore();
    const apply = async (observation: CallObservation): Promise<void> => {
      await store.apply({ journal: "j", position: "1", live: true, lines: lines(observation) });
    };
    await apply(seen(0));
    await apply(seen(0));
    await apply(seen(0, { result: result("r") }));
    const events = (await store.events(0, 100)).map(({ line }) => JSON.parse(line) as Record<string, unknown>);
    expect(events.map(({ type, success }) => [type, success])).toEqual([
      ["session_started", undefined],
      ["tool_call_requested", undefined],
      ["tool_call_recorded", true],
    ]);
    await apply(seen(0, { source: "library", occurred_at: NOON - 5, result: result("r", FAILED) }));
    const last = JSON.parse((await store.events(0, 100)).at(-1)?.line ?? "{}") as Record<string, unknown>;
    expect(last).toMatchObject({ type: "tool_call_recorded", success: false, category: "exit_code" });
    expect(Object.keys(last).slice(0, 3)).toEqual(["type", "v", "event_id"]);
  });
});
