import { describe, expect, it } from "vitest";
import { closeIdleCalls, IDLE_TIMEOUT_MS } from "../../src/ingest/idle-sessions.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { args, callObservation, FAILED, lines, NOON, OK, requestObservation, result } from "../support/observations.ts";

describeEveryStore("observations of one call in a store", () => {
  describe("a call that the wrapper of an MCP server reports", () => {
    const id = "toolu_01AbCdEfGhIjKl";
    const call = { name: "opencode_fails", arguments: args("x"), client: "opencode" };
    const wrapped = (more: object, mcp: object = {}) =>
      callObservation({
        ...{ ...call, source: "mcp", place: { kind: "newest" }, occurred_at: NOON + 50, execution_time_ms: 40 },
        ...{ result: result("kaboom", FAILED), mcp: { server: "s", tool: "fails", id: "mcp_a1", ...mcp } },
        ...more,
      });
    const made = (more: object) => [
      callObservation({
        ...{ ...call, place: { kind: "response", conversation: "c1", n: 0, response_id: "m1" } },
        ...more,
      }),
      callObservation({ ...call, occurred_at: NOON + 100, result: result("kaboom", OK), ...more }),
    ];
    const joined = async (): Promise<void> => {
      expect(await store.summary({})).toMatchObject({ calls: 1, failed: 1, ok: 0, pending: 0 });
      expect(await store.sessions({})).toMatchObject([{ session_id: "s1", calls: 1, failed: 1 }]);
      expect(await store.sessionDetail("default", "s1")).toMatchObject({
        total: 1,
        calls: [{ source: "mcp+proxy", mcp_server: "s", mcp_tool: "fails", execution_time_ms: 40 }],
      });
    };

    it.each(["before", "after"])(
      "a wrapped call is joined by its id with the call of a subagent that is stored %s it",
      async (order) => {
        const parts = [[wrapped({ tool_call_id: id })], made({ tool_call_id: id, agent_id: "a1" })];
        for (const part of order === "before" ? parts.reverse() : parts) await apply(...part);
        await joined();
      },
    );

    it.each(["before", "after"])(
      "a wrapped call is joined without an id with a call that is stored %s it",
      async (order) => {
        const own = { tool_call_id: "mcp_a1", session_id: "mcp:opencode:1" };
        const parts = [[wrapped(own, { inferred: true })], made({ tool_call_id: id })];
        for (const part of order === "before" ? parts.reverse() : parts) await apply(...part);
        await joined();
      },
    );
  });

  it("counts a call with a reused id that arrives after a later call with the same id", async () => {
    const callAt = (n: number): object =>
      callObservation({
        tool_call_id: "call_0",
        occurred_at: NOON + n * 100,
        place: { kind: "history", conversation: "c1", n },
        result: result(`text ${n}`, FAILED),
      });
    const counted = [await apply(callAt(1)), await apply(callAt(0)), await apply(callAt(1)), await apply(callAt(2))];
    expect(counted.map((one) => one.counted.length)).toEqual([1, 1, 0, 1]);
    expect(await store.summary({})).toMatchObject({ calls: 3, failed: 3 });
  });

  describe("a result whose call is not in the same request", () => {
    const elsewhere = callObservation({
      session_id: "other",
      name: "get_weather",
      tool_call_id: "call_abc123def",
      place: { kind: "response", conversation: "c", n: 0, response_id: "m" },
    });
    const { name: _absent, ...nameless } = callObservation({ tool_call_id: "call_abc123def", result: result("42") });

    it("a result gets the tool name recorded for its id (test_tool_mapper_lookup)", async () => {
      await apply(elsewhere);
      await apply({ ...nameless, occurred_at: NOON + 59 * 60_000 });
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual(["get_weather"]);
    });

    it("a result gets the name unknown when its call is more than an hour old (test_tool_mapper_expiry)", async () => {
      await apply(elsewhere);
      await apply({ ...nameless, occurred_at: NOON + 61 * 60_000 });
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual(["unknown"]);
    });

    it.each([
      [14, { tool_name: "get_weather" }],
      [16, { tool_name: "unknown", tool_call_id: "call_abc123def" }],
    ])("a result gets its name after %i minutes if the settings allow 15", async (minutes, expected) => {
      await apply(elsewhere);
      const { counted } = await store.apply({
        ...{ journal: "names", position: "1", live: true, nameTtlMs: 15 * 60_000 },
        lines: lines({ ...nameless, occurred_at: NOON + minutes * 60_000 }),
      });
      expect(counted).toEqual([expect.objectContaining(expected)]);
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual([expected.tool_name]);
    });

    it("a result gets the name unknown when its id is not recorded, and the real name when the call arrives (L6)", async () => {
      await apply(nameless);
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual(["unknown"]);
      await apply(
        callObservation({
          tool_call_id: "call_abc123def",
          name: "late",
          place: { kind: "response", conversation: "c1", n: 0, response_id: "m" },
        }),
      );
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual(["late"]);
    });
  });

  describe("a call without a result", () => {
    const pending = callObservation({ place: { kind: "response", conversation: "c1", n: 0, response_id: "m1" } });
    const laterRequest = requestObservation({ request_id: "r2", conversation: "c1", occurred_at: NOON + 5000 });

    it("a call becomes discarded when a later request of its conversation lacks it: the client discarded the turn", async () => {
      await apply(pending, requestObservation({ request_id: "side", conversation: "title", occurred_at: NOON + 100 }));
      expect(await store.summary({})).toMatchObject({ pending: 1, discarded: 0 });
      await apply(laterRequest);
      expect(await store.summary({})).toMatchObject({ pending: 0, discarded: 1, calls: 0 });
      expect(await store.idleCalls(NOON + 9e9, 10)).toEqual([]);
    });

    it("a call stays pending when that history contains it, and counts when its result arrives", async () => {
      await apply(pending, laterRequest);
      await apply(callObservation({ occurred_at: NOON + 5000 }));
      expect(await store.summary({})).toMatchObject({ pending: 1, discarded: 0 });
      await apply(callObservation({ occurred_at: NOON + 6000, result: result("done") }));
      expect(await store.summary({})).toMatchObject({ pending: 0, discarded: 0, calls: 1, ok: 1 });
    });

    it("a call without a result is counted as incomplete after the idle timeout, and a result that arrives later is not counted again", async () => {
      await apply(pending);
      const counted: unknown[] = [];
      const record = async (observations: readonly object[]): Promise<number> => {
        counted.push(...(await apply(...observations)).counted);
        return observations.length;
      };
      expect(await closeIdleCalls(store, record, NOON + IDLE_TIMEOUT_MS)).toBe(0);
      expect(await closeIdleCalls(store, record, NOON + IDLE_TIMEOUT_MS + 1)).toBe(1);
      expect(await store.breakdown("category", {})).toMatchObject([{ key: "incomplete", failed: 1 }]);
      expect(await closeIdleCalls(store, record, NOON + IDLE_TIMEOUT_MS + 2)).toBe(0);
      expect(counted).toMatchObject([{ outcome: "failed", category: "incomplete" }]);
      const settled = await apply(callObservation({ occurred_at: NOON + 2 * IDLE_TIMEOUT_MS, result: result("done") }));
      expect(settled.counted).toEqual([]);
      expect(await store.summary({})).toMatchObject({ calls: 1, ok: 1, failed: 0 });
    });
  });

  it("links a fork's carried calls to the originals instead of counting them again", async () => {
    const done = { tool_call_id: "toolu_shared000001", result: result("boom", FAILED) };
    await apply(
      requestObservation(),
      callObservation({ ...done, occurred_at: NOON + 10 }),
      requestObservation({ request_id: "r2", occurred_at: NOON + 10 }),
    );
    const fork = await apply(
      requestObservation({ session_id: "fork", request_id: "r3", occurred_at: NOON + 99 }),
      callObservation({ ...done, session_id: "fork", occurred_at: NOON + 99 }),
    );
    expect(fork.counted).toEqual([]);
    expect(await store.summary({})).toMatchObject({ calls: 1, failed: 1, sessions: 2 });
  });

  it("computes the same aggregates when the fork arrives before its original", async () => {
    const done = { tool_call_id: "toolu_shared000001", result: result("boom", FAILED) };
    const fork = await apply(
      requestObservation({ session_id: "fork", request_id: "r3", occurred_at: NOON + 99 }),
      callObservation({ ...done, session_id: "fork", occurred_at: NOON + 99 }),
    );
    const original = await apply(
      requestObservation(),
      callObservation({ ...done, occurred_at: NOON + 10 }),
      requestObservation({ request_id: "r2", occurred_at: NOON + 10 }),
    );
    expect([fork.counted.length, original.counted.length]).toEqual([1, 0]);
    expect(await store.summary({})).toMatchObject({ calls: 1, failed: 1, sessions: 2 });
    expect((await store.sessions({})).map(({ session_id, failed }) => [session_id, failed])).toEqual([
      ["fork", 0],
      ["s1", 1],
    ]);
  });
});
