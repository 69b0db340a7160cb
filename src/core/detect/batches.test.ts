import { describe, expect, test } from "vitest";
import { DETECT_BATCHES, type DetectRow } from "../../../test/support/detect-rows.ts";
import { classifyToolResult } from "./index.ts";

/** Rows that are still misclassified, by tool and start of text. Remove a row once it is classified correctly. */
const WEAK: readonly string[] = [
  'redis_command: "Error: connection lost"',
  "read_file: Error: connection refused\n\nThis error me",
  'stock_quote: {"Note":"Thank you for using our API! Ou',
  "run_speed_test: Speed test failed: No Connection.",
  "bash: On branch main\nnothing to commit, workin",
  'list_all_airports: {"JFK":"New York","ERR":"Errol"}',
  "ocr: FATAL: disk not found",
  "execute_bash: [The command has no new output after 30 ",
  "bash: Checking formatting...\n[warn] src/a.ts\n[",
  "bash: ==> Searching for similarly named formul",
  "bash: step 100 energy=-1.22\nstep 200 energy=-1",
  "upgrade_plan: Gold is reserved for customers with two ",
  "check_in: Check-in opens 24 hours before departure",
  "buy_stock: Market is closed; orders are accepted fr",
  "bash: Diff in /w/src/main.rs:3:\n fn main() {\n-",
  "fetch: The page took over 20 s and loading was ",
  "fetch: htp:/x is no URL",
  'authenticate_twitter: {"authentication_status": false}',
  "bash: Dockerfile:3 DL3008 warning: Pin version",
  "python: {'status': 'failed', 'reason': 'timeout'",
  "list_rows: success: false",
  "fetch: <!doctype html><title>404 games</title><",
  "unlock_phone: The battery is empty.",
];

/** From batch 4 on, labels are as first written and were never adjusted to the category table. */
const CATEGORY_FLOORS: readonly number[] = [0.85, 0.85, 0.82, 0.74, 0.6, 0.7, 0.3, 0.6, 0.65, 0.8];

const name = ({ tool, text }: DetectRow): string => `${tool}: ${text.slice(0, 40)}`;

const classify = (row: DetectRow) =>
  classifyToolResult({ callId: "c", content: row.text }, { name: row.tool, arguments: row.args });

const isSure = (row: DetectRow): boolean => row.debatable !== true;

describe("results labeled without knowledge of the rules", () => {
  test("results get the labeled status, except for the listed rows that are still misclassified", () => {
    const wrong = DETECT_BATCHES.flat()
      .filter(isSure)
      .filter((row) => (classify(row).status === "failed") !== (row.failed !== undefined));
    expect(wrong.map(name)).toEqual(WEAK);
  });

  test.each(CATEGORY_FLOORS.map((floor, index) => [index + 1, floor] as const))(
    "results of batch %i get the labeled category more often than the required minimum",
    (batch, floor) => {
      const rows = (DETECT_BATCHES[batch - 1] ?? []).filter(isSure);
      const found = rows.filter((row) => row.failed !== undefined && classify(row).status === "failed");
      const right = found.filter((row) => row.anyCategory === true || classify(row).category === row.failed);
      expect(right.length / found.length).toBeGreaterThan(floor);
    },
  );
});
