import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CallObservation, Observation } from "../../src/core/model/observation.ts";
import type { Health } from "../../src/core/score/index.ts";
import type { Batch, CallRow, SessionDetail } from "../../src/store/port.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { FAILED, lines, NOON, OK, requestObservation, result, settledCall, UNKNOWN } from "../support/observations.ts";

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
      settledCall(0, "Read"),
      settledCall(1, "Bash", FAILED, makesOut),
      settledCall(2, "Read", FAILED, about("path:out/x", "under:out")),
      settledCall(3, "Edit", FAILED, about("path:out/x", "under:out")),
      settledCall(4, "Glob", FAILED, about("path:out")),
      settledCall(5, "Bash", FAILED, makesOut),
      settledCall(6, "Bash", OK, makesOut),
      settledCall(7, "Grep", FAILED, about("path:out")),
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
      settledCall(3, "Bash", OK, makesOut),
      settledCall(2, "Read", FAILED, about("path:out/x", "under:out")),
      settledCall(1, "Bash", FAILED, makesOut),
      settledCall(0, "Read"),
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
    await store.apply(batch("1", settledCall(0, "Read"), settledCall(1, "Bash", FAILED)));
    expect(await readHealth()).toEqual(["degraded", "insufficient", "insufficient", 1]);
    await store.apply({ ...batch("2", settledCall(2, "Read")), thresholds });
    expect(await readHealth()).toEqual(["degraded", "degraded", "degraded", 1]);
    await store.apply({
      ...batch("3", settledCall(3, "Read")),
      thresholds: { ...thresholds, unhealthy_unrecovered: 1 },
    });
    expect(await readHealth()).toEqual(["degraded", "unhealthy", "unhealthy", 1]);
    await store.apply(batch("4", settledCall(4, "Read")));
    expect(await readHealth()).toEqual(["degraded", "degraded", "degraded", 1]);
  });

  it("a follow-on is linked only through a shared resource and only up to the next user message (K11)", async () => {
    await apply(
      settledCall(0, "Bash", FAILED, { ...about("target:x"), prompt: "p1" }),
      settledCall(1, "Read", FAILED, { ...about("path:y"), prompt: "p1" }),
      settledCall(2, "Edit", FAILED, { ...about("path:x"), prompt: "p2" }),
      settledCall(3, "Grep", FAILED, { ...about("path:y"), prompt: "p1" }),
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
      settledCall(0, "Read"),
      settledCall(1, "Bash", FAILED, { ...about("path:x"), ...turn }),
      settledCall(2, "Edit", FAILED, { ...about("path:x"), ...turn, turn_index: 1, occurred_at: NOON + 1000 }),
      settledCall(3, "Grep", OK, about("path:z")),
    );
    expect(await links()).toEqual(["0 Read ok", "1 Bash failed", "1 Edit failed", "2 Grep ok"]);
    expect((await rows())[2]).toMatchObject({ preceding_tool: "Read", preceding_success: true });
    expect((await rows())[3]).toMatchObject({ preceding_tool: "Edit", preceding_success: false });
  });

  it("calls are linked neither across the threads of agents nor across sessions", async () => {
    await apply(
      settledCall(0, "Bash", FAILED, about("path:x")),
      settledCall(1, "Read", FAILED, { ...about("path:x"), agent_id: "a1" }),
      settledCall(2, "Read", FAILED, { ...about("path:x"), session_id: "s2" }),
    );
    expect(await links()).toEqual(["0 Bash failed", "0 Read failed"]);
  });

  it("pending calls are left out of the chain until they settle, and an unknown call is no preceding success", async () => {
    const { result: _none, ...pending } = settledCall(0, "Bash", FAILED, about("path:x"));
    await apply(
      pending as CallObservation,
      settledCall(1, "Read", UNKNOWN),
      settledCall(2, "Edit", FAILED, about("path:x")),
    );
    expect(await links()).toEqual(["null Bash pending", "0 Read unknown", "1 Edit failed"]);
    expect((await rows())[2]).toMatchObject({ preceding_tool: "Read", preceding_success: null });
    await apply(settledCall(0, "Bash", FAILED, about("path:x")));
    expect(await links()).toEqual(["0 Bash failed", "1 Read unknown", "2 Edit failed cascade_of=a (path)"]);
  });

  it("links are removed when the outcome they depend on changes", async () => {
    await apply(
      settledCall(0, "Bash", { ...FAILED, flag: "absent" }, about("path:x")),
      settledCall(1, "Read", FAILED, about("path:x")),
    );
    expect((await links())[1]).toBe("1 Read failed streak cascade_of=a (path)");
    // A protocol flag overrides what the text reports.
    await apply(settledCall(0, "Bash", OK, about("path:x")));
    expect(await links()).toEqual(["0 Bash ok", "1 Read failed"]);
    expect(await store.summary({})).toMatchObject({ failed: 1, follow_on: 0, unrecovered: 1 });
  });

  it("calls that first appear together in one history are ordered by their position in it", async () => {
    const historyCall = (n: number, name: string, order: number): CallObservation =>
      settledCall(n, name, OK, { occurred_at: NOON, order });
    await apply(historyCall(0, "Third", 2), historyCall(1, "First", 0), historyCall(2, "Second", 1));
    expect(await links()).toEqual(["0 First ok", "1 Second ok", "2 Third ok"]);
  });

  it("a long thread is renumbered when its first call arrives last, and linked only within the window", async () => {
    const threadCall = (n: number, outcome = OK): CallObservation =>
      settledCall(0, "Bash", outcome, {
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
    await apply(
      settledCall(0, "Bash", OK, { prompt: "p1" }),
      settledCall(1, "Bash", FAILED, { prompt: "p2" }),
      settledCall(2, "Read"),
    );
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
      settledCall(0, "Bash", FAILED, { ...about("path:x"), session_id: "a/b" }),
      settledCall(1, "Read", FAILED, { ...about("path:x"), session_id: "a_b" }),
    );
    const detail = await store.sessionDetail("default", "a_b");
    expect(detail?.calls).toMatchObject([{ position: 0, is_cascade_failure: false, cascade_of: null }]);
    expect(await store.sessions({})).toHaveLength(2);
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
        lines: lines(settledCall(0, "Bash", FAILED), settledCall(1, "Read"), settledCall(2, "Edit", UNKNOWN)),
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
