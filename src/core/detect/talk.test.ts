import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { classifyToolResult } from "./index.ts";

interface TalkRow {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const ROWS: readonly TalkRow[] = readFileSync(
  new URL("../../../test/fixtures/detect/talk.jsonl", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as TalkRow);

/** Texts that the wording model still takes for failures. */
const WEAK = [
  'get_ticket: Ticket 81: Checkout shows "Internal server error"\nStatus: re',
  "ask_model: A segmentation fault happens when a program accesses memory ",
];

describe("results that succeeded and mention errors", () => {
  test("tests that passed, logs, lists, files and messages are not failed, except for the two listed rows of 80", () => {
    const failed = ROWS.filter(({ tool, args, text }) => {
      const { status, soft } = classifyToolResult({ content: text }, { name: tool, arguments: args });
      return status === "failed" || soft;
    });
    expect(ROWS).toHaveLength(80);
    expect(failed.map(({ tool, text }) => `${tool}: ${text.slice(0, 60)}`)).toEqual(WEAK);
  });
});
