import { expect, it } from "vitest";
import type { CallObservation, Observation } from "../../src/core/model/observation.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { FAILED, NOON, OK, requestObservation, settledCall, UNKNOWN } from "../support/observations.ts";

describeEveryStore("the life of a session in a store", () => {
  const session = (event: "stopped" | "ended" | "started" | "idle", occurred_at: number): Observation => ({
    ...requestObservation({ occurred_at }),
    kind: "session",
    event,
  });
  const events = async (...types: string[]): Promise<Record<string, unknown>[]> =>
    (await store.events(0, 1000)).map(({ line }) => JSON.parse(line)).filter(({ type }) => types.includes(type));
  it("every stop scores the session from stored rows, later calls continue it, and the client's end ends it (K1, K9)", async () => {
    await apply(settledCall(0, "Read"), settledCall(1, "Bash", FAILED));
    await apply(session("stopped", NOON + 2000));
    await apply(settledCall(3, "Edit", { ...FAILED, category: "timeout", severity: 0.75 }));
    await apply(session("stopped", NOON + 4000));
    await apply(session("ended", NOON + 5000));
    expect(
      (await events("session_scored", "session_ended")).map(({ type, calls, session_success_rate }) => [
        type,
        calls,
        session_success_rate,
      ]),
    ).toEqual([
      ["session_scored", 2, 0.5],
      ["session_scored", 3, 1 - 2 / 3],
      ["session_scored", 3, 1 - 2 / 3],
      ["session_ended", 3, undefined],
    ]);
    expect(await store.sessions({})).toMatchObject([
      {
        session_id: "s1",
        ended_at: "2026-03-10T12:00:05.000Z",
        stopped_at: "2026-03-10T12:00:04.000Z",
        dominant_failure_mode: "exit_code",
        worst_severity: 0.8,
        health: "degraded",
        rate_health: "insufficient",
      },
    ]);
  });

  it("open calls are closed when the session ends, without waiting for the idle timeout (K8)", async () => {
    const { result: _none, ...pending } = settledCall(0, "Bash");
    await apply(pending as CallObservation);
    expect(await store.idleCalls(NOON, 10)).toEqual([]);
    await apply(session("ended", NOON + 10));
    expect(await store.idleCalls(NOON, 10)).toHaveLength(1);
  });

  it("a session is listed as idle until its end is recorded", async () => {
    await apply(settledCall(0, "Bash", FAILED));
    expect(await store.idleSessions(NOON, 10)).toEqual([]);
    expect(await store.idleSessions(NOON + 1, 10)).toEqual([
      { project: "default", session_id: "s1", last_at: NOON, source: "proxy" },
    ]);
    await apply(session("idle", NOON));
    expect(await store.idleSessions(NOON + 1, 10)).toEqual([]);
    expect(await events("session_scored")).toMatchObject([{ session_health: "degraded", failed: 1 }]);
    expect(await events("session_ended")).toMatchObject([
      { reason: "idle", timestamp: "2026-03-10T12:00:00.000Z", calls: 1, failed: 1 },
    ]);
    await apply(settledCall(1, "Read"));
    expect(await store.idleSessions(NOON + 1001, 10)).toHaveLength(1);
  });

  it("a session ends once and is scored once: when it becomes idle after a stop, or when the client ends it", async () => {
    await apply(settledCall(0, "Bash", FAILED));
    await apply(session("stopped", NOON + 500));
    expect(await events("session_ended")).toEqual([]);
    expect(await store.idleSessions(NOON + 501, 10)).toMatchObject([{ last_at: NOON + 500 }]);
    await apply(session("idle", NOON + 500));
    expect(await store.idleSessions(NOON + 501, 10)).toEqual([]);
    expect((await events("session_scored", "session_ended")).map(({ type, reason }) => [type, reason])).toEqual([
      ["session_scored", undefined],
      ["session_ended", "idle"],
    ]);
    await apply(settledCall(2, "Read"), session("ended", NOON + 3000));
    expect(await store.idleSessions(NOON + 9e9, 10)).toEqual([]);
    expect((await events("session_ended")).map(({ reason, calls }) => [reason, calls])).toEqual([
      ["idle", 1],
      ["client", 2],
    ]);
  });

  it("the detail of a session comes in order and in pages, with the scores of the session and of each call", async () => {
    await apply(settledCall(1, "Bash", FAILED), settledCall(0, "Read"), settledCall(2, "Edit", UNKNOWN));
    const detail = await store.sessionDetail("default", "s1", { offset: 1, limit: 1 });
    const id = detail?.calls[0]?.id;
    const trace = detail?.session.trace_id;
    expect(detail).toMatchObject({ total: 3, offset: 1, session: { session_id: "s1", calls: 3 } });
    expect(detail?.calls).toMatchObject([{ tool_name: "Bash", position: 1 }]);
    expect(detail?.calls[0]?.scores).toEqual([
      { id: `${id}-tool_success`, name: "tool_success", data_type: "BOOLEAN", value: 0 },
      { id: `${id}-failure_category`, name: "failure_category", data_type: "CATEGORICAL", value: "exit_code" },
      { id: `${id}-error_severity`, name: "error_severity", data_type: "NUMERIC", value: 0.8 },
      { id: `${id}-is_cascade_failure`, name: "is_cascade_failure", data_type: "BOOLEAN", value: 0 },
    ]);
    expect(detail?.scores).toEqual([
      { id: `${trace}-session_success_rate`, name: "session_success_rate", data_type: "NUMERIC", value: 0.5 },
      { id: `${trace}-session_health`, name: "session_health", data_type: "CATEGORICAL", value: "degraded" },
      {
        id: `${trace}-dominant_failure_mode`,
        name: "dominant_failure_mode",
        data_type: "CATEGORICAL",
        value: "exit_code",
      },
      {
        id: `${trace}-session_rate_health`,
        name: "session_rate_health",
        data_type: "CATEGORICAL",
        value: "insufficient",
      },
    ]);
    expect(await store.sessionDetail("default", "nobody")).toBeUndefined();
    expect(await store.sessionDetail("other", "s1")).toBeUndefined();
  });

  it("deletion removes a session, from the aggregates too", async () => {
    const timed = { execution_time_ms: 120, model: "m", prompt: "p" };
    const outcome = { ...FAILED, fingerprint: "f1" };
    await apply(settledCall(0, "Bash", outcome, timed), settledCall(1, "Read", OK, { session_id: "s2" }));
    expect(await store.deleteSession("default", "s1", NOON + 5)).toMatchObject({ sessions: 1, calls: 1 });
    expect(await store.deleteSession("default", "s1", NOON + 5)).toMatchObject({ sessions: 0, calls: 0 });
    expect(await store.sessions({})).toMatchObject([{ session_id: "s2" }]);
    expect(await store.summary({})).toMatchObject({ calls: 1, failed: 0, sessions: 1 });
    expect(await store.fingerprints({})).toEqual([]);
    expect(await store.breakdown("tool", {})).toMatchObject([{ key: "Read", p95_ms: null }]);
    expect(await store.sessionDetail("default", "s1")).toBeUndefined();
    // Later activity starts the session again.
    const later = { occurred_at: NOON + 10, seen_at: NOON + 10, place: { kind: "exact", n: 0 } } as const;
    await apply(settledCall(0, "Bash", outcome, { ...timed, ...later }));
    expect(await store.summary({})).toMatchObject({ calls: 2, failed: 1, sessions: 2 });
  });

  it("retention deletes a session in small batches, and the aggregates keep it", async () => {
    await apply(
      settledCall(0, "Bash", FAILED),
      settledCall(1, "Read", OK, { session_id: "s2" }),
      settledCall(9, "Read", OK, { session_id: "s3" }),
    );
    expect(await store.deleteBefore(NOON + 5000, 1, NOON)).toMatchObject({ sessions: 1, calls: 1 });
    expect(await store.deleteBefore(NOON + 5000, 9, NOON)).toMatchObject({ sessions: 1, calls: 1 });
    expect(await store.deleteBefore(NOON + 5000, 9, NOON)).toMatchObject({ sessions: 0, calls: 0 });
    expect((await store.sessions({})).map(({ session_id }) => session_id)).toEqual(["s3"]);
    expect(await store.summary({})).toMatchObject({ calls: 3, sessions: 3 });
    expect(await store.breakdown("tool", {})).toMatchObject([
      { key: "Bash", calls: 1, failed: 1 },
      { key: "Read", calls: 2 },
    ]);
  });
});
