import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { callObservation, FAILED, lines, NOON, OK, result, UNKNOWN } from "../support/observations.ts";
import { type Ran, runCommand } from "../support/run-command.ts";

let folder: string;
const calls = [
  callObservation({ tool_call_id: "toolu_aaaaaaaaaaa1", result: result("1", OK), model: "m1", provider: "anthropic" }),
  callObservation({
    tool_call_id: "toolu_aaaaaaaaaaa2",
    result: result("2", FAILED),
    model: "m1",
    provider: "anthropic",
  }),
  callObservation({
    tool_call_id: "toolu_aaaaaaaaaaa3",
    result: result("3", UNKNOWN),
    model: "m2",
    provider: "openai",
  }),
  callObservation({ tool_call_id: "toolu_aaaaaaaaaaa4", name: '=HYPERLINK("x"),\u001b[31m', result: result("4", OK) }),
  callObservation({ tool_call_id: "toolu_aaaaaaaaaaa5", name: "Read" }),
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-report-"));
  const store = openSqliteStore(join(folder, "toolmend.db"));
  await store.apply({ journal: "j", position: "1", live: true, lines: lines(...calls) });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const report = (...args: readonly string[]): Promise<Ran> => runCommand(["report", "--data", folder, ...args]);

describe("the range of a report", () => {
  /** Two calls before half past one, and one after. */
  const at = (minutes: number, id: string, more = {}): object =>
    callObservation({ tool_call_id: `toolu_range_${id}`, occurred_at: NOON + minutes * 60_000, ...more });
  let data: string;
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), "toolmend-range-"));
    const store = openSqliteStore(join(data, "toolmend.db"));
    const calls = [
      at(59, "1", { result: result("1", OK) }),
      ...[at(70, "2", { result: result("2", OK) }), at(71, "3"), at(100, "4", { result: result("4", FAILED) })],
    ];
    await store.apply({ journal: "j", position: "1", live: true, lines: lines(...calls) });
    await store.close();
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));
  const now = (): number => NOON + 101 * 60_000;

  it("begins with the hour of --since, for calls with and without a result, and says so", async () => {
    const { out } = await runCommand(["report", "--since", "5m", "--data", data], { now });
    expect(out).toContain("2 calls in 1 session since 2026-03-10 13:00 UTC (whole hours): 1 failed");
    expect(out).toContain("1 without a result");
  });

  it("is the range of the JSON", async () => {
    const { out } = await runCommand(["report", "--since", "5m", "--until", "1m", "--json", "--data", data], { now });
    const shown = JSON.parse(out) as { readonly totals: object };
    expect(shown).toMatchObject({ since: "2026-03-10T13:00:00.000Z", until: "2026-03-10T14:00:00.000Z" });
    expect(shown.totals).toMatchObject({ calls: 2, pending: 1 });
  });
});

describe("report --json", () => {
  it("prints the shape that programs rely on", async () => {
    const { code, out, err } = await report("--json", "--since", "24h");
    expect([code, err]).toEqual([0, ""]);
    const none = { recovered: 0, follow_on: 0, retries: 0, unrecovered: 0, excused: 0 };
    const nothing = { calls: 0, ok: 0, failed: 0, unknown: 0, soft: 0, ...none };
    expect(JSON.parse(out)).toEqual({
      by: "tool",
      since: "2026-03-09T12:00:00.000Z",
      until: null,
      totals: {
        ...{ calls: 4, ok: 2, failed: 1, unknown: 1, soft: 0, ...none, unrecovered: 1, failure_rate: 1 / 3 },
        ...{ pending: 1, discarded: 0, sessions: 1, requests: 0, last_at: NOON },
      },
      rows: [
        {
          ...{ key: "Bash", calls: 3, ok: 1, failed: 1, unknown: 1, soft: 0, ...none, unrecovered: 1 },
          ...{ failure_rate: 0.5, top_category: "exit_code", phases: { call: 0, gate: 0, run: 1 }, p95_ms: null },
          ...{ interval: [0.094531205, 0.905468795], excess: 0.333333333 },
          ...{ previous: nothing, change: null, recovered_rate: 0 },
        },
        {
          ...{ key: '=HYPERLINK("x"),\u001b[31m', calls: 1, ok: 1, failed: 0, unknown: 0, soft: 0, ...none },
          ...{ failure_rate: 0, top_category: null, phases: { call: 0, gate: 0, run: 0 }, p95_ms: null },
          ...{ interval: [0, 0.793450688], excess: -0.333333333 },
          ...{ previous: nothing, change: null, recovered_rate: null },
        },
      ],
      leaks_left: {},
      usage: { total: null, rows: [] },
      call_faults: [],
      would_have_worked: 0,
      second_chances: [],
      origins: [
        {
          ...{ origin: "native", calls: 4, ok: 2, failed: 1, unknown: 1, soft: 0, failure_rate: 1 / 3 },
          ...{ refused: 0, pending: 1, discarded: 0 },
        },
        {
          ...{ origin: "recovered", calls: 0, ok: 0, failed: 0, unknown: 0, soft: 0, failure_rate: null },
          ...{ refused: 0, pending: 0, discarded: 0 },
        },
      ],
    });
  });

  it.each([
    ["model", ["m1", "m2", "unknown"]],
    ["provider", ["anthropic", "openai", "unknown"]],
    ["category", ["exit_code"]],
    ["phase", ["run"]],
    ["workflow", ["unknown"]],
    ["day", ["2026-03-10"]],
    ["session", ["s1"]],
  ])("counts by %s", async (by, keys) => {
    const read = JSON.parse((await report("--json", "--by", by)).out) as { by: string; rows: { key: string }[] };
    expect(read.by).toBe(by);
    expect(read.rows.map(({ key }) => key)).toEqual(keys);
  });

  it("prints empty rows, not none, outside the range", async () => {
    const read = JSON.parse((await report("--json", "--until", "2026-03-09")).out);
    expect(read).toMatchObject({ totals: { calls: 0, failure_rate: null }, rows: [] });
  });
});

it("report --csv has a header, quotes cells where needed, and contains no formula", async () => {
  const { out } = await report("--csv");
  expect(out.split("\n")).toEqual([
    "key,calls,ok,failed,unknown,soft,failure_rate,top_category,rate_low,rate_high,excess,change,call,gate,run,recovered,follow_on,retries",
    "Bash,3,1,1,1,0,0.5,exit_code,0.094531205,0.905468795,0.333333333,,0,0,1,0,0,0",
    `"'=HYPERLINK(""x""),\ufffd[31m",1,1,0,0,0,0,,0,0.793450688,-0.333333333,,0,0,0,0,0,0`,
    "",
  ]);
});

it("report prints a table and a summary without control characters from tool names", async () => {
  const { out } = await report();
  expect(out).toBe(
    [
      "TOOL                   CALLS  FAILED  FAIL %  95 %  EXCESS  CALL/GATE/RUN  MOSTLY     RECOVERED",
      "Bash                       3       1    50.0  9–91     0.3          0/0/1  exit_code        0 %",
      '=HYPERLINK("x"),�[31m      1       0     0.0  0–79    -0.3',
      "",
      "95 %           the rate is in this range with 95 % certainty",
      "EXCESS         failures above the number that the overall rate predicts",
      "CALL/GATE/RUN  failures of calls that were invalid, were refused, or ran and failed",
      "RECOVERED      share of failures with a later successful retry",
      "",
      "4 calls in 1 session: 1 failed (33.3 % of calls with a known outcome), 1 unknown, 1 without a result",
      "",
    ].join("\n"),
  );
});

it("report explains only the columns that the terminal has room for", async () => {
  const { out } = await runCommand(["report", "--data", folder], { width: 50 });
  const [head = "", ...others] = out.split("\n");
  expect(head).not.toContain("CALL/GATE/RUN");
  expect(others.filter((line) => line.startsWith("CALL/GATE/RUN"))).toEqual([]);
});

it.each([
  [
    ["--since", "2026-03-11"],
    "No tool calls in this range. `npm run -s toolmend -- report --data FOLDER` without --since and --until shows all calls.\n",
  ],
  [["--project", "other"], "No tool calls in project other.\n"],
])("report with %j says which data is missing", async (args, expected) => {
  expect((await report(...args)).out).toBe(expected.replace("FOLDER", folder));
});

describe("report with a filter", () => {
  it("counts only the calls of a tool and a model, in every form", async () => {
    const { code, out } = await report("--tool", "Bash", "--model", "m1", "--by", "day");
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^DAY .*\n2026-03-10 +2 +1 +50\.0 .*\n\n(?:[A-Z9].*\n)+\n2 calls: 1 failed \(50\.0 % .*\), 0 unknown\n$/,
      ),
    ]);
    const json = JSON.parse((await report("--model", "m2", "--json")).out) as Record<string, unknown>;
    expect(json).toMatchObject({
      totals: { calls: 1, unknown: 1, failure_rate: null },
      rows: [{ key: "Bash", calls: 1 }],
    });
    expect((await report("--model", "m2", "--csv")).out.split("\n")).toHaveLength(3);
  });

  it("names the command that lists the names if no call matches", async () => {
    expect((await report("--tool", "Bahs")).out).toBe(
      `No calls of Bahs. \`npm run -s toolmend -- report --by tool --data ${folder}\` lists the names.\n`,
    );
  });

  it.each([
    [["--by", "loop", "--tool", "Bash"], "--by loop cannot be combined with --tool or --model.\n"],
    [["--by", "workflow", "--tool", "Bash"], "by workflow cannot be filtered by tool. Remove that filter.\n"],
  ])("rejects what it cannot count: %j", async (args, message) => {
    expect(await report(...args)).toMatchObject({ code: 2, out: "", err: message });
  });
});

describe("report with a start time", () => {
  const day = 86_400_000;
  const at = (when: number, n: number, isFailed: boolean): object =>
    callObservation({
      tool_call_id: `toolu_${when}_${n}`,
      occurred_at: when,
      seen_at: when,
      result: result(`${n}`, isFailed ? FAILED : OK),
    });

  it.each([
    {
      title: "shows a change that chance rarely explains",
      ...{ calls: 40, failedBefore: 10, failedNow: 30 },
      line: "Bash         40      30    75.0  60–86   +50.0     0.0         0/0/30  exit_code        0 %        0",
    },
    {
      title: "shows no figure for a change that chance may explain",
      ...{ calls: 4, failedBefore: 1, failedNow: 3 },
      line: "Bash          4       3    75.0  30–95       ≈     0.0          0/0/3  exit_code        0 %        0",
    },
  ])("$title", async ({ calls: count, failedBefore, failedNow, line }) => {
    const data = mkdtempSync(join(tmpdir(), "toolmend-change-"));
    const store = openSqliteStore(join(data, "toolmend.db"));
    const numbers = Array.from({ length: count }, (_, n) => n);
    const before = numbers.map((n) => at(NOON - day, n, n < failedBefore));
    const now = numbers.map((n) => at(NOON - 7_200_000, n, n < failedNow));
    await store.apply({ journal: "j", position: "1", live: true, lines: lines(...before, ...now) });
    await store.close();
    const args = ["report", "--data", data, "--since", "12h"];
    const { out } = await runCommand(args);
    expect(out.split("\n").slice(0, 2)).toEqual([
      "TOOL      CALLS  FAILED  FAIL %   95 %  CHANGE  EXCESS  CALL/GATE/RUN  MOSTLY     RECOVERED  UNKNOWN",
      line,
    ]);
    const [row] = (JSON.parse((await runCommand([...args, "--json"])).out) as { rows: object[] }).rows;
    expect(row).toMatchObject({ change: 0.5, previous: { calls: count, failed: failedBefore } });
    rmSync(data, { recursive: true, force: true });
  });
});

it("report counts repaired calls that wait for a result", async () => {
  const data = mkdtempSync(join(tmpdir(), "toolmend-waiting-"));
  const store = openSqliteStore(join(data, "toolmend.db"));
  const waiting = [1, 2].map((n) => callObservation({ tool_call_id: `toolu_waiting_${n}`, origin: "recovered" }));
  await store.apply({ journal: "j", position: "1", live: true, lines: lines(...waiting) });
  await store.close();
  const { out } = await runCommand(["report", "--data", data]);
  expect(out).toBe(
    "No call has a result yet. 2 calls waiting for one.\nRepaired (calls that models wrote as text): 2 leaked calls, 2 waiting for a result.\n",
  );
  rmSync(data, { recursive: true, force: true });
});

describe("report --by fingerprint", () => {
  const failing = (n: number, session_id: string, fingerprint: string, tool: string): object =>
    callObservation({
      ...{ session_id, tool_call_id: `toolu_f${n}aaaaaaaaaa`, name: tool, occurred_at: NOON - n * 3_600_000 },
      result: result(`f${n}`, { ...FAILED, fingerprint, status_message: `[EXIT_CODE] ${tool} - no ${n}` }),
    });
  let data: string;
  beforeAll(async () => {
    data = mkdtempSync(join(tmpdir(), "toolmend-same-"));
    const store = openSqliteStore(join(data, "toolmend.db"));
    const observations = [
      failing(1, "a", "exit_code-aaaaaaaaaaaa", "Bash"),
      failing(2, "b", "exit_code-aaaaaaaaaaaa", "Bash"),
      failing(3, "c", "exit_code-aaaaaaaaaaaa", "Run"),
      failing(4, "a", "exit_code-bbbbbbbbbbbb", "Run"),
    ];
    await store.apply({ journal: "j", position: "1", live: true, lines: lines(...observations) });
    await store.close();
  });
  afterAll(() => rmSync(data, { recursive: true, force: true }));
  const same = (...args: readonly string[]): Promise<Ran> =>
    runCommand(["report", "--by", "fingerprint", "--data", data, ...args]);

  it("prints one row per error across all sessions", async () => {
    const read = JSON.parse((await same("--json")).out) as { rows: object[] };
    expect(read).toMatchObject({ by: "fingerprint", since: null, until: null });
    expect(read.rows).toMatchObject([
      {
        ...{ key: "exit_code-aaaaaaaaaaaa", category: "exit_code", count: 3, tool: "Bash", tools: { Bash: 2, Run: 1 } },
        ...{ first_at: "2026-03-10T09:00:00.000Z", last_at: "2026-03-10T11:00:00.000Z" },
      },
      { key: "exit_code-bbbbbbbbbbbb", count: 1 },
    ]);
  });

  it("prints a table with a sample, or CSV lines", async () => {
    const [head, first] = (await same()).out.split("\n");
    expect(head).toBe("FAILURE                 COUNT  CATEGORY   MOSTLY  FIRST  LAST");
    expect(first).toMatch(/^\[EXIT_CODE\] (?:Bash|Run) - no \d +3 {2}exit_code {2}Bash {7}3h {4}1h$/);
    expect((await same("--csv")).out.split("\n")[0]).toBe("key,category,count,first_at,last_at,tool,sample");
  });
});

it("report --by fingerprint shows the line that names the problem, without the client's tags", async () => {
  const data = mkdtempSync(join(tmpdir(), "toolmend-tags-"));
  const store = openSqliteStore(join(data, "toolmend.db"));
  const failing = (n: number, excerpt: string): object =>
    callObservation({
      tool_call_id: `toolu_tag_${n}`,
      result: result(`f${n}`, { ...FAILED, fingerprint: `exit_code-${n}`, excerpt }),
    });
  const observations = [
    failing(1, "<tool_use_error>String to replace not found in file.</tool_use_error>"),
    failing(2, "Exit code 1\nmkdir: cannot create directory 'out': No space left on device"),
  ];
  await store.apply({ journal: "j", position: "1", live: true, lines: lines(...observations) });
  await store.close();
  const shown = async (...args: readonly string[]): Promise<string> =>
    (await runCommand(["report", "--by", "fingerprint", "--data", data, ...args])).out;
  const text = await shown();
  const csv = await shown("--csv");
  rmSync(data, { recursive: true, force: true });
  expect(text).toMatch(/^String to replace not found in file\. /m);
  expect(text).toMatch(/^mkdir: cannot create directory 'out': No space left on device /m);
  expect(text + csv).not.toContain("tool_use_error");
});

it.each(["session", "tool"])("report --by %s shows in which phase calls failed", async (by) => {
  const [head = "", first = ""] = (await report("--by", by)).out.split("\n");
  const column = head.indexOf("CALL/GATE/RUN");
  expect(first.slice(column, column + 13).trim()).toBe("0/0/1");
});
