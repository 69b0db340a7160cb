import { describe, expect, test } from "vitest";
import { CATEGORY_RULES } from "./categorize.ts";
import { classifyToolResult } from "./index.ts";
import { FIELD } from "./structure/json-rules.ts";
import { FIRST_LINE_RULES } from "./text/first-line-table.ts";
import { OTHER_LANGUAGES } from "./text/localized-errors.ts";
import { REFUSAL_PATTERNS } from "./text/mutating-tool.ts";
import { LINE_RULES } from "./text/output-table.ts";
import { EMPTY_ANSWER } from "./text/sentence-rules.ts";
import { SENTENCE_RULES } from "./text/sentence-table.ts";

const MEGABYTE = 1 << 20;
const fill = (piece: string): string => piece.repeat(Math.ceil(MEGABYTE / piece.length)).slice(0, MEGABYTE);

/** Near misses of the rules that provoke backtracking. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ["blanks", fill(" ")],
  ["newlines", fill("\n")],
  ["words", fill("a ")],
  ["near errors", fill("error error_ errors ")],
  ["near exits", fill("process exited with code ")],
  ["near paths", fill("a/b.c:1:")],
  ["quotes", fill('"error":\\"')],
  ["braces", fill('{"result":')],
  ["brackets", fill("[")],
  ["tags", fill("<output>")],
  ["tracebacks", fill("Traceback (most recent call last) ")],
  ["equals", fill("= 1 faile ")],
  ["colons", fill(": ")],
  ["digits", fill("404 ")],
  ["one line", fill("x")],
  ["backslashes", `{"a":"${fill("\\")}`],
  ["python parts", `[TextContent(type='text', text='${fill("'")}`],
];

/** Far above the time of a linear scan, far below that of backtracking. */
const LIMIT_MS = 3000;

function quick(work: () => unknown): void {
  const before = Date.now();
  work();
  expect(Date.now() - before).toBeLessThan(LIMIT_MS);
}

const PATTERNS: readonly (readonly [string, RegExp])[] = [
  ...FIRST_LINE_RULES.map(({ id, pattern }) => [`lead-${id}`, pattern] as const),
  ...SENTENCE_RULES.map(({ id, pattern }) => [`sentence-${id}`, pattern] as const),
  ...LINE_RULES.map(({ id, pattern }) => [`output-${id}`, pattern] as const),
  ...CATEGORY_RULES.map(([category, , pattern]) => [`category-${category}`, pattern] as const),
  ...OTHER_LANGUAGES.map(([category, pattern]) => [`other-language-${category}`, pattern] as const),
  ...REFUSAL_PATTERNS.map((pattern, index) => [`hindrance-${index}`, pattern] as const),
  ["field", FIELD],
  ["empty-answer", EMPTY_ANSWER],
];

describe("1 MB of hostile text", () => {
  test.each(PATTERNS)("takes linear time in rule %s", (_, pattern) => {
    for (const [, text] of HOSTILE) {
      quick(() => {
        pattern.lastIndex = 0;
        return pattern.exec(text);
      });
    }
  });

  test.each(HOSTILE)("takes linear time for every kind of tool: %s", (_, text) => {
    for (const name of ["bash", "read", "grep", "edit", "fetch", "sql", "task", "get_rows", "cancel_order"]) {
      for (const client of ["plain", "claude-code", "codex", "opencode"] as const) {
        quick(() =>
          classifyToolResult(
            { callId: "c", content: text },
            { name, arguments: { command: text.slice(0, 50_000) } },
            { client },
          ),
        );
      }
    }
  });

  test("hostile text below the whole-text limit takes linear time too", () => {
    for (const [, text] of HOSTILE) {
      quick(() =>
        classifyToolResult(
          { callId: "c", content: text.slice(0, 65_000) },
          { name: "bash", arguments: text.slice(0, 50_000) },
        ),
      );
    }
  });
});
