import { expect, it } from "vitest";
import type { Health } from "../../src/core/score/health.ts";
import type { SessionDetail, SessionRow, Store } from "../../src/store/port.ts";
import { apply, applyText, describeEveryStore, replay, store } from "../support/every-store.ts";
import {
  callObservation,
  FAILED,
  lines,
  NOON,
  OK,
  requestObservation,
  result,
  UNKNOWN,
} from "../support/observations.ts";

describeEveryStore("observations in a store", () => {
  it("keeps one record for a call seen pending, settled, and replayed in twenty later requests", async () => {
    await apply(callObservation({ place: { kind: "response", conversation: "c1", n: 0, response_id: "m1" } }));
    for (let turn = 0; turn < 20; turn += 1) {
      await apply(callObservation({ result: result("boom", FAILED), occurred_at: NOON + 1000 * (turn + 1) }));
    }
    expect(await store.summary({})).toMatchObject({
      calls: 1,
      ok: 0,
      failed: 1,
      unknown: 0,
      pending: 0,
      failure_rate: 1,
    });
  });

  it("reports which calls increment live counters: once, when live traffic settles them", async () => {
    const settled = callObservation({ result: result("boom", FAILED), model: "m", provider: "anthropic" });
    const first = await apply(settled);
    const second = await apply(settled);
    expect(first.counted).toEqual([
      { provider: "anthropic", model: "m", tool_name: "Bash", outcome: "failed", category: "exit_code" },
    ]);
    expect(second.counted).toEqual([]);
  });

  it("updates rollups but no counter when a start replays the journal", async () => {
    const replayed = await replay(callObservation({ result: result("fine") }));
    expect(replayed.counted).toEqual([]);
    expect(await store.summary({})).toMatchObject({ calls: 1, ok: 1 });
  });

  it("does not count pending calls, and counts an unknown outcome as a call without a rate", async () => {
    await apply(callObservation({ tool_call_id: "toolu_pending00001" }));
    await apply(callObservation({ tool_call_id: "toolu_unknown00001", result: result("", UNKNOWN) }));
    expect(await store.summary({})).toMatchObject({ calls: 1, unknown: 1, pending: 1, failure_rate: null });
  });

  it("applies the valid lines of a batch and returns the invalid ones with a reason", async () => {
    const applied = await applyText(`{"half": \n${lines(callObservation({ result: result("fine") }))}{"v":2}\n`);
    expect(applied.observations).toBe(1);
    expect(applied.rejected).toEqual([
      { line: '{"half": ', reason: "not JSON" },
      { line: '{"v":2}', reason: "v is 2, expected 1" },
    ]);
  });

  it("stores the journal position together with the rows", async () => {
    expect(await store.appliedPosition("j1")).toBeUndefined();
    await store.apply({ journal: "j1", position: "00000001:42", live: true, lines: lines(requestObservation()) });
    expect(await store.appliedPosition("j1")).toBe("00000001:42");
    expect(await store.appliedPosition("j2")).toBeUndefined();
  });

  it("breaks failures down by tool, model, provider, category, day and session", async () => {
    await apply(
      callObservation({
        tool_call_id: "toolu_1aaaaaaaaaaa",
        name: "Bash",
        model: "big",
        result: result("1", FAILED),
      }),
      callObservation({ tool_call_id: "toolu_2aaaaaaaaaaa", name: "Bash", model: "big", result: result("2", OK) }),
      callObservation({
        tool_call_id: "toolu_3aaaaaaaaaaa",
        name: "Read",
        model: "small",
        session_id: "s2",
        result: result("3", OK),
      }),
      callObservation({
        tool_call_id: "toolu_4aaaaaaaaaaa",
        name: "Read",
        session_id: "s2",
        occurred_at: NOON + 86_400_000,
        result: result("4", { ...FAILED, category: "timeout" }),
      }),
    );
    const short = async (by: Parameters<Store["breakdown"]>[0]): Promise<unknown> =>
      (await store.breakdown(by, {})).map(({ key, calls, failed, failure_rate, top_category }) => [
        key,
        calls,
        failed,
        failure_rate,
        top_category,
      ]);
    expect(await short("tool")).toEqual([
      ["Bash", 2, 1, 0.5, "exit_code"],
      ["Read", 2, 1, 0.5, "timeout"],
    ]);
    expect(await short("model")).toEqual([
      ["big", 2, 1, 0.5, "exit_code"],
      ["unknown", 1, 1, 1, "timeout"],
      ["small", 1, 0, 0, null],
    ]);
    expect(await short("category")).toEqual([
      ["exit_code", 1, 1, 1, "exit_code"],
      ["timeout", 1, 1, 1, "timeout"],
    ]);
    expect(await short("day")).toEqual([
      ["2026-03-10", 3, 1, 1 / 3, "exit_code"],
      ["2026-03-11", 1, 1, 1, "timeout"],
    ]);
    expect(await short("session")).toEqual([
      ["s1", 2, 1, 0.5, "exit_code"],
      ["s2", 2, 1, 0.5, "timeout"],
    ]);
    expect((await store.breakdown("tool", { since: NOON + 80_000_000 })).map(({ key }) => key)).toEqual(["Read"]);
    expect(await store.breakdown("tool", { project: "other" })).toEqual([]);
  });

  it("counts the failures of each session by phase", async () => {
    const outcomes = [
      ["s1", FAILED],
      ["s1", { ...FAILED, category: "timeout" }],
      ["s1", { ...FAILED, category: "invalid_arguments", phase: "call" }],
      ["s1", OK],
      ["s2", { ...FAILED, category: "permission_denied", phase: "gate" }],
      ["s3", OK],
    ] as const;
    await apply(
      ...outcomes.map(([session_id, outcome], at) =>
        callObservation({ tool_call_id: `toolu_${at}aaaaaaaaaaa`, session_id, result: result(String(at), outcome) }),
      ),
    );
    expect((await store.breakdown("session", {})).map(({ key, phases }) => [key, phases])).toEqual([
      ["s1", { call: 1, gate: 0, run: 2 }],
      ["s2", { call: 0, gate: 1, run: 0 }],
      ["s3", { call: 0, gate: 0, run: 0 }],
    ]);
  });

  it("counts a soft failure separately as ok, outside the failure categories", async () => {
    const soft = { ...OK, soft: true, reported: "failed", category: "not_found", phase: "run" } as const;
    await apply(callObservation({ result: result("ok, but: not found", soft) }));
    expect(await store.summary({})).toMatchObject({ calls: 1, ok: 1, failed: 0, soft: 1 });
    expect(await store.breakdown("category", {})).toEqual([]);
    expect(await store.breakdown("tool", {})).toMatchObject([{ key: "Bash", top_category: null }]);
  });

  it("lists sessions with counts, success rate and health, newest first", async () => {
    await apply(
      requestObservation({ client: "claude-code", provider: "anthropic", model: "asked" }),
      callObservation({
        result: result("boom", FAILED),
        model: "answered",
        place: { kind: "response", conversation: "c1", n: 0, response_id: "x" },
      }),
      requestObservation({ session_id: "s2", request_id: "r2", occurred_at: NOON + 5 }),
    );
    expect(await store.sessions({})).toMatchObject([
      { session_id: "s2", requests: 1, calls: 0, success_rate: 1, health: "healthy", client: null },
      {
        session_id: "s1",
        source: "proxy",
        client: "claude-code",
        provider: "anthropic",
        model_used: "answered",
        requests: 1,
        calls: 1,
        failed: 1,
        success_rate: 0,
        health: "degraded",
        started_at: "2026-03-10T12:00:00.000Z",
      },
    ]);
    expect(await store.sessions({ limit: 1 })).toHaveLength(1);
  });

  it("gives a session the workflow of most of its calls; `other` only when no other is known", async () => {
    const work = (session_id: string, kinds: readonly (string | undefined)[]): readonly object[] =>
      kinds.map((workflow, at) =>
        callObservation({
          session_id,
          tool_call_id: `${session_id}${at}`,
          occurred_at: NOON + at,
          result: result("x"),
          ...(workflow !== undefined && { workflow }),
        }),
      );
    await apply(...work("mixed", ["docs", "test", "test", "other", "other", "other"]));
    await apply(...work("equal", ["test", "docs"]));
    await apply(...work("talk", ["other"]));
    await apply(...work("unknown", [undefined]));
    const found = await store.sessions({});
    const byId = Object.fromEntries(found.map(({ session_id, workflow }) => [session_id, workflow]));
    expect(byId).toEqual({ mixed: "test", equal: "docs", talk: "other", unknown: null });
    expect((await store.sessionDetail("default", "mixed"))?.session.workflow).toBe("test");
    expect((await store.sessions({ workflow: "docs" })).map((row) => [row.session_id, row.workflow]).sort()).toEqual([
      ["equal", "docs"],
      ["mixed", "test"],
    ]);
  });

  it("counts all unhealthy sessions, as the list of sessions does, also when they move on or are deleted", async () => {
    const calls = (session_id: string, outcomes: readonly (typeof OK)[], at: number): readonly object[] =>
      outcomes.map((outcome, n) =>
        callObservation({
          session_id,
          tool_call_id: `${session_id}-${at}-${n}`,
          occurred_at: at + n,
          result: result(`${n}`, outcome),
        }),
      );
    const unhealthy = [FAILED, FAILED, FAILED, OK, OK];
    const ids = Array.from({ length: 501 }, (_, n) => `s${n}`);
    await apply(...ids.flatMap((id) => calls(id, unhealthy, NOON)));
    await apply(...calls("well", [OK, OK, OK, OK, OK], NOON));
    expect(await store.unhealthySessions({})).toBe(501);
    expect(await store.unhealthySessions({ since: NOON, until: NOON + 3_600_000 })).toBe(501);
    // A call moves a session to another hour.
    await apply(...calls("s1", [FAILED], NOON + 2 * 3_600_000));
    expect(await store.unhealthySessions({ since: NOON + 2 * 3_600_000 })).toBe(1);
    await store.deleteSession("default", "s1", NOON);
    expect(await store.unhealthySessions({})).toBe(500);
    expect(await store.unhealthySessions({ project: "another" })).toBe(0);
    expect(await store.sessions({ health: "unhealthy", limit: 1000 })).toHaveLength(500);
  });

  it("gives no success rate and no health without an outcome", async () => {
    await apply(callObservation({ result: result("", UNKNOWN) }));
    expect(await store.sessions({})).toMatchObject([{ success_rate: null, health: "insufficient" }]);
  });

  it("a session whose calls all wait for a result is insufficient everywhere, until the first result", async () => {
    const waiting = callObservation({ place: { kind: "response", conversation: "c1", n: 0, response_id: "m1" } });
    await apply(
      waiting,
      callObservation({
        tool_call_id: "toolu_b",
        place: { kind: "response", conversation: "c1", n: 1, response_id: "m1" },
      }),
    );
    const listed = async (health: Health): Promise<readonly SessionRow[]> => await store.sessions({ health });
    expect(await listed("healthy")).toEqual([]);
    expect(await listed("insufficient")).toMatchObject([{ calls: 0, success_rate: null }]);
    const { session, scores } = (await store.sessionDetail("default", "s1")) as SessionDetail;
    expect([session.health, session.success_rate]).toEqual(["insufficient", null]);
    expect(scores.map(({ name, value }) => [name, value])).toEqual([
      ["session_health", "insufficient"],
      ["session_rate_health", "insufficient"],
    ]);
    await apply(callObservation({ result: result("text") }));
    expect(await listed("insufficient")).toEqual([]);
    expect(await listed("healthy")).toMatchObject([{ calls: 1, success_rate: 1 }]);
  });

  it("writes events as lines that can be read until every reader has passed them", async () => {
    await apply(
      requestObservation(),
      callObservation({
        result: result("boom", FAILED),
        arguments: { fingerprint: "f", keys: {}, resources: [], size_bytes: 7 },
      }),
    );
    const events = await store.events(0, 10);
    expect(events.map(({ line }) => (JSON.parse(line) as { type: string }).type)).toEqual([
      "session_started",
      "request_recorded",
      "tool_call_requested",
      "tool_call_recorded",
    ]);
    expect(await store.lastEvent()).toBe(events.at(-1)?.id);
    expect(JSON.parse(events.at(-1)?.line as string)).toMatchObject({
      type: "tool_call_recorded",
      session_id: "s1",
      tool_name: "Bash",
      tool_call_id: "toolu_aaaaaaaaaaaa",
      success: false,
      execution_time_ms: null,
      output_size_bytes: 4,
      input_size_bytes: 7,
      timestamp: "2026-03-10T12:00:00.000Z",
    });
    expect(await store.eventText(0)).toMatchObject({
      text: events.map(({ line }) => `${line}\n`).join(""),
      last: events.at(-1)?.id,
    });
    const third = events[2]?.id ?? 0;
    expect(await store.eventText(third)).toMatchObject({ text: `${events.at(-1)?.line}\n` });
    expect(await store.eventText(events.at(-1)?.id ?? 0)).toBeUndefined();
    await store.moveCursor("events", 3);
    expect(await store.cursor("events")).toBe(3);
    expect(await store.cursor("other")).toBe(0);
  });
});
