import { describe, expect, it } from "vitest";
import { callSeen, FAILED, lines, NOON, OK, result } from "../../../test/support/observations.ts";
import { createTestStore } from "../../../test/support/test-store.ts";
import type { CallObservation } from "./observation.ts";

const seen = (n: number, fields: Partial<CallObservation> = {}): CallObservation =>
  callSeen({
    tool_call_id: "call_0",
    occurred_at: NOON + n * 100,
    place: { kind: "history", conversation: "c1", n },
    ...fields,
  });

/** How many calls each batch moved the live counters by. */
async function counted(...batches: readonly (readonly CallObservation[])[]): Promise<readonly number[]> {
  const store = createTestStore();
  const moved: number[] = [];
  for (const batch of batches) {
    const applied = await store.apply({ journal: "j", position: "1", live: true, lines: lines(...batch) });
    moved.push(applied.counted.length);
  }
  return moved;
}

describe("the live counters", () => {
  it("move once, when live traffic first settles a call", async () => {
    const settled = seen(0, { result: result("r") });
    expect(await counted([seen(0)], [settled], [settled], [{ ...settled, result: result("r", FAILED) }])).toEqual([
      0, 1, 0, 0,
    ]);
  });

  it("do not move for an import, nor for live traffic that repeats it", async () => {
    const settled = seen(0, { result: result("r") });
    expect(await counted([{ ...settled, live: false }], [settled])).toEqual([0, 0]);
  });

  it("move for an earlier call of a reused id that arrives after a later one", async () => {
    const [first, second] = [seen(0, { result: result("a", OK) }), seen(1, { result: result("b", FAILED) })];
    expect(await counted([second], [first], [first, second])).toEqual([1, 1, 0]);
    expect(await counted([first], [second])).toEqual([1, 1]);
    expect(await counted([second, first])).toEqual([2]);
  });
});

describe("events", () => {
  it("tell a session once, a call when it is first seen, and its outcome when it settles or is judged anew", async () => {
    const store = createTestStore();
    const apply = async (observation: CallObservation): Promise<void> => {
      await store.apply({ journal: "j", position: "1", live: true, lines: lines(observation) });
    };
    await apply(seen(0));
    await apply(seen(0));
    await apply(seen(0, { result: result("r") }));
    const told = (await store.events(0, 100)).map(({ line }) => JSON.parse(line) as Record<string, unknown>);
    expect(told.map(({ type, success }) => [type, success])).toEqual([
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
