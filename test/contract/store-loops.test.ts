import { expect, it } from "vitest";
import type { CallObservation, GuardFact, Observation } from "../../src/core/model/observation.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, NOON, OK, requestObservation, responseObservation, result } from "../support/observations.ts";

/** The n-th call of a thread, made by the n-th response. */
function call(n: number, file = "a", fields: Partial<CallObservation> = {}): CallObservation {
  const id = `toolu_${n}_aaaaaaaaaaaa`;
  return callObservation({
    ...{ tool_call_id: id, name: "Read", occurred_at: NOON + n * 1000, turn: id, turn_index: 0 },
    ...{ request_id: `req-${n}`, prompt: "p1" },
    arguments: { fingerprint: file, keys: {}, resources: [], size_bytes: 1, effect: "reads" },
    result: { ...result(id, OK), normalized_hash: `text of ${file}` },
    ...fields,
  });
}

const response = (n: number): Observation =>
  responseObservation({
    ...{ request_id: `req-${n}`, occurred_at: NOON + n * 1000, tool_call_ids: [`toolu_${n}_aaaaaaaaaaaa`] },
    usage: { input_tokens: 1000, output_tokens: 50, cached_tokens: 900 },
  });

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, index) => from + index);

async function events(type: string): Promise<readonly Record<string, unknown>[]> {
  const all = (await store.events(0, 1000)).map(({ line }) => JSON.parse(line) as Record<string, unknown>);
  return all.filter((event) => event.type === type);
}

describeEveryStore("loops in a store", () => {
  it("loops are listed with what the guard did, in order and once for all copies of a request", async () => {
    const loop = { kind: "repeat", period: 1, tools: ["Read"] } as const;
    const asked = (n: number, guard: GuardFact, fields = {}): Observation =>
      requestObservation({ request_id: `req-${n}`, occurred_at: NOON + n * 1000, guard, ...fields });
    await apply(
      // A client's retries of the refused request, and a request that only carries the note of an earlier one.
      asked(13, { action: "stop", notes: 2, is_new: true, run: 10, ...loop }),
      asked(12, { action: "stop", notes: 2, is_new: true, run: 10, ...loop }),
      asked(5, { action: "note", notes: 1, is_new: false }),
      asked(4, { action: "note", notes: 1, is_new: true, run: 3, ...loop }),
      asked(6, { action: "note", notes: 1, is_new: true, run: 3, ...loop }, { agent_id: "sub" }),
      asked(7, { action: "stop", notes: 0, is_new: true, run: 10, ...loop }, { session_id: "s2" }),
      requestObservation({ request_id: "req-1" }),
    );
    const row = { kind: "repeat", tools: ["Read"] };
    expect((await store.sessionDetail("default", "s1"))?.guard).toEqual([
      { at: "2026-03-10T12:00:04.000Z", agent_id: "root", action: "note", ...row, run: 3, requests: 1 },
      { at: "2026-03-10T12:00:06.000Z", agent_id: "sub", action: "note", ...row, run: 3, requests: 1 },
      { at: "2026-03-10T12:00:12.000Z", agent_id: "root", action: "stop", ...row, run: 10, requests: 2 },
    ]);
  });

  it("loops are listed with their tokens, and their session is looping", async () => {
    for (const n of range(0, 8)) await apply(call(n), response(n));
    expect(await store.loops({})).toMatchObject([
      {
        ...{ session_id: "s1", kind: "repeat", period: 1, run: 7, tools: ["Read"], running: true, ended_by: null },
        // Of the responses that made the calls from the third repeat on.
        ...{ input_tokens: 5000, output_tokens: 250, cached_tokens: 4500 },
      },
    ]);
    expect(await store.sessions({ looping: true })).toMatchObject([{ session_id: "s1", loops: 1, looping: true }]);
    expect((await store.sessionDetail("default", "s1"))?.calls.map(({ loop }) => loop?.run ?? 0)).toEqual([
      ...range(0, 8),
    ]);
  });

  it("loops are emitted once per level, and once when they end", async () => {
    await apply(...range(0, 5).map((n) => call(n)));
    await apply(...range(5, 8).map((n) => call(n)));
    await apply(...range(2, 8).map((n) => call(n)));
    await apply(call(8, "b"));
    await apply(call(8, "b"));
    expect(
      (await events("loop_detected")).map(({ level, run, kind, tool_name }) => [level, run, kind, tool_name]),
    ).toEqual([
      [3, 3, "repeat", "Read"],
      [6, 6, "repeat", "Read"],
    ]);
    expect(await events("loop_ended")).toMatchObject([{ run: 7, kind: "repeat", by: "new_call" }]);
    expect(await store.loops({})).toMatchObject([{ run: 7, running: false, ended_by: "new_call" }]);
    expect(await store.sessions({ looping: true })).toMatchObject([{ loops: 1, looping: false }]);
  });

  it("loops are the same whether calls arrive together, one by one or in reverse order", async () => {
    const calls = (session_id: string): readonly CallObservation[] =>
      range(0, 9).map((n) => {
        const id = `toolu_${session_id}_${n}`;
        return call(n, "a", { session_id, tool_call_id: id, turn: id });
      });
    await apply(...calls("at-once"));
    for (const one of calls("one-by-one")) await apply(one);
    for (const one of calls("backwards").toReversed()) await apply(one);
    for (const session of ["at-once", "one-by-one", "backwards"]) {
      const detail = await store.sessionDetail("default", session);
      expect(detail?.calls.map(({ loop }) => loop?.run ?? 0)).toEqual(range(0, 9));
      expect(detail?.calls.map(({ loop }) => loop?.level ?? 0)).toEqual([0, 0, 0, 3, 0, 0, 6, 0, 0]);
      expect(detail?.session).toMatchObject({ loops: 1, looping: true });
    }
  });

  it("loops are counted once, and only in live traffic", async () => {
    const first = await apply(...range(0, 4).map((n) => call(n)));
    expect(first.loops).toMatchObject([{ session_id: "s1", tool_name: "Read", loop: { run: 3, level: 3 } }]);
    expect((await apply(...range(0, 4).map((n) => call(n)))).loops).toEqual([]);
    expect((await apply(call(4))).loops).toMatchObject([{ loop: { run: 4, level: null } }]);
  });

  it("equal calls are no loop after a change or a message of a person", async () => {
    const edit = (n: number): CallObservation =>
      call(n, `edit ${n}`, {
        name: "Edit",
        arguments: { fingerprint: `edit ${n}`, keys: {}, resources: [], size_bytes: 1, effect: "changes" },
      });
    await apply(...range(0, 12).map((n) => (n % 3 === 2 ? edit(n) : call(n))));
    await apply(...range(12, 20).map((n) => call(n, "b", { prompt: `p${n}` })));
    expect(await store.loops({})).toEqual([]);
  });

  it("loops are no longer counted when their session is deleted", async () => {
    await apply(...range(0, 8).map((n) => call(n)));
    await store.deleteSession("default", "s1", NOON + 3_600_000);
    expect(await store.loops({})).toEqual([]);
    expect(await store.sessions({ looping: true })).toEqual([]);
  });
});
