import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { callObservation, FAILED, lines, NOON, OK, requestObservation, result } from "../support/observations.ts";
import { type Ran, runCommand } from "../support/run-command.ts";
import { troubledSession } from "../support/troubled-session.ts";

let folder: string;
const timeout = { ...FAILED, category: "timeout", severity: 0.7 } as const;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-sessions-"));
  const store = openSqliteStore(join(folder, "toolmend.db"));
  const calm = { session_id: "calm", occurred_at: NOON - 7_200_000, seen_at: NOON - 7_200_000, model: "m2" };
  const observations = [
    ...troubledSession(),
    requestObservation({ session_id: "troubled", client: "claude-code" }),
    callObservation({ ...calm, tool_call_id: "toolu_zzzzzzzzzzzz", result: result("x", OK) }),
    callObservation({
      ...calm,
      tool_call_id: "toolu_yyyyyyyyyyyy",
      name: "\u001b[31mWeb",
      result: result("y", timeout),
    }),
    callObservation({ ...calm, session_id: "quiet", tool_call_id: "toolu_xxxxxxxxxxxx", result: result("z", OK) }),
  ];
  await store.apply({ journal: "j", position: "1", live: true, lines: lines(...observations) });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]): Promise<Ran> => runCommand([...args, "--data", folder]);
const ids = async (...args: readonly string[]): Promise<readonly string[]> => {
  const { code, out, err } = await run("sessions", "--json", ...args);
  expect([code, err]).toEqual([0, ""]);
  return (JSON.parse(out) as { session_id: string }[]).map(({ session_id }) => session_id);
};

describe("sessions --json", () => {
  it("prints the shape that programs rely on", async () => {
    const [first] = JSON.parse((await run("sessions", "--json")).out) as unknown[];
    expect(first).toEqual({
      ...{ project: "default", session_id: "troubled", trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) },
      ...{ folder: null, branch: null, task: null },
      ...{ source: "proxy", client: "claude-code", provider: "anthropic", model_used: null, requests: 1 },
      ...{ started_at: "2026-03-10T12:00:00.000Z", last_at: "2026-03-10T12:00:07.000Z" },
      ...{ stopped_at: null, ended_at: null },
      ...{ calls: 7, ok: 2, failed: 5, unknown: 0, soft: 0, recovered: 2, follow_on: 3, retries: 2 },
      ...{ unrecovered: 0, excused: 0, success_rate: 1 - 5 / 7, health: "unhealthy", rate_health: "unhealthy" },
      ...{ dominant_failure_mode: "not_found", worst_severity: 0.8, workflow: "bug_fix" },
      ...{ input_tokens: null, output_tokens: null, cached_tokens: null },
      ...{ cache_write_tokens: null, reasoning_tokens: null },
      ...{ loops: 0, looping: false },
    });
  });

  it.each([
    [[], ["troubled", "calm", "quiet"]],
    [["--health", "unhealthy"], ["troubled"]],
    [["--health", "degraded"], ["calm"]],
    [["--category", "timeout"], ["calm"]],
    [["--severity", ">0.7"], ["troubled"]],
    [
      ["--severity", ">=0.7"],
      ["troubled", "calm"],
    ],
    [["--severity", "<0.5"], ["troubled"]],
    [["--severity", "0.7"], ["calm"]],
    [["--tool", "Glob"], ["troubled"]],
    [
      ["--model", "m2"],
      ["calm", "quiet"],
    ],
    [["--workflow", "bug_fix"], ["troubled"]],
    [["--text", "alm"], ["calm"]],
    [["--since", "1h"], ["troubled"]],
    [
      ["--until", "1h"],
      ["calm", "quiet"],
    ],
    [
      ["--sort", "severity"],
      ["troubled", "calm", "quiet"],
    ],
    [
      ["--sort", "failed", "--limit", "2"],
      ["troubled", "calm"],
    ],
    [["--health", "unhealthy", "--category", "timeout"], []],
  ] as const)("filtered by %j returns %j", async (args, expected) => {
    expect(await ids(...args)).toEqual(expected);
  });
});

it("sessions --csv has a header and empty cells for unknown values", async () => {
  expect((await run("sessions", "--csv")).out.split("\n").slice(0, 3)).toEqual([
    "session_id,project,source,client,provider,model_used,started_at,last_at,requests,calls,ok,failed,unknown,soft,recovered,follow_on,retries,success_rate,health,rate_health,dominant_failure_mode,worst_severity,workflow,input_tokens,output_tokens,cached_tokens,cache_write_tokens,reasoning_tokens,loops,looping,folder,branch,task",
    `troubled,default,proxy,claude-code,anthropic,,2026-03-10T12:00:00.000Z,2026-03-10T12:00:07.000Z,1,7,2,5,0,0,2,3,2,${1 - 5 / 7},unhealthy,unhealthy,not_found,0.8,bug_fix,,,,,,0,false,,,`,
    "calm,default,proxy,,,,2026-03-10T10:00:00.000Z,2026-03-10T10:00:00.000Z,0,2,1,1,0,0,0,0,0,0.5,degraded,insufficient,timeout,0.7,,,,,,,0,false,,,",
  ]);
});

it("sessions prints a table", async () => {
  expect((await run("sessions", "--limit", "2")).out).toBe(
    [
      "SESSION   AGO  CLIENT       MODEL  CALLS  FAILED  OK %  HEALTH     WORST  MOSTLY     WORKFLOW",
      "troubled  53s  claude-code             7       5  28.6  unhealthy   0.80  not_found  bug_fix",
      "calm       2h  proxy                   2       1  50.0  degraded    0.70  timeout",
      "",
      "Showing the first 2 sessions. Use --limit to show more.",
      "",
    ].join("\n"),
  );
});

const TIMELINE = [
  "Session troubled · claude-code · anthropic · proxy",
  "2026-03-10 12:00:00 – 2026-03-10 12:00:07 UTC",
  "7 calls: 2 ok, 5 failed, 0 unknown · success 28.6 % · unhealthy (by rate: unhealthy) · mostly not_found",
  "1 root failure, 3 follow-ons, 2 retries, 1 recovery",
  "",
  "workflow: bug_fix",
  "#1 12:00:01 ✓ Read",
  "#2 12:00:02 ✗ [root failure; recovered by #7] [EXIT_CODE] Bash exit=2 - make: no rule for out",
  "#3 12:00:03    ✗ [follow-on of #2 (inside)] [NOT_FOUND] Read - File does not exist.",
  "#4 12:00:04    ✗ [follow-on of #2 (path)] [NOT_FOUND] Edit - no such file",
  "#5 12:00:05    ✗ [follow-on of #2 (path)] [NOT_FOUND] Glob - no such folder",
  "#6 12:00:06    ✗ [retry 1 of #2; recovered by #7] [EXIT_CODE] Bash exit=2 - make: no rule for out",
  "#7 12:00:07    ✓ [recovery: retry 2 of #2] Bash",
  "",
  "What may help:",
  "  - Add to CLAUDE.md or AGENTS.md: List a folder or search for the file name before you read or edit a path that you have not seen, and use paths from the project's root.",
  "",
];

it.each([
  [["--category", "tiemout"], /^No matching sessions\. Categories are permission_denied, .*timeout, /],
  [["--workflow", "bugfix"], /^No matching sessions\. Workflows are bug_fix, /],
  [["--category", "oversized"], /^No matching sessions\.$/],
])("sessions %j lists the valid values when one is invalid", async (args, expected) => {
  expect((await run("sessions", ...args)).out.trimEnd()).toMatch(expected);
});

it("sessions --text reports how far it searched, with or without matches", async () => {
  const note =
    "\n--text finds the beginning of words in all sessions and texts of failures, and any part in the newest 300 sessions.\n";
  expect((await run("sessions", "--text", "alm")).out).toMatch(/^SESSION.*\ncalm /);
  expect((await run("sessions", "--text", "alm")).out.endsWith(note)).toBe(true);
  expect((await run("sessions", "--text", "nowhere")).out).toBe(`No matching sessions.\n${note}`);
  expect((await run("sessions", "--text", "nowhere", "--json")).out).toBe("[]\n");
});

it("sessions on an empty store explains how to record one, with any filter", async () => {
  const data = mkdtempSync(join(tmpdir(), "toolmend-new-"));
  await openSqliteStore(join(data, "toolmend.db")).close();
  const nothing =
    /^No tool calls recorded yet\. `npm run -s toolmend -- env` shows how to point a client here; `npm run -s toolmend -- demo` /;
  for (const args of [[], ["--health", "unhealthy"], ["--text", "x"]])
    expect((await runCommand(["sessions", "--data", data, ...args])).out).toMatch(nothing);
  expect((await runCommand(["sessions", "--data", data, "--json"])).out).toBe("[]\n");
  rmSync(data, { recursive: true });
});

it("sessions shows no health for a session without calls", async () => {
  const data = mkdtempSync(join(tmpdir(), "toolmend-callless-"));
  const store = openSqliteStore(join(data, "toolmend.db"));
  await store.apply({
    journal: "j",
    position: "1",
    live: true,
    lines: lines(requestObservation({ session_id: "s1" })),
  });
  await store.close();
  const [, row] = (await runCommand(["sessions", "--data", data], { width: 60 })).out.split("\n");
  expect(row?.split(/ {2,}/)).toEqual(["s1", "1m", "0", "0", "–", "–"]);
  rmSync(data, { recursive: true, force: true });
});

it("sessions shows enough of long ids to distinguish them, and fits narrow terminals", async () => {
  const data = mkdtempSync(join(tmpdir(), "toolmend-narrow-"));
  const store = openSqliteStore(join(data, "toolmend.db"));
  const long = (end: string): object =>
    callObservation({
      session_id: `derived-c596bcc19d4048c2-${end}`,
      tool_call_id: `toolu_${end}`,
      result: result("x", timeout),
    });
  await store.apply({ journal: "j", position: "1", live: true, lines: lines(long("1"), long("2")) });
  await store.close();
  const at = async (width: number): Promise<readonly string[]> =>
    (await runCommand(["sessions", "--data", data], { width })).out.split("\n").slice(0, 2);
  expect(await at(60)).toEqual([
    "SESSION                   AGO  CALLS  FAILED  OK %  HEALTH",
    "derived-c596bcc19d4048c…   1m      1       1   0.0  degraded",
  ]);
  for (const line of await at(30)) expect(line.length).toBeLessThanOrEqual(30);
  rmSync(data, { recursive: true, force: true });
});

describe("show", () => {
  it("prints a session with one root failure, three follow-ons, two retries and one recovery exactly like this", async () => {
    expect((await run("show", "troubled")).out.split("\n")).toEqual(TIMELINE);
  });

  it("finds a session by a prefix of its id", async () => {
    expect((await run("show", "trou")).out.split("\n")).toEqual(TIMELINE);
  });

  it("accepts a truncated id as tables show it", async () => {
    expect((await run("show", "trou…")).out.split("\n")).toEqual(TIMELINE);
  });

  it("prints the arguments below a failure, as far as they were captured", async () => {
    const data = mkdtempSync(join(tmpdir(), "toolmend-show-"));
    const store = openSqliteStore(join(data, "toolmend.db"));
    const called = { fingerprint: "f", keys: {}, resources: [], size_bytes: 1, preview: '{"command":"make\\tall"}' };
    const call = callObservation({
      arguments: called,
      result: result("x", { ...FAILED, status_message: "[EXIT_CODE] Bash" }),
    });
    await store.apply({ journal: "j", position: "1", live: true, lines: lines(call) });
    await store.close();
    const { out } = await runCommand(["show", "s1", "--data", data]);
    rmSync(data, { recursive: true, force: true });
    expect(out.split("\n").slice(-3)).toEqual([
      "#1 12:00:00 ✗ [root failure] [EXIT_CODE] Bash",
      '              {"command":"make\\tall"}',
      "",
    ]);
  });

  it("marks repaired calls, and shows no outcome while none has a result", async () => {
    const data = mkdtempSync(join(tmpdir(), "toolmend-show-"));
    const store = openSqliteStore(join(data, "toolmend.db"));
    const call = callObservation({ origin: "recovered" });
    await store.apply({ journal: "j", position: "1", live: true, lines: lines(call) });
    await store.close();
    const { out } = await runCommand(["show", "s1", "--data", data]);
    rmSync(data, { recursive: true, force: true });
    expect(out.split("\n")[2]).toBe("0 calls: 0 ok, 0 failed, 0 unknown · 1 waiting for a result · insufficient");
    expect(out.split("\n").at(-2)).toBe("#1 12:00:00 … [repaired call] Bash");
  });

  it("shows neither success nor health of a session without calls", async () => {
    const data = mkdtempSync(join(tmpdir(), "toolmend-show-"));
    const store = openSqliteStore(join(data, "toolmend.db"));
    await store.apply({ journal: "j", position: "1", live: true, lines: lines(requestObservation()) });
    await store.close();
    const { out } = await runCommand(["show", "s1", "--data", data]);
    rmSync(data, { recursive: true, force: true });
    expect(out.split("\n")[2]).toBe("No calls in 1 request");
  });

  it("names a loop in the header", async () => {
    const data = mkdtempSync(join(tmpdir(), "toolmend-show-"));
    const store = openSqliteStore(join(data, "toolmend.db"));
    const calls = Array.from({ length: 8 }, (_, n) => {
      const id = `toolu_${n}_aaaaaaaaaaaa`;
      return callObservation({
        ...{ tool_call_id: id, name: "Read", occurred_at: NOON + n * 1000, turn: id, turn_index: 0, prompt: "p1" },
        arguments: { fingerprint: "a", keys: {}, resources: [], size_bytes: 1, effect: "reads" },
        result: { ...result(id), normalized_hash: "same text" },
      });
    });
    await store.apply({ journal: "j", position: "1", live: true, lines: lines(...calls) });
    await store.close();
    const { out } = await runCommand(["show", "s1", "--data", data]);
    rmSync(data, { recursive: true, force: true });
    expect(out.split("\n")[2]).toBe(
      "8 calls: 8 ok, 0 failed, 0 unknown · success 100.0 % · healthy (by rate: healthy) · a loop of 7 calls, may continue",
    );
  });

  it("fits timeline lines to the terminal width", async () => {
    const { out } = await runCommand(["show", "troubled", "--data", folder], { width: 60 });
    const all = out.split("\n");
    const lines = all.slice(
      all.findIndex((one) => one.startsWith("#")),
      all.indexOf("What may help:"),
    );
    expect(lines.length).toBeGreaterThan(14);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
  });

  it("gives a message that does not fit its own lines, after the links of the call", async () => {
    const { out } = await runCommand(["show", "troubled", "--data", folder], { width: 60 });
    expect(out).toContain(
      ["✗ [root failure; recovered by #7]", "[EXIT_CODE] Bash exit=2 - make: no rule for", "out"].join(
        `\n${" ".repeat(14)}`,
      ),
    );
  });

  it("uses colors on a terminal and none when disabled", async () => {
    const shown = (io: object): Promise<Ran> => runCommand(["show", "troubled", "--data", folder], io);
    expect((await shown({ isTerminal: true })).out).toContain("\u001b[31m✗\u001b[0m");
    expect((await shown({ isTerminal: true, environment: { NO_COLOR: "1" } })).out).not.toContain("\u001b");
    expect((await shown({ isTerminal: false })).out).not.toContain("\u001b");
  });

  it("removes control characters from names", async () => {
    const { out } = await run("show", "calm");
    expect(out).toContain("�[31mWeb");
    expect(out).not.toContain("\u001b");
  });
});

describe("show --json", () => {
  it("prints the shape that programs rely on, with calls named by their API ids", async () => {
    const read = JSON.parse((await run("show", "troubled", "--json")).out) as { calls: object[] };
    expect(read).toMatchObject({
      session: {
        session_id: "troubled",
        health: "unhealthy",
        scores: {
          session_success_rate: 1 - 5 / 7,
          session_health: "unhealthy",
          dominant_failure_mode: "not_found",
          session_rate_health: "unhealthy",
        },
      },
      story: { roots: 1, follow_ons: 3, retries: 2, recoveries: 1 },
    });
    expect(read.calls).toHaveLength(7);
    expect(read.calls[2]).toMatchObject({
      ...{ tool_call_id: "toolu_caaaaaaaaaaa", tool_name: "Read", agent_id: "root", position: 2, status: "failed" },
      ...{ phase: "run", category: "not_found", severity: 0.4, soft: false, workflow: "bug_fix" },
      ...{ status_message: "[NOT_FOUND] Read - File does not exist.", retry_of: null, recovered_by: null },
      ...{ cascade_of: "toolu_baaaaaaaaaaa", cascade_rule: "inside", is_cascade_failure: true },
      scores: { tool_success: 0, failure_category: "not_found", error_severity: 0.4, is_cascade_failure: 1 },
    });
    expect(read.calls[5]).toMatchObject({ retry_of: "toolu_baaaaaaaaaaa", recovered_by: "toolu_gaaaaaaaaaaa" });
    expect(read.calls[6]).toMatchObject({ retry_of: "toolu_faaaaaaaaaaa", scores: { tool_success: 1 } });
  });
});
