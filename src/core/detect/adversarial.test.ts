import { describe, expect, test } from "vitest";
import { classifyToolResult } from "./index.ts";
import { categoryOfMessage } from "./reason/category.ts";
import { findTellingLine } from "./reason/telling-line.ts";
import { nextField } from "./structure/json-fields.ts";

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

describe("hostile text", () => {
  test.each(HOSTILE)("the search for fields takes linear time on 1 MB of %s", (_, text) => {
    quick(() => nextField(text, 0, text.length));
  });

  test.each(HOSTILE)("the search for the telling line and its category takes linear time on 1 MB of %s", (_, text) => {
    quick(() => categoryOfMessage(findTellingLine(text, ["make"])?.line ?? text));
    quick(() => findTellingLine(text.replaceAll(" ", "\n"), []));
  });

  test.each(HOSTILE)("classification takes linear time for every kind of tool on 1 MB of %s", (_, text) => {
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
