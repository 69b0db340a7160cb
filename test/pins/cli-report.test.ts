import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { callSeen, FAILED, lines, NOON, OK, result, UNKNOWN } from "../support/observations.ts";

let folder: string;
const calls = [
  callSeen({ tool_call_id: "toolu_aaaaaaaaaaa1", result: result("1", OK), model: "m1", provider: "anthropic" }),
  callSeen({ tool_call_id: "toolu_aaaaaaaaaaa2", result: result("2", FAILED), model: "m1", provider: "anthropic" }),
  callSeen({ tool_call_id: "toolu_aaaaaaaaaaa3", result: result("3", UNKNOWN), model: "m2", provider: "openai" }),
  callSeen({ tool_call_id: "toolu_aaaaaaaaaaa4", name: '=HYPERLINK("x"),\u001b[31m', result: result("4", OK) }),
  callSeen({ tool_call_id: "toolu_aaaaaaaaaaa5", name: "Read" }),
];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-report-"));
  const store = openSqliteStore(join(folder, "toolmend.db"));
  await store.apply({ journal: "j", position: "1", live: true, lines: lines(...calls) });
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function report(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const code = await main(["report", "--data", folder, ...args], {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    environment: {},
    isTerminal: false,
    width: 100,
    now: () => NOON + 60_000,
  });
  return { code, out, err };
}

const LINKED = { recovered: 0, follow_on: 0, retries: 0, unrecovered: 0, excused: 0 };

describe("report --json", () => {
  it("has the shape that programs rely on", async () => {
    const { code, out, err } = await report("--json", "--since", "24h");
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      by: "tool",
      since: "2026-03-09T12:01:00.000Z",
      until: null,
      totals: {
        ...{ calls: 4, ok: 2, failed: 1, unknown: 1, soft: 0, failure_rate: 1 / 3 },
        ...{ ...LINKED, unrecovered: 1 },
        ...{ pending: 1, discarded: 0, sessions: 1, requests: 0, last_at: NOON },
      },
      rows: [
        {
          ...{
            key: "Bash",
            calls: 3,
            ok: 1,
            failed: 1,
            unknown: 1,
            soft: 0,
            failure_rate: 0.5,
            top_category: "exit_code",
          },
          ...{ ...LINKED, unrecovered: 1, phases: { call: 0, gate: 0, run: 1 }, p95_ms: null, previous: null },
        },
        {
          ...{ key: '=HYPERLINK("x"),\u001b[31m', calls: 1, ok: 1, failed: 0, unknown: 0, soft: 0 },
          ...{ failure_rate: 0, top_category: null },
          ...{ ...LINKED, phases: { call: 0, gate: 0, run: 0 }, p95_ms: null, previous: null },
        },
      ],
    });
  });

  it.each([
    ["model", ["m1", "m2", "unknown"]],
    ["provider", ["anthropic", "openai", "unknown"]],
    ["category", ["exit_code"]],
    ["phase", ["run"]],
    ["day", ["2026-03-10"]],
    ["session", ["s1"]],
  ])("counts by %s", async (by, keys) => {
    const read = JSON.parse((await report("--json", "--by", by)).out) as { by: string; rows: { key: string }[] };
    expect(read.by).toBe(by);
    expect(read.rows.map(({ key }) => key)).toEqual(keys);
  });

  it("is empty, not absent, outside the range", async () => {
    const read = JSON.parse((await report("--json", "--until", "2026-03-09")).out);
    expect(read).toMatchObject({ totals: { calls: 0, failure_rate: null }, rows: [] });
  });
});

it("report --csv has a header and quotes what must be quoted; no cell is a formula", async () => {
  const { out } = await report("--csv");
  expect(out.split("\n")).toEqual([
    "key,calls,ok,failed,unknown,soft,failure_rate,top_category",
    "Bash,3,1,1,1,0,0.5,exit_code",
    `"'=HYPERLINK(""x""),\u001b[31m",1,1,0,0,0,0,`,
    "",
  ]);
});

it("report for people is a table and a summary, without control characters of the tools' names", async () => {
  const { out } = await report();
  expect(out).toBe(
    [
      "TOOL                   CALLS  FAILED  UNKNOWN  FAIL %  MOSTLY",
      "Bash                       3       1        1    50.0  exit_code",
      '=HYPERLINK("x"),�[31m      1       0        0     0.0',
      "",
      "4 calls in 1 sessions: 1 failed (33.3 % of those with a verdict), 1 unknown, 1 still open",
      "",
    ].join("\n"),
  );
});
