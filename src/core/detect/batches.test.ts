import { describe, expect, test } from "vitest";
import { DETECT_BATCHES, type DetectRow } from "../../../test/support/detect-rows.ts";
import { CATEGORY_RULES } from "./categorize.ts";
import { classifyToolResult } from "./index.ts";
import { FIRST_LINE_RULES } from "./text/first-line-table.ts";
import { LINE_RULES } from "./text/output-table.ts";
import { candidateRules, wordTriggers } from "./text/rule-prefilter.ts";
import { SENTENCE_RULES } from "./text/sentence-table.ts";

/** Rows that are still misclassified, by tool and start of text. Remove a row once it is classified correctly. */
const WEAK: readonly string[] = [
  "get_text: no such element: Unable to locate elemen",
  'redis_command: "Error: connection lost"',
  "read_file: Error: connection refused\n\nThis error me",
  'stock_quote: {"Note":"Thank you for using our API! Ou',
  "bash: Unable to find image 'hello-world:latest",
  "bash: To get started with GitHub CLI, please r",
  "run_speed_test: Speed test failed: No Connection.",
  "bash: On branch main\nnothing to commit, workin",
  "track_package: Delivery attempt failed on 12 May: recip",
  "gdrive_read: No access, refresh token, API key or ref",
  'list_all_airports: {"JFK":"New York","ERR":"Errol"}',
  "find_archived_url: Your url was not archived on Wayback Mac",
  "ocr: FATAL: disk not found",
  "speech_to_text:  The request failed and we could not fin",
  'wikipedia_summary: Page id "zzqq" does not match any pages.',
  "youtube_transcript: Could not retrieve a transcript for the ",
  "translate: Error: file not found",
  "execute_bash: [The command has no new output after 30 ",
  "step: No known action matches that input.",
  "move: You can't go that way; there is a wall. ",
  "stock_price: $ZZZZ: possibly delisted; no price data ",
  "read_many: No files matching the criteria were foun",
  "validate_json: Invalid JSON: Unexpected end of input at",
  "simulate_failure: Failure injected: node 1 will time out f",
  "bash: ==> Searching for similarly named formul",
  "bash: Network access is disabled in this sandb",
  'bash: Tool input did not match the schema: [{"',
  "llm_query: This model's maximum context length is 8",
  "verify_identity: PIN does not match our records.",
  "get_nearest_airport: No airport is known near Atlantis.",
  "search_logs: Too many results (18,204). Narrow the ti",
  "extend_loan: Another reader is waiting for this book,",
  "check_in: Check-in opens 24 hours before departure",
  "submit_expense: Receipt missing: attach one and submit a",
  "start_vm: vm1 stayed in state PROVISIONING and was",
  "bash: Diff in /w/src/main.rs:3:\n fn main() {\n-",
  "bash: E: Failed to fetch http://a.example/jq.d",
  "fetch: htp:/x is no URL",
  'authenticate_twitter: {"authentication_status": false}',
  "get_drug_info: Must not be taken with alcohol. Not appr",
  "run_pipeline: Pipeline 4 finished with status FAILED a",
  "bash: Dockerfile:3 DL3008 warning: Pin version",
  "python: {'status': 'failed', 'reason': 'timeout'",
  "bash: vite v5.2.0 building for production...\n[",
  "attempt_completion: The user has provided feedback on the re",
];

/** From batch 4 on, labels are as first written and were never adjusted to the category table. */
const CATEGORY_FLOORS: readonly number[] = [0.85, 0.85, 0.85, 0.74, 0.6, 0.7, 0.45, 0.65, 0.65];

const name = ({ tool, text }: DetectRow): string => `${tool}: ${text.slice(0, 40)}`;

const classify = (row: DetectRow) =>
  classifyToolResult({ callId: "c", content: row.text }, { name: row.tool, arguments: row.args });

const isSure = (row: DetectRow): boolean => row.debatable !== true;

describe("results labeled without knowledge of the rules", () => {
  test("get the labeled status, except for the known misclassified rows", () => {
    const wrong = DETECT_BATCHES.flat()
      .filter(isSure)
      .filter((row) => (classify(row).status === "failed") !== (row.failed !== undefined));
    expect(wrong.map(name)).toEqual(WEAK);
  });

  test.each(CATEGORY_FLOORS.map((floor, index) => [index + 1, floor] as const))(
    "get the labeled category in batch %i more often than the required minimum",
    (batch, floor) => {
      const rows = (DETECT_BATCHES[batch - 1] ?? []).filter(isSure);
      const found = rows.filter((row) => row.failed !== undefined && classify(row).status === "failed");
      const right = found.filter((row) => classify(row).category === row.failed);
      expect(right.length / found.length).toBeGreaterThan(floor);
    },
  );
});

/** A rule that matches a text must be among its candidates: its prefixes are complete for all known texts. */
describe("prefixes of the prefilter", () => {
  const texts = DETECT_BATCHES.flat().map(({ text }) => text);

  function uncalled(begins: string, pattern: RegExp, parts: readonly string[]): readonly string[] {
    const triggers = wordTriggers([begins]);
    return parts.filter((part) => {
      pattern.lastIndex = 0;
      return pattern.test(part) && candidateRules(triggers, part, 0, part.length) === 0;
    });
  }

  test.each(FIRST_LINE_RULES.map((rule) => [rule.id, rule] as const))(
    "select first-line rule %s in every text it matches",
    (_, { begins, pattern }) => {
      expect(uncalled(begins, pattern, texts)).toEqual([]);
    },
  );

  test.each(SENTENCE_RULES.map((rule) => [rule.id, rule] as const))(
    "select sentence rule %s in every text it matches",
    (_, { begins, pattern }) => {
      expect(uncalled(begins, pattern, texts)).toEqual([]);
    },
  );

  test.each(LINE_RULES.map((rule) => [rule.id, rule] as const))(
    "select output rule %s in every line it matches",
    (_, { begins, pattern }) => {
      expect(
        uncalled(
          begins,
          pattern,
          texts.flatMap((text) => text.split("\n")),
        ),
      ).toEqual([]);
    },
  );

  test.each(CATEGORY_RULES)("select category %s in every text it matches", (_, begins, pattern) => {
    expect(uncalled(begins, pattern, texts)).toEqual([]);
  });
});
