import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeIdleCalls, IDLE_TIMEOUT_MS } from "../../src/ingest/idle-sessions.ts";
import type { Store } from "../../src/store/port.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { openSqliteReader, openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { openThreadedStore, type StoreError } from "../../src/store/thread/threaded-store.ts";
import { embeddedStores } from "../support/embedded-stores.ts";
import {
  args,
  callObservation,
  FAILED,
  leakObservation,
  lines,
  NOON,
  OK,
  requestObservation,
  responseObservation,
  result,
  suspensionObservation,
  UNKNOWN,
} from "../support/observations.ts";
import { writeOldDatabase } from "../support/old-schema.ts";
import { postgresStores } from "../support/postgres-stores.ts";
import { startBoth } from "../support/running.ts";
import { createTestStore } from "../support/test-store.ts";
import { respond, say } from "../support/upstream/turn.ts";

let folder: string;
let store: Store;
let position = 0;

function apply(text: string, live = true): ReturnType<Store["apply"]> {
  position += 1;
  return store.apply({ journal: "j1", position: String(position), live, lines: text });
}

const STORES = [...embeddedStores(() => folder), ...postgresStores()];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-store-"));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(STORES)("store contract: %s", (_name, open) => {
  beforeEach(async () => {
    store = await open();
  });

  it("keeps one record for a call seen pending, settled, and replayed in twenty later requests", async () => {
    await apply(lines(callObservation({ place: { kind: "response", conversation: "c1", n: 0, response_id: "m1" } })));
    for (let turn = 0; turn < 20; turn += 1) {
      await apply(lines(callObservation({ result: result("boom", FAILED), occurred_at: NOON + 1000 * (turn + 1) })));
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
        const parts = [lines(wrapped({ tool_call_id: id })), lines(...made({ tool_call_id: id, agent_id: "a1" }))];
        for (const part of order === "before" ? parts.reverse() : parts) await apply(part);
        await joined();
      },
    );

    it.each(["before", "after"])(
      "a wrapped call is joined without an id with a call that is stored %s it",
      async (order) => {
        const own = { tool_call_id: "mcp_a1", session_id: "mcp:opencode:1" };
        const parts = [lines(wrapped(own, { inferred: true })), lines(...made({ tool_call_id: id }))];
        for (const part of order === "before" ? parts.reverse() : parts) await apply(part);
        await joined();
      },
    );
  });

  it("reports which calls increment live counters: once, when live traffic settles them", async () => {
    const settled = lines(callObservation({ result: result("boom", FAILED), model: "m", provider: "anthropic" }));
    const first = await apply(settled);
    const second = await apply(settled);
    expect(first.counted).toEqual([
      { provider: "anthropic", model: "m", tool_name: "Bash", outcome: "failed", category: "exit_code" },
    ]);
    expect(second.counted).toEqual([]);
  });

  it("updates rollups but no counter when a start replays the journal", async () => {
    const replayed = await apply(lines(callObservation({ result: result("fine") })), false);
    expect(replayed.counted).toEqual([]);
    expect(await store.summary({})).toMatchObject({ calls: 1, ok: 1 });
  });

  it("does not count pending calls, and counts an unknown outcome as a call without a rate", async () => {
    await apply(lines(callObservation({ tool_call_id: "toolu_pending00001" })));
    await apply(lines(callObservation({ tool_call_id: "toolu_unknown00001", result: result("", UNKNOWN) })));
    expect(await store.summary({})).toMatchObject({ calls: 1, unknown: 1, pending: 1, failure_rate: null });
  });

  it("applies the valid lines of a batch and returns the invalid ones with a reason", async () => {
    const applied = await apply(`{"half": \n${lines(callObservation({ result: result("fine") }))}{"v":2}\n`);
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
      lines(
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
      ),
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
      lines(
        ...outcomes.map(([session_id, outcome], at) =>
          callObservation({ tool_call_id: `toolu_${at}aaaaaaaaaaa`, session_id, result: result(String(at), outcome) }),
        ),
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
    await apply(lines(callObservation({ result: result("ok, but: not found", soft) })));
    expect(await store.summary({})).toMatchObject({ calls: 1, ok: 1, failed: 0, soft: 1 });
    expect(await store.breakdown("category", {})).toEqual([]);
    expect(await store.breakdown("tool", {})).toMatchObject([{ key: "Bash", top_category: null }]);
  });

  it("lists sessions with counts, success rate and health, newest first", async () => {
    await apply(
      lines(
        requestObservation({ client: "claude-code", provider: "anthropic", model: "asked" }),
        callObservation({
          result: result("boom", FAILED),
          model: "answered",
          place: { kind: "response", conversation: "c1", n: 0, response_id: "x" },
        }),
        requestObservation({ session_id: "s2", request_id: "r2", occurred_at: NOON + 5 }),
      ),
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
    const work = (session_id: string, kinds: readonly (string | undefined)[]): string =>
      lines(
        ...kinds.map((workflow, at) =>
          callObservation({
            session_id,
            tool_call_id: `${session_id}${at}`,
            occurred_at: NOON + at,
            result: result("x"),
            ...(workflow !== undefined && { workflow }),
          }),
        ),
      );
    await apply(work("mixed", ["docs", "test", "test", "other", "other", "other"]));
    await apply(work("equal", ["test", "docs"]));
    await apply(work("talk", ["other"]));
    await apply(work("unknown", [undefined]));
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
    const calls = (session_id: string, outcomes: readonly (typeof OK)[], at: number): string =>
      lines(
        ...outcomes.map((outcome, n) =>
          callObservation({
            session_id,
            tool_call_id: `${session_id}-${at}-${n}`,
            occurred_at: at + n,
            result: result(`${n}`, outcome),
          }),
        ),
      );
    const unhealthy = [FAILED, FAILED, FAILED, OK, OK];
    const ids = Array.from({ length: 501 }, (_, n) => `s${n}`);
    await apply(ids.map((id) => calls(id, unhealthy, NOON)).join(""));
    await apply(calls("well", [OK, OK, OK, OK, OK], NOON));
    expect(await store.unhealthySessions({})).toBe(501);
    expect(await store.unhealthySessions({ since: NOON, until: NOON + 3_600_000 })).toBe(501);
    // A call moves a session to another hour.
    await apply(calls("s1", [FAILED], NOON + 2 * 3_600_000));
    expect(await store.unhealthySessions({ since: NOON + 2 * 3_600_000 })).toBe(1);
    await store.deleteSession("default", "s1", NOON);
    expect(await store.unhealthySessions({})).toBe(500);
    expect(await store.unhealthySessions({ project: "another" })).toBe(0);
    expect(await store.sessions({ health: "unhealthy", limit: 1000 })).toHaveLength(500);
  });

  it("gives no success rate and no health without an outcome", async () => {
    await apply(lines(callObservation({ result: result("", UNKNOWN) })));
    expect(await store.sessions({})).toMatchObject([{ success_rate: null, health: "insufficient" }]);
  });

  it("writes events as lines that can be read until every reader has passed them", async () => {
    await apply(
      lines(
        requestObservation(),
        callObservation({
          result: result("boom", FAILED),
          arguments: { fingerprint: "f", keys: {}, resources: [], size_bytes: 7 },
        }),
      ),
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

  it("counts a call with a reused id that arrives after a later call with the same id", async () => {
    const callLine = (n: number): string =>
      lines(
        callObservation({
          tool_call_id: "call_0",
          occurred_at: NOON + n * 100,
          place: { kind: "history", conversation: "c1", n },
          result: result(`text ${n}`, FAILED),
        }),
      );
    const counted = [
      await apply(callLine(1)),
      await apply(callLine(0)),
      await apply(callLine(1)),
      await apply(callLine(2)),
    ];
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
      await apply(lines(elsewhere));
      await apply(lines({ ...nameless, occurred_at: NOON + 59 * 60_000 }));
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual(["get_weather"]);
    });

    it("a result gets the name unknown when its call is more than an hour old (test_tool_mapper_expiry)", async () => {
      await apply(lines(elsewhere));
      await apply(lines({ ...nameless, occurred_at: NOON + 61 * 60_000 }));
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual(["unknown"]);
    });

    it.each([
      [14, { tool_name: "get_weather" }],
      [16, { tool_name: "unknown", tool_call_id: "call_abc123def" }],
    ])("a result gets its name after %i minutes if the settings allow 15", async (minutes, expected) => {
      await apply(lines(elsewhere));
      const { counted } = await store.apply({
        ...{ journal: "names", position: "1", live: true, nameTtlMs: 15 * 60_000 },
        lines: lines({ ...nameless, occurred_at: NOON + minutes * 60_000 }),
      });
      expect(counted).toEqual([expect.objectContaining(expected)]);
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual([expected.tool_name]);
    });

    it("a result gets the name unknown when its id is not recorded, and the real name when the call arrives (L6)", async () => {
      await apply(lines(nameless));
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual(["unknown"]);
      await apply(
        lines(
          callObservation({
            tool_call_id: "call_abc123def",
            name: "late",
            place: { kind: "response", conversation: "c1", n: 0, response_id: "m" },
          }),
        ),
      );
      expect((await store.breakdown("tool", {})).map(({ key }) => key)).toEqual(["late"]);
    });
  });

  describe("a call without a result", () => {
    const pending = callObservation({ place: { kind: "response", conversation: "c1", n: 0, response_id: "m1" } });
    const laterRequest = requestObservation({ request_id: "r2", conversation: "c1", occurred_at: NOON + 5000 });

    it("a call becomes discarded when a later request of its conversation lacks it: the client discarded the turn", async () => {
      await apply(
        lines(pending, requestObservation({ request_id: "side", conversation: "title", occurred_at: NOON + 100 })),
      );
      expect(await store.summary({})).toMatchObject({ pending: 1, discarded: 0 });
      await apply(lines(laterRequest));
      expect(await store.summary({})).toMatchObject({ pending: 0, discarded: 1, calls: 0 });
      expect(await store.idleCalls(NOON + 9e9, 10)).toEqual([]);
    });

    it("a call stays pending when that history contains it, and counts when its result arrives", async () => {
      await apply(lines(pending, laterRequest));
      await apply(lines(callObservation({ occurred_at: NOON + 5000 })));
      expect(await store.summary({})).toMatchObject({ pending: 1, discarded: 0 });
      await apply(lines(callObservation({ occurred_at: NOON + 6000, result: result("done") })));
      expect(await store.summary({})).toMatchObject({ pending: 0, discarded: 0, calls: 1, ok: 1 });
    });

    it("a call without a result is counted as incomplete after the idle timeout, and a result that arrives later is not counted again", async () => {
      await apply(lines(pending));
      const counted: unknown[] = [];
      const record = async (observations: readonly object[]): Promise<number> => {
        counted.push(...(await apply(lines(...observations))).counted);
        return observations.length;
      };
      expect(await closeIdleCalls(store, record, NOON + IDLE_TIMEOUT_MS)).toBe(0);
      expect(await closeIdleCalls(store, record, NOON + IDLE_TIMEOUT_MS + 1)).toBe(1);
      expect(await store.breakdown("category", {})).toMatchObject([{ key: "incomplete", failed: 1 }]);
      expect(await closeIdleCalls(store, record, NOON + IDLE_TIMEOUT_MS + 2)).toBe(0);
      expect(counted).toMatchObject([{ outcome: "failed", category: "incomplete" }]);
      const settled = await apply(
        lines(callObservation({ occurred_at: NOON + 2 * IDLE_TIMEOUT_MS, result: result("done") })),
      );
      expect(settled.counted).toEqual([]);
      expect(await store.summary({})).toMatchObject({ calls: 1, ok: 1, failed: 0 });
    });
  });

  it("links a fork's carried calls to the originals instead of counting them again", async () => {
    const done = { tool_call_id: "toolu_shared000001", result: result("boom", FAILED) };
    await apply(
      lines(
        requestObservation(),
        callObservation({ ...done, occurred_at: NOON + 10 }),
        requestObservation({ request_id: "r2", occurred_at: NOON + 10 }),
      ),
    );
    const fork = await apply(
      lines(
        requestObservation({ session_id: "fork", request_id: "r3", occurred_at: NOON + 99 }),
        callObservation({ ...done, session_id: "fork", occurred_at: NOON + 99 }),
      ),
    );
    expect(fork.counted).toEqual([]);
    expect(await store.summary({})).toMatchObject({ calls: 1, failed: 1, sessions: 2 });
  });

  it("computes the same aggregates when the fork arrives before its original", async () => {
    const done = { tool_call_id: "toolu_shared000001", result: result("boom", FAILED) };
    const fork = await apply(
      lines(
        requestObservation({ session_id: "fork", request_id: "r3", occurred_at: NOON + 99 }),
        callObservation({ ...done, session_id: "fork", occurred_at: NOON + 99 }),
      ),
    );
    const original = await apply(
      lines(
        requestObservation(),
        callObservation({ ...done, occurred_at: NOON + 10 }),
        requestObservation({ request_id: "r2", occurred_at: NOON + 10 }),
      ),
    );
    expect([fork.counted.length, original.counted.length]).toEqual([1, 0]);
    expect(await store.summary({})).toMatchObject({ calls: 1, failed: 1, sessions: 2 });
    expect((await store.sessions({})).map(({ session_id, failed }) => [session_id, failed])).toEqual([
      ["fork", 0],
      ["s1", 1],
    ]);
  });
});

describe.each(STORES)("the version of a client in a store: %s", (_name, open) => {
  it("the version is reported with each call, and unknown where no source observed it", async () => {
    store = await open();
    const known = { client: "claude-code", client_version: "2.1.325", result: result("fine") };
    await apply(
      lines(
        callObservation({ tool_call_id: "toolu_a", ...known }),
        callObservation({ tool_call_id: "toolu_b", occurred_at: NOON + 1 }),
      ),
    );
    const { calls = [] } = (await store.sessionDetail("default", "s1")) ?? {};
    expect(calls.map((call) => [call.tool_call_id, call.client_version])).toEqual([
      ["toolu_a", "2.1.325"],
      ["toolu_b", null],
    ]);
  });
});

it.each([
  ["claude-cli/2.1.325 (external, cli)", { client: "claude-code", client_version: "2.1.325" }],
  ["codex_exec/0.166.0", { client: "codex", client_version: "0.166.0" }],
  // A version without a known client may be that of a browser or of an HTTP library.
  ["Mozilla/5.0", { client: "plain", client_version: null }],
])("the proxy reads the version of a client from the user agent %s", async (userAgent, expected) => {
  store = createTestStore();
  const running = await startBoth(() => respond(say("Done.")));
  const call = { id: "call_1", type: "function", function: { name: "bash", arguments: "{}" } };
  const messages = [
    { role: "user", content: "go" },
    { role: "assistant", tool_calls: [call] },
    { role: "tool", tool_call_id: "call_1", content: "fine" },
  ];
  await fetch(`${running.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": userAgent, "x-toolmend-session": "s1" },
    body: JSON.stringify({ model: "m", messages }),
  });
  await running.server.drain();
  const db = new Database(join(running.data, "toolmend.db"), { readOnly: true });
  const rows = db.all("SELECT client, client_version FROM tool_calls");
  db.close();
  await running.close();
  expect(rows.map((row) => ({ ...row }))).toEqual([expected]);
});

describe.each(STORES)("leaks in a store: %s", (_name, open) => {
  beforeEach(async () => {
    store = await open();
  });

  it("the store keeps, emits and counts one leak per response, format and reason", async () => {
    const both = lines(
      leakObservation({ model: "m", before: "<tool_call>…", after: [{ tool_name: "Bash", arguments: "{}" }] }),
      leakObservation({ result: "left", reason: "echo", parsed: 0, dropped: 0, occurred_at: NOON + 1 }),
    );
    const first = await apply(both);
    const second = await apply(both);
    expect(first.leaks).toEqual([
      { model: "m", format: "hermes-json", result: "recovered", calls: 2 },
      { model: "", format: "hermes-json", result: "left", calls: 1 },
    ]);
    expect(second.leaks).toEqual([]);
    expect(await store.leaks({})).toMatchObject([
      { result: "left", reason: "echo", parsed: 0, model: null, before: null, after: [] },
      {
        result: "recovered",
        reason: null,
        parsed: 2,
        dropped: 1,
        repairs: ["cleaned-name"],
        tool_call_ids: ["toolu_1"],
        before: "<tool_call>…",
        after: [{ tool_name: "Bash", arguments: "{}" }],
      },
    ]);
    expect(await store.leaks({ since: NOON + 1 })).toHaveLength(1);
    expect(await store.leaks({ limit: 1 })).toHaveLength(1);
    expect(await store.leaks({ project: "other" })).toEqual([]);
    const events = (await store.events(0, 100)).map(({ line }) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual(["session_started", "leak_recovered", "leak_left"]);
    expect(events[1]).toMatchObject({
      format: "hermes-json",
      repairs: ["cleaned-name"],
      parsed: 2,
      dropped: 1,
      reason: null,
    });
    expect(await store.summary({})).toMatchObject({ calls: 0, requests: 0, sessions: 1 });
  });

  it("leaks do not increment a counter when they are replayed", async () => {
    expect((await apply(lines(leakObservation()), false)).leaks).toEqual([]);
  });
});

describe("the SQLite store", () => {
  it("runs the three useful queries of the failure-detection design as they are written", async () => {
    store = openSqliteStore(join(folder, "store.db"));
    await apply(
      lines(
        requestObservation({ model: "big" }),
        callObservation({ tool_call_id: "toolu_1aaaaaaaaaaa", model: "big", result: result("1", FAILED) }),
        callObservation({ tool_call_id: "toolu_2aaaaaaaaaaa", model: "big", result: result("2", OK) }),
        callObservation({ tool_call_id: "toolu_3aaaaaaaaaaa", name: "Read" }),
      ),
    );
    const db = new Database(join(folder, "store.db"), { readOnly: true });
    const rows = (sql: string): unknown[] => db.all(sql).map((row) => Object.values(row));
    expect(
      rows(`SELECT tool_name, SUM(error_count) as failures, SUM(call_count) as total,
       ROUND(100.0 * SUM(error_count) / SUM(call_count), 2) as failure_rate_pct
FROM tool_calls
GROUP BY tool_name
ORDER BY failures DESC;`),
    ).toEqual([["Bash", 1, 2, 50]]);
    expect(
      rows(`SELECT model_name, tool_name, SUM(error_count), SUM(call_count)
FROM tool_calls
GROUP BY model_name, tool_name
HAVING SUM(error_count) > 0;`),
    ).toEqual([["big", "Bash", 1, 2]]);
    expect(
      rows(`SELECT s.session_id, s.model_used, t.tool_name, t.error_count
FROM sessions s
JOIN tool_calls t ON s.session_id = t.session_id
WHERE t.error_count > 0
ORDER BY s.started_at DESC;`),
    ).toEqual([["s1", "big", "Bash", 1]]);
    expect(rows("SELECT count(DISTINCT id) FROM tool_calls WHERE id = record_id")).toEqual([[2]]);
    db.close();
  });

  it("rejects a database written by a newer Toolmend", async () => {
    store = openSqliteStore(join(folder, "store.db"));
    const db = new Database(join(folder, "store.db"));
    db.run("INSERT INTO schema_version VALUES (999, 'later')");
    db.close();
    expect(() => openSqliteStore(join(folder, "store.db"))).toThrow("schema version 999");
    const error = (await openThreadedStore(join(folder, "store.db")).catch((one: unknown) => one)) as StoreError;
    expect(error.code).toBe("newer-schema");
    // The stack of the thread, where the error occurred.
    expect((error.cause as Error).stack).toContain("migrate.ts");
    await expect(openThreadedStore(join(folder, "store.db"))).rejects.toMatchObject({ code: "newer-schema" });
  });

  it("runs read-only queries while another connection writes", async () => {
    store = openSqliteStore(join(folder, "store.db"));
    const reader = openSqliteReader(join(folder, "store.db"));
    await apply(lines(callObservation({ result: result("fine") })));
    expect(await reader.summary({})).toMatchObject({ calls: 1 });
    await reader.close();
  });
});

describe.each(STORES)("rejections by upstreams: %s", (_name, open) => {
  beforeEach(async () => {
    store = await open();
  });

  it("the store keeps each one once, newest first, and emits an event", async () => {
    const suspensions = lines(
      suspensionObservation(),
      suspensionObservation({ request_id: "r2", occurred_at: NOON + 1, message: "no" }),
    );
    await apply(suspensions);
    await apply(suspensions);
    expect(await store.suspensions({})).toMatchObject([
      { request_id: "r2", message: "no" },
      {
        project: "default",
        session_id: "s1",
        request_id: "r1",
        at: "2026-03-10T12:00:00.000Z",
        provider: "openai",
        model: "m",
        http_status: 400,
        message: "unknown id",
        tool_call_ids: ["call_1"],
      },
    ]);
    expect(await store.suspensions({ since: NOON + 1 })).toHaveLength(1);
    expect(await store.suspensions({ until: NOON + 1 })).toHaveLength(1);
    expect(await store.suspensions({ limit: 1 })).toHaveLength(1);
    expect(await store.suspensions({ project: "other" })).toEqual([]);
    const events = (await store.events(0, 10)).map(({ line }) => JSON.parse(line));
    expect(events.filter(({ type }) => type === "repair_suspended")).toMatchObject([
      { request_id: "r1", provider: "openai", model_name: "m", http_status: 400, message: "unknown id" },
      { request_id: "r2" },
    ]);
  });

  it("the store attributes them to repaired calls in a history of any length", async () => {
    await apply(
      lines(
        callObservation({ tool_call_id: "call_ours", origin: "recovered" }),
        callObservation({ tool_call_id: "call_theirs", origin: "native" }),
        callObservation({ tool_call_id: "call_elsewhere", origin: "recovered", project: "other" }),
      ),
    );
    const others = Array.from({ length: 1200 }, (_, at) => `call_${at}`);
    const history = ["call_theirs", ...others, "call_ours", "call_elsewhere"];
    expect(await store.recoveredCalls("default", history)).toEqual(["call_ours"]);
    expect(await store.recoveredCalls("default", [])).toEqual([]);
  });
});

it.each(STORES)("pending repaired calls are returned with complete arguments: %s", async (_name, open) => {
  store = await open();
  const waiting = (id: string, fields: Partial<Parameters<typeof callObservation>[0]> = {}) =>
    callObservation({
      ...{ tool_call_id: id, origin: "recovered", api: "responses", name: "read" },
      place: { kind: "response", conversation: "c1", n: 0, response_id: `m-${id}` },
      arguments: { ...args('{"a":1}'), preview: '{"a":1}' },
      ...fields,
    });
  await apply(
    lines(
      waiting("call_1"),
      waiting("call_2", { occurred_at: NOON + 5 }),
      waiting("call_cut", { arguments: { ...args('{"a":"long"}'), preview: '{"a":…' } }),
      waiting("call_textless", { arguments: args("{}") }),
      waiting("call_chat", { api: "chat" }),
      waiting("call_native", { origin: "native" }),
      waiting("call_done", { result: result("x") }),
    ),
  );
  expect(await store.pendingRepairedCalls(NOON, 10)).toEqual([
    { tool_call_id: "call_2", name: "read", arguments: '{"a":1}' },
    { tool_call_id: "call_1", name: "read", arguments: '{"a":1}' },
  ]);
  expect(await store.pendingRepairedCalls(NOON + 1, 10)).toHaveLength(1);
});

describe.each(STORES)("outcomes of repaired calls: %s", (_name, open) => {
  beforeEach(async () => {
    store = await open();
  });

  const none = { calls: 0, ok: 0, failed: 0, unknown: 0, soft: 0, failure_rate: null, refused: 0, pending: 0 };

  it("the store counts them separately, with those the client refused or discarded", async () => {
    expect(await store.originOutcomes({})).toEqual([
      { origin: "native", ...none, discarded: 0 },
      { origin: "recovered", ...none, discarded: 0 },
    ]);
    const callOf = (id: string, origin: "native" | "recovered") =>
      callObservation({
        tool_call_id: id,
        origin,
        place: { kind: "response", conversation: "c1", n: 0, response_id: `m-${id}` },
      });
    const gated = { ...FAILED, phase: "call", category: "unknown_tool" } as const;
    await apply(
      lines(
        callOf("ok1", "recovered"),
        callOf("bad1", "recovered"),
        callOf("gone1", "recovered"),
        callOf("own1", "native"),
      ),
    );
    await apply(
      lines(
        requestObservation({ conversation: "c1", occurred_at: NOON + 10 }),
        callObservation({ tool_call_id: "ok1", result: result("a"), occurred_at: NOON + 10 }),
        callObservation({ tool_call_id: "bad1", result: result("b", gated), occurred_at: NOON + 10 }),
        callObservation({ tool_call_id: "own1", result: result("c", FAILED), occurred_at: NOON + 10 }),
        callObservation({ tool_call_id: "hook1", result: result("d", UNKNOWN), occurred_at: NOON + 10 }),
      ),
    );
    const native = { ...none, calls: 2, failed: 1, unknown: 1, failure_rate: 1 };
    const recovered = { ...none, calls: 2, ok: 1, failed: 1, failure_rate: 0.5, refused: 1 };
    expect(await store.originOutcomes({})).toEqual([
      { origin: "native", ...native, discarded: 0 },
      { origin: "recovered", ...recovered, discarded: 1 },
    ]);
    expect(await store.originOutcomes({ project: "other" })).toMatchObject([none, none]);
    expect(await store.originOutcomes({ since: NOON + 7_200_000 })).toMatchObject([none, none]);
  });

  it("outcomes of repaired calls change when the origin or the outcome becomes known later", async () => {
    await apply(lines(callObservation({ tool_call_id: "late", result: result("a") })));
    expect(await store.originOutcomes({})).toMatchObject([{ calls: 1, ok: 1 }, { calls: 0 }]);
    const place = { kind: "response", conversation: "c1", n: 0, response_id: "m1" } as const;
    await apply(lines(callObservation({ tool_call_id: "late", origin: "recovered", place })));
    expect(await store.originOutcomes({})).toMatchObject([
      { calls: 0, ok: 0 },
      { calls: 1, ok: 1 },
    ]);
  });
});

describe.each(STORES)("a stored response that requests continue from: %s", (_name, open) => {
  beforeEach(async () => {
    store = await open();
  });

  const place = (n: number, response_id: string) => ({ kind: "response", conversation: "c1", n, response_id }) as const;
  const held = { answer_key: "k1", conversation_key: "v1" };

  it("a lookup by its key returns its thread, its calls and its counts", async () => {
    await apply(
      lines(
        requestObservation({ conversation: "c1", agent_id: "helper" }),
        responseObservation({
          agent_id: "helper",
          occurred_at: NOON + 5,
          tool_call_ids: ["call_0", "call_abcdefgh1"],
          stored_response: {
            ...held,
            counts: { call_0: 2 },
            prompt_position: { count: 3, prompt: "2-abc", workflow: "docs" },
          },
        }),
        callObservation({
          agent_id: "helper",
          request_id: "r0",
          tool_call_id: "call_0",
          name: "list",
          place: place(0, "m0"),
        }),
        callObservation({
          ...{ agent_id: "helper", request_id: "r1", tool_call_id: "call_0", name: "read", place: place(1, "m1") },
          arguments: { ...args('{"a":1}'), preview: '{"a":1}' },
        }),
        callObservation({
          agent_id: "helper",
          request_id: "r1",
          tool_call_id: "call_abcdefgh1",
          place: place(0, "m1"),
        }),
      ),
    );
    const found = {
      session_id: "s1",
      agent_id: "helper",
      conversation: "c1",
      ended_at: NOON + 5,
      calls: [
        { id: "call_0", name: "read", arguments: '{"a":1}' },
        { id: "call_abcdefgh1", name: "Bash" },
      ],
      counts: { call_0: 2 },
      prompt_position: { count: 3, prompt: "2-abc", workflow: "docs" },
    };
    expect(await store.threadOfResponse({ project: "default", kind: "answer", key: "k1" })).toEqual(found);
    expect(await store.threadOfResponse({ project: "default", kind: "conversation", key: "v1" })).toEqual(found);
    expect(await store.threadOfResponse({ project: "default", kind: "answer", key: "v1" })).toBeUndefined();
    expect(await store.threadOfResponse({ project: "other", kind: "answer", key: "k1" })).toBeUndefined();
  });

  it("a lookup by conversation returns the latest, in any order of arrival", async () => {
    const exchange = (request_id: string, occurred_at: number, session_id: string) => [
      requestObservation({ request_id, session_id, conversation: request_id }),
      responseObservation({ request_id, session_id, occurred_at, stored_response: { conversation_key: "v1" } }),
    ];
    await apply(lines(...exchange("r2", NOON + 20, "s2"), ...exchange("r1", NOON + 10, "s1")));
    const found = await store.threadOfResponse({ project: "default", kind: "conversation", key: "v1" });
    expect(found).toMatchObject({ session_id: "s2", conversation: "r2", calls: [] });
  });

  it("a lookup finds nothing while half of its exchange is missing, and after its session is deleted", async () => {
    const key = { project: "default", kind: "answer", key: "k1" } as const;
    await apply(lines(responseObservation({ stored_response: held })));
    expect(await store.threadOfResponse(key)).toBeUndefined();
    await apply(lines(requestObservation({ conversation: "c1" })));
    expect(await store.threadOfResponse(key)).toMatchObject({ session_id: "s1" });
    await store.deleteSession("default", "s1", NOON);
    expect(await store.threadOfResponse(key)).toBeUndefined();
  });

  it("a lookup returns the origin of its calls: native, or repaired with the original arguments", async () => {
    const callOf = (id: string, fields: Partial<Parameters<typeof callObservation>[0]> = {}) =>
      callObservation({
        ...{ tool_call_id: id, origin: "recovered", api: "responses", name: "read", place: place(0, `m-${id}`) },
        arguments: { ...args('{"a":1}'), preview: '{"a":1}' },
        ...fields,
      });
    await apply(
      lines(
        callOf("call_mended"),
        callOf("call_answered", { result: result("x") }),
        callOf("call_native", { origin: "native" }),
        callOf("call_cut", { arguments: args("{}") }),
        callOf("call_elsewhere", { project: "other" }),
        callObservation({ tool_call_id: "call_result_only", result: result("y") }),
      ),
    );
    const repaired = { name: "read", arguments: '{"a":1}' };
    const ids = ["call_mended", "call_answered", "call_native", "call_cut", "call_elsewhere", "call_result_only"];
    const found = [...(await store.callOrigins("default", ids))];
    expect(found.sort((a, b) => (a.tool_call_id < b.tool_call_id ? -1 : 1))).toEqual([
      { tool_call_id: "call_answered", mended: repaired },
      { tool_call_id: "call_cut" },
      { tool_call_id: "call_mended", mended: repaired },
      { tool_call_id: "call_native" },
    ]);
    expect(await store.callOrigins("default", [])).toEqual([]);
  });
});

it("a store of an older version gets the origin of its calls", async () => {
  const path = join(folder, "store.db");
  store = openSqliteStore(path);
  await apply(
    lines(
      callObservation({ tool_call_id: "a", origin: "recovered", result: result("x", FAILED) }),
      callObservation({ tool_call_id: "b", result: result("y") }),
    ),
  );
  const expected = await store.originOutcomes({});
  await store.close();
  writeOldDatabase(path, join(folder, "old.db"), 3);
  store = openSqliteStore(join(folder, "old.db"));
  expect(await store.originOutcomes({})).toEqual(expected);
  expect(await store.recoveredCalls("default", ["a", "b"])).toEqual(["a"]);
});

it("a store of an older version gets the number of its unhealthy sessions", async () => {
  const path = join(folder, "store.db");
  store = openSqliteStore(path);
  const outcomes = [FAILED, FAILED, FAILED, OK, OK];
  const calls = outcomes.flatMap((outcome, n) =>
    ["a", "b"].map((session_id) =>
      callObservation({ session_id, tool_call_id: `${session_id}${n}`, result: result(`${n}`, outcome) }),
    ),
  );
  await apply(lines(...calls, callObservation({ session_id: "c", tool_call_id: "c", result: result("well") })));
  await store.close();
  writeOldDatabase(path, join(folder, "old.db"), 7);
  store = openSqliteStore(join(folder, "old.db"));
  expect(await store.unhealthySessions({})).toBe(2);
  expect(await store.unhealthySessions({ since: NOON - 86_400_000, until: NOON + 30 * 86_400_000 })).toBe(2);
});
