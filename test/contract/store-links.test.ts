import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CallObservation, Observation } from "../../src/core/model/observation.ts";
import type { Health } from "../../src/core/score/index.ts";
import type { Batch, CallRow, SessionDetail, Store } from "../../src/store/port.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
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

/** The n-th call of a thread: settled, in its own turn, named `toolu_` plus a letter. */
function call(n: number, name: string, outcome = OK, fields: Partial<CallObservation> = {}): CallObservation {
  const id = `toolu_${String.fromCharCode(97 + n)}aaaaaaaaaaa`;
  return callObservation({
    tool_call_id: id,
    name,
    occurred_at: NOON + n * 1000,
    turn: id,
    turn_index: 0,
    result: result(id, outcome),
    ...fields,
  });
}

const about = (...resources: string[]): Pick<CallObservation, "arguments"> => ({
  arguments: { fingerprint: resources.join(), keys: {}, resources, size_bytes: 1 },
});

async function rows(): Promise<readonly CallRow[]> {
  return (await store.sessionDetail("default", "s1"))?.calls ?? [];
}

/** Links, with each call id shortened to its letter. */
async function links(): Promise<readonly string[]> {
  const calls = await rows();
  const letter = new Map(calls.map(({ id, tool_call_id }) => [id, tool_call_id.charAt(6)]));
  const named = (name: string, id: string | null): string => (id === null ? "" : ` ${name}=${letter.get(id) ?? "?"}`);
  return calls.map(
    (one) =>
      `${one.position} ${one.tool_name} ${one.status}${one.is_cascade_failure === true ? " streak" : ""}` +
      named("retry_of", one.retry_of) +
      named("recovered_by", one.recovered_by) +
      named("cascade_of", one.cascade_of) +
      (one.cascade_rule === null ? "" : ` (${one.cascade_rule})`),
  );
}

describeEveryStore("links in a store", () => {
  it("a root failure, its follow-ons, its retries and the recovery are distinguished", async () => {
    const makesOut = about("makes:out", "target:out");
    const all = [
      call(0, "Read"),
      call(1, "Bash", FAILED, makesOut),
      call(2, "Read", FAILED, about("path:out/x", "under:out")),
      call(3, "Edit", FAILED, about("path:out/x", "under:out")),
      call(4, "Glob", FAILED, about("path:out")),
      call(5, "Bash", FAILED, makesOut),
      call(6, "Bash", OK, makesOut),
      call(7, "Grep", FAILED, about("path:out")),
    ];
    const expected = [
      "0 Read ok",
      "1 Bash failed recovered_by=g",
      "2 Read failed streak cascade_of=b (inside)",
      "3 Edit failed streak cascade_of=b (path)",
      "4 Glob failed streak cascade_of=b (path)",
      "5 Bash failed streak retry_of=b recovered_by=g",
      "6 Bash ok retry_of=f",
      // Its cause was already recovered, so this is another root failure.
      "7 Grep failed",
    ];
    for (const one of all) await apply(one);
    expect(await links()).toEqual(expected);
    expect(await store.sessions({})).toMatchObject([
      { calls: 8, failed: 6, follow_on: 3, retries: 2, recovered: 2, unrecovered: 1, rate_health: "unhealthy" },
    ]);
    expect(await store.breakdown("tool", {})).toMatchObject([
      { key: "Bash", failed: 2, recovered: 2, retries: 2, follow_on: 0 },
      { key: "Read", failed: 1, follow_on: 1 },
      { key: "Edit", follow_on: 1 },
      { key: "Glob", follow_on: 1 },
      { key: "Grep", failed: 1, follow_on: 0 },
    ]);
  });

  it("links are the same when calls arrive in reverse order", async () => {
    const makesOut = about("makes:out", "target:out");
    for (const one of [
      call(3, "Bash", OK, makesOut),
      call(2, "Read", FAILED, about("path:out/x", "under:out")),
      call(1, "Bash", FAILED, makesOut),
      call(0, "Read"),
    ])
      await apply(one);
    expect(await links()).toEqual([
      "0 Read ok",
      "1 Bash failed recovered_by=d",
      "2 Read failed streak cascade_of=b (inside)",
      "3 Bash ok retry_of=b",
    ]);
    expect(await store.summary({})).toMatchObject({
      failed: 2,
      recovered: 1,
      follow_on: 1,
      retries: 1,
      unrecovered: 0,
    });
  });

  it("rate health uses the configured thresholds, from the session's next activity on (K20)", async () => {
    const thresholds = { min_calls: 2, healthy_below: 0.6, unhealthy_from: 0.9, unhealthy_unrecovered: 5 };
    const batch = (position: string, ...observations: readonly Observation[]): Batch => ({
      ...{ journal: "j", position, live: true, lines: lines(...observations) },
    });
    const readHealth = async (): Promise<readonly unknown[]> => {
      const [row] = await store.sessions({});
      const { scores } = (await store.sessionDetail("default", row?.session_id as string)) as SessionDetail;
      const score = scores.find(({ name }) => name === "session_rate_health")?.value;
      const found = await store.sessions({ rate_health: row?.rate_health as Health });
      return [row?.health, row?.rate_health, score, found.length];
    };
    await store.apply(batch("1", call(0, "Read"), call(1, "Bash", FAILED)));
    expect(await readHealth()).toEqual(["degraded", "insufficient", "insufficient", 1]);
    await store.apply({ ...batch("2", call(2, "Read")), thresholds });
    expect(await readHealth()).toEqual(["degraded", "degraded", "degraded", 1]);
    await store.apply({ ...batch("3", call(3, "Read")), thresholds: { ...thresholds, unhealthy_unrecovered: 1 } });
    expect(await readHealth()).toEqual(["degraded", "unhealthy", "unhealthy", 1]);
    await store.apply(batch("4", call(4, "Read")));
    expect(await readHealth()).toEqual(["degraded", "degraded", "degraded", 1]);
  });

  it("a follow-on is linked only through a shared resource and only up to the next user message (K11)", async () => {
    await apply(
      call(0, "Bash", FAILED, { ...about("target:x"), prompt: "p1" }),
      call(1, "Read", FAILED, { ...about("path:y"), prompt: "p1" }),
      call(2, "Edit", FAILED, { ...about("path:x"), prompt: "p2" }),
      call(3, "Grep", FAILED, { ...about("path:y"), prompt: "p1" }),
    );
    expect(await links()).toEqual([
      "0 Bash failed",
      "1 Read failed streak",
      "2 Edit failed streak",
      "3 Grep failed streak cascade_of=b (path)",
    ]);
  });

  it("parallel calls have one position and are never linked to each other (K11)", async () => {
    const turn = { turn: "toolu_baaaaaaaaaaa" };
    await apply(
      call(0, "Read"),
      call(1, "Bash", FAILED, { ...about("path:x"), ...turn }),
      call(2, "Edit", FAILED, { ...about("path:x"), ...turn, turn_index: 1, occurred_at: NOON + 1000 }),
      call(3, "Grep", OK, about("path:z")),
    );
    expect(await links()).toEqual(["0 Read ok", "1 Bash failed", "1 Edit failed", "2 Grep ok"]);
    expect((await rows())[2]).toMatchObject({ preceding_tool: "Read", preceding_success: true });
    expect((await rows())[3]).toMatchObject({ preceding_tool: "Edit", preceding_success: false });
  });

  it("calls are linked neither across the threads of agents nor across sessions", async () => {
    await apply(
      call(0, "Bash", FAILED, about("path:x")),
      call(1, "Read", FAILED, { ...about("path:x"), agent_id: "a1" }),
      call(2, "Read", FAILED, { ...about("path:x"), session_id: "s2" }),
    );
    expect(await links()).toEqual(["0 Bash failed", "0 Read failed"]);
  });

  it("pending calls are left out of the chain until they settle, and an unknown call is no preceding success", async () => {
    const { result: _none, ...pending } = call(0, "Bash", FAILED, about("path:x"));
    await apply(pending as CallObservation, call(1, "Read", UNKNOWN), call(2, "Edit", FAILED, about("path:x")));
    expect(await links()).toEqual(["null Bash pending", "0 Read unknown", "1 Edit failed"]);
    expect((await rows())[2]).toMatchObject({ preceding_tool: "Read", preceding_success: null });
    await apply(call(0, "Bash", FAILED, about("path:x")));
    expect(await links()).toEqual(["0 Bash failed", "1 Read unknown", "2 Edit failed cascade_of=a (path)"]);
  });

  it("links are removed when the outcome they depend on changes", async () => {
    await apply(
      call(0, "Bash", { ...FAILED, flag: "absent" }, about("path:x")),
      call(1, "Read", FAILED, about("path:x")),
    );
    expect((await links())[1]).toBe("1 Read failed streak cascade_of=a (path)");
    // A protocol flag overrides what the text reports.
    await apply(call(0, "Bash", OK, about("path:x")));
    expect(await links()).toEqual(["0 Bash ok", "1 Read failed"]);
    expect(await store.summary({})).toMatchObject({ failed: 1, follow_on: 0, unrecovered: 1 });
  });

  it("calls that first appear together in one history are ordered by their position in it", async () => {
    const historyCall = (n: number, name: string, order: number): CallObservation =>
      call(n, name, OK, { occurred_at: NOON, order });
    await apply(historyCall(0, "Third", 2), historyCall(1, "First", 0), historyCall(2, "Second", 1));
    expect(await links()).toEqual(["0 First ok", "1 Second ok", "2 Third ok"]);
  });

  it("a long thread is renumbered when its first call arrives last, and linked only within the window", async () => {
    const threadCall = (n: number, outcome = OK): CallObservation =>
      call(0, "Bash", outcome, {
        tool_call_id: `toolu_${String(n).padStart(12, "x")}q`,
        turn: `t${n}`,
        occurred_at: NOON + n * 1000,
        ...about(`path:${n}`),
        result: result(String(n), outcome),
      });
    await apply(...Array.from({ length: 700 }, (_, n) => threadCall(n + 1)));
    await apply(
      { ...threadCall(0, FAILED), ...about("path:64") },
      { ...threadCall(800, FAILED), ...about("path:700") },
    );
    const positions = (await rows()).map(({ position }) => position);
    expect(positions).toEqual(Array.from({ length: 702 }, (_, n) => n));
    expect((await rows())[1]).toMatchObject({ preceding_success: false });
    // The 64th call after a failure is within the window, the next one is not.
    expect((await rows())[64]).toMatchObject({ retry_count: 1 });
    await apply({
      ...threadCall(0, FAILED),
      ...about("path:65"),
      occurred_at: NOON - 5,
      turn: "other",
      tool_call_id: "toolu_other00000x",
    });
    expect((await rows())[66]).toMatchObject({ position: 66, retry_of: null });
  });

  it("calls get the workflow of the prompt they name, in either order of arrival", async () => {
    const prompt = (id: string, workflow: string): Observation => ({
      ...requestObservation(),
      kind: "prompt",
      prompt: id,
      workflow,
    });
    await apply(prompt("p1", "bug fix"));
    await apply(call(0, "Bash", OK, { prompt: "p1" }), call(1, "Bash", FAILED, { prompt: "p2" }), call(2, "Read"));
    await apply(prompt("p2", "feature"));
    await apply(prompt("p2", "feature"));
    expect((await rows()).map(({ workflow }) => workflow)).toEqual(["bug fix", "feature", null]);
    expect(await store.breakdown("workflow", {})).toMatchObject([
      { key: "feature", calls: 1, failed: 1 },
      { key: "bug fix", calls: 1 },
      { key: "unknown", calls: 1 },
    ]);
    expect((await store.sessionDetail("default", "s1"))?.prompts.map(({ prompt: id }) => id)).toEqual(["p1", "p2"]);
    expect(await store.sessions({ workflow: "feature" })).toHaveLength(1);
    expect(await store.sessions({ workflow: "docs" })).toEqual([]);
  });

  it("a prompt reported twice counts once, and two prompts of the same time count as two (K17)", async () => {
    const promptOf = (prompt: string, occurred_at = NOON): Observation => ({
      ...requestObservation(),
      kind: "prompt",
      prompt,
      occurred_at,
    });
    await apply(promptOf("p1"), promptOf("p2"), promptOf("p1", NOON + 2000));
    expect((await store.sessionDetail("default", "s1"))?.prompts).toHaveLength(2);
  });

  it("sessions named a/b and a_b are kept apart (K19)", async () => {
    await apply(
      call(0, "Bash", FAILED, { ...about("path:x"), session_id: "a/b" }),
      call(1, "Read", FAILED, { ...about("path:x"), session_id: "a_b" }),
    );
    const detail = await store.sessionDetail("default", "a_b");
    expect(detail?.calls).toMatchObject([{ position: 0, is_cascade_failure: false, cascade_of: null }]);
    expect(await store.sessions({})).toHaveLength(2);
  });
});

describeEveryStore("the life of a session in a store", () => {
  const session = (event: "stopped" | "ended" | "started" | "idle", occurred_at: number): Observation => ({
    ...requestObservation({ occurred_at }),
    kind: "session",
    event,
  });
  const events = async (...types: string[]): Promise<Record<string, unknown>[]> =>
    (await store.events(0, 1000)).map(({ line }) => JSON.parse(line)).filter(({ type }) => types.includes(type));
  it("every stop scores the session from stored rows, later calls continue it, and the client's end ends it (K1, K9)", async () => {
    await apply(call(0, "Read"), call(1, "Bash", FAILED));
    await apply(session("stopped", NOON + 2000));
    await apply(call(3, "Edit", { ...FAILED, category: "timeout", severity: 0.75 }));
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
    const { result: _none, ...pending } = call(0, "Bash");
    await apply(pending as CallObservation);
    expect(await store.idleCalls(NOON, 10)).toEqual([]);
    await apply(session("ended", NOON + 10));
    expect(await store.idleCalls(NOON, 10)).toHaveLength(1);
  });

  it("a session is listed as idle until its end is recorded", async () => {
    await apply(call(0, "Bash", FAILED));
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
    await apply(call(1, "Read"));
    expect(await store.idleSessions(NOON + 1001, 10)).toHaveLength(1);
  });

  it("a session ends once and is scored once: when it becomes idle after a stop, or when the client ends it", async () => {
    await apply(call(0, "Bash", FAILED));
    await apply(session("stopped", NOON + 500));
    expect(await events("session_ended")).toEqual([]);
    expect(await store.idleSessions(NOON + 501, 10)).toMatchObject([{ last_at: NOON + 500 }]);
    await apply(session("idle", NOON + 500));
    expect(await store.idleSessions(NOON + 501, 10)).toEqual([]);
    expect((await events("session_scored", "session_ended")).map(({ type, reason }) => [type, reason])).toEqual([
      ["session_scored", undefined],
      ["session_ended", "idle"],
    ]);
    await apply(call(2, "Read"), session("ended", NOON + 3000));
    expect(await store.idleSessions(NOON + 9e9, 10)).toEqual([]);
    expect((await events("session_ended")).map(({ reason, calls }) => [reason, calls])).toEqual([
      ["idle", 1],
      ["client", 2],
    ]);
  });

  it("the detail of a session comes in order and in pages, with the scores of the session and of each call", async () => {
    await apply(call(1, "Bash", FAILED), call(0, "Read"), call(2, "Edit", UNKNOWN));
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
    await apply(call(0, "Bash", outcome, timed), call(1, "Read", OK, { session_id: "s2" }));
    expect(await store.deleteSession("default", "s1", NOON + 5)).toMatchObject({ sessions: 1, calls: 1 });
    expect(await store.deleteSession("default", "s1", NOON + 5)).toMatchObject({ sessions: 0, calls: 0 });
    expect(await store.sessions({})).toMatchObject([{ session_id: "s2" }]);
    expect(await store.summary({})).toMatchObject({ calls: 1, failed: 0, sessions: 1 });
    expect(await store.fingerprints({})).toEqual([]);
    expect(await store.breakdown("tool", {})).toMatchObject([{ key: "Read", p95_ms: null }]);
    expect(await store.sessionDetail("default", "s1")).toBeUndefined();
    // Later activity starts the session again.
    const later = { occurred_at: NOON + 10, seen_at: NOON + 10, place: { kind: "exact", n: 0 } } as const;
    await apply(call(0, "Bash", outcome, { ...timed, ...later }));
    expect(await store.summary({})).toMatchObject({ calls: 2, failed: 1, sessions: 2 });
  });

  it("retention deletes a session in small batches, and the aggregates keep it", async () => {
    await apply(
      call(0, "Bash", FAILED),
      call(1, "Read", OK, { session_id: "s2" }),
      call(9, "Read", OK, { session_id: "s3" }),
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

describeEveryStore("queries to a store", () => {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  it("sessions are filtered by any of their calls, and sorted", async () => {
    const timeout = { ...FAILED, category: "timeout" as const, severity: 0.75 };
    await apply(
      call(0, "Bash", FAILED, { session_id: "s1", model: "big" }),
      call(1, "Read", timeout, { session_id: "s1", model: "small" }),
      call(2, "Bash", OK, { session_id: "s2", model: "big" }),
      ...[3, 4, 5].map((n) => call(n, "Edit", timeout, { session_id: "s3" })),
    );
    const found = async (query: Parameters<Store["sessions"]>[0]): Promise<readonly string[]> =>
      (await store.sessions(query)).map(({ session_id }) => session_id);
    expect(await found({})).toEqual(["s3", "s2", "s1"]);
    expect(await found({ sort: "severity" })).toEqual(["s1", "s3", "s2"]);
    expect(await found({ sort: "failures" })).toEqual(["s3", "s1", "s2"]);
    expect(await found({ sort: "unrecovered", limit: 1, offset: 1 })).toEqual(["s1"]);
    expect(await found({ health: "unhealthy" })).toEqual(["s3"]);
    expect(await found({ category: "timeout" })).toEqual(["s3", "s1"]);
    expect(await found({ category: "timeout", tool: "Bash", model: "big" })).toEqual(["s1"]);
    expect(await found({ severity: { is: ">", value: 0.75 } })).toEqual(["s1"]);
    expect(await found({ severity: { is: ">=", value: 0.75 } })).toEqual(["s3", "s1"]);
    expect(await found({ severity: { is: "<", value: 0.8 } })).toEqual(["s3", "s1"]);
    expect(await found({ severity: { is: "=", value: 0.8 } })).toEqual(["s1"]);
    expect(await found({ text: "sma" })).toEqual(["s1"]);
    expect(await found({ text: "S3" })).toEqual(["s3"]);
    expect(await found({ text: "%" })).toEqual([]);
    expect(await found({ rate_health: "insufficient", health: "healthy" })).toEqual(["s2"]);
  });

  it("totals add up whole days and the hours at both ends of a range", async () => {
    const at = (ms: number, n: number): CallObservation => call(n, "Bash", FAILED, { occurred_at: ms });
    const midnight = NOON - 12 * HOUR;
    await apply(...[-1, 0, 1, DAY, 2 * DAY, 2 * DAY + 3 * HOUR].map((ms, n) => at(midnight + ms, n)));
    const failed = async (since?: number, until?: number): Promise<number> =>
      (await store.summary({ ...(since !== undefined && { since }), ...(until !== undefined && { until }) })).failed;
    expect(await failed()).toBe(6);
    expect(await failed(midnight)).toBe(5);
    expect(await failed(midnight - HOUR)).toBe(6);
    expect(await failed(midnight, midnight + 2 * DAY)).toBe(3);
    expect(await failed(midnight + 1, midnight + 2 * DAY + HOUR)).toBe(4);
    expect(await failed(midnight + HOUR, midnight + DAY)).toBe(0);
    expect((await store.breakdown("day", {})).map(({ key, failed: n }) => [key, n])).toEqual([
      ["2026-03-10", 2],
      ["2026-03-12", 2],
      ["2026-03-09", 1],
      ["2026-03-11", 1],
    ]);
    expect((await store.series({ step: "day" })).map(({ at: day, categories }) => [day, categories])).toEqual([
      [midnight - DAY, { exit_code: 1 }],
      [midnight, { exit_code: 2 }],
      [midnight + DAY, { exit_code: 1 }],
      [midnight + 2 * DAY, { exit_code: 2 }],
    ]);
    expect((await store.series({ step: "hour", since: midnight + 2 * DAY })).map(({ at: hour }) => hour)).toEqual([
      midnight + 2 * DAY,
      midnight + 2 * DAY + 3 * HOUR,
    ]);
  });

  it("rankings have phases, the previous window and slow durations", async () => {
    const gate = { ...FAILED, phase: "gate" as const, category: "permission_denied" as const };
    await apply(
      call(0, "Bash", FAILED, { occurred_at: NOON - 2 * HOUR, execution_time_ms: 99_000 }),
      call(1, "Bash", FAILED, { occurred_at: NOON, execution_time_ms: 100 }),
      call(2, "Bash", gate, { occurred_at: NOON, execution_time_ms: 1000 }),
      call(3, "Read", OK, { occurred_at: NOON }),
    );
    const [bash, read] = await store.breakdown("tool", { since: NOON, until: NOON + 2 * HOUR, previous: true });
    expect(bash).toMatchObject({ key: "Bash", failed: 2, excused: 1, phases: { call: 0, gate: 1, run: 1 } });
    expect(bash?.previous).toMatchObject({ calls: 1, failed: 1 });
    expect(bash?.p95_ms).toBeGreaterThan(900);
    expect(bash?.p95_ms).toBeLessThan(1100);
    expect(read).toMatchObject({ key: "Read", p95_ms: null, previous: { calls: 0 } });
    expect(await store.breakdown("category", { tool: "Bash", phase: "gate" })).toMatchObject([
      { key: "permission_denied", failed: 1 },
    ]);
  });

  it("totals are grouped by tool and model", async () => {
    await apply(
      call(0, "Bash", FAILED, { model: "big" }),
      call(1, "Bash", OK, { model: "big" }),
      call(2, "Bash", OK, { model: "small" }),
      call(3, "Read", OK),
    );
    expect(
      (await store.toolModel({})).map(({ tool, model, calls, failure_rate, top_category }) => [
        tool,
        model,
        calls,
        failure_rate,
        top_category,
      ]),
    ).toEqual([
      ["Bash", "big", 2, 0.5, "exit_code"],
      ["Bash", "small", 1, 0, null],
      ["Read", "unknown", 1, 0, null],
    ]);
  });

  it("the same failure is grouped across sessions, with first and last time and a sample", async () => {
    const same = (excerpt: string): typeof FAILED => ({ ...FAILED, fingerprint: "f1", excerpt });
    await apply(call(1, "Bash", same("second"), { session_id: "s2", model: "m" }));
    await apply(call(0, "Read", same("first")), call(2, "Bash", { ...FAILED, fingerprint: "f2" }));
    expect(await store.fingerprints({})).toEqual([
      {
        project: "default",
        fingerprint: "f1",
        category: "exit_code",
        count: 2,
        first_at: "2026-03-10T12:00:00.000Z",
        last_at: "2026-03-10T12:00:01.000Z",
        sample: "first",
        tools: { Bash: 1, Read: 1 },
        models: { m: 1, unknown: 1 },
        state: "open",
        state_at: null,
      },
      expect.objectContaining({ fingerprint: "f2", count: 1, sample: "" }),
    ]);
    expect(await store.fingerprints({ tool: "Read" })).toMatchObject([{ fingerprint: "f1", count: 2 }]);
    expect(await store.fingerprints({ tool: "Read", model: "gone" })).toEqual([]);
    expect(await store.fingerprints({ since: NOON + HOUR })).toEqual([]);
    await expect(store.fingerprints({ provider: "openai" })).rejects.toThrow("cannot be filtered by provider");
    await expect(store.breakdown("workflow", { model: "m" })).rejects.toThrow("cannot be filtered by model");
  });
});

describe("the scores view", () => {
  it("the scores view contains each score once, under its observation or its trace, even when it was emitted repeatedly", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolmend-scores-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "store.db");
    const sqlite = openSqliteStore(path);
    onTestFinished(() => sqlite.close());
    for (const position of ["1", "2"])
      await sqlite.apply({
        ...{ journal: "j", position, live: true },
        lines: lines(call(0, "Bash", FAILED), call(1, "Read"), call(2, "Edit", UNKNOWN)),
      });
    const db = new Database(path, { readOnly: true });
    const scores = db.all("SELECT id, name, data_type, value, string_value, observation_id, trace_id FROM scores");
    db.close();
    expect(scores).toHaveLength(9);
    expect(new Set(scores.map(({ id }) => id)).size).toBe(9);
    for (const { id, name, observation_id, trace_id } of scores)
      expect(id).toBe(`${observation_id ?? trace_id}-${name}`);
    const detail = await sqlite.sessionDetail("default", "s1");
    const expected = [...(detail?.scores ?? []), ...(detail?.calls ?? []).flatMap((one) => one.scores)];
    expect(new Set(scores.map(({ id, value, string_value }) => `${id} ${value ?? string_value}`))).toEqual(
      new Set(expected.map(({ id, value }) => `${id} ${value}`)),
    );
  });
});
