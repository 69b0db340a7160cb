import { describe, expect, test } from "vitest";
import { DETECT_BATCHES } from "../../../../test/support/detect-rows.ts";
import { commandOf } from "../call/shell-command.ts";
import { toolKind } from "../call/tool-kind.ts";
import { CATEGORY_PHRASES } from "../reason/category-phrases.ts";
import { HINT, hintsIn } from "../reason/hints.ts";
import { findExitMarker } from "../structure/exit-marker.ts";
import { findHarnessSentence } from "./harness-sentences.ts";
import { findOpening } from "./openings.ts";
import { findUsageText } from "./own-complaint.ts";
import { hasFormat } from "./read-plain.ts";
import { findSummary } from "./summaries.ts";
import { textWindow } from "./text-window.ts";
import { windowHints } from "./window-hints.ts";

/** One sentence for each alternative of the patterns that run only after a hint. */
const SENTENCES: readonly (readonly [string, number])[] = [
  ["Command timed out after 30 s", HINT.stopped],
  ["The tool call exceeded its time", HINT.stopped],
  ["Execution was aborted", HINT.stopped],
  ["Process was cancelled", HINT.stopped],
  ["Operation canceled", HINT.stopped],
  ["The script was interrupted", HINT.stopped],
  ["Request timeout", HINT.stopped],
  ["Error executing tool list", HINT.wrapper],
  ["Exception while calling x", HINT.wrapper],
  ["Failure when running x", HINT.wrapper],
  ["MCP error -32603", HINT.wrapper],
  ["JSON-RPC error", HINT.wrapper],
  ["gRPC error", HINT.wrapper],
  ["Unknown tool x", HINT.wrapper],
  ["Unrecognized tool x", HINT.wrapper],
  ["No such tool x", HINT.wrapper],
  ["Input validation error", HINT.wrapper],
  ["Tool execution failed", HINT.wrapper],
  ["Exit code 3", HINT.exit],
  ["exitcode: 1", HINT.exit],
  ["[exit status: 2]", HINT.exit],
  ["Process exited with code 3", HINT.exit],
  ["Command failed with status 2", HINT.exit],
  ["<returncode>1</returncode>", HINT.returned],
  ["Process running with session ID 4", HINT.exit],
  ["The process has no new output after 30 s", HINT.exit],
  ["[output truncated]", HINT.truncated],
  ["12 lines omitted", HINT.truncated],
  ["assertion failed", HINT.assertion],
  ["want 3", HINT.assertion],
  ["2 failing", HINT.failure],
  ["ninja: build stopped", HINT.failure],
  ["not ok 3", HINT.failure],
  ["could not compile", HINT.failure],
  ["ValueError", HINT.failure],
  ["Fichier introuvable", HINT.failure],
  ["ошибка", HINT.failure],
];

describe("the words that rules need", () => {
  test.each(SENTENCES)("the hint of a rule is found in %j", (text, hint) => {
    expect(hintsIn(text, 0, text.length) & hint).toBe(hint);
  });

  test("a hint is found in every category phrase, so that no phrase is disabled", () => {
    const phrases = CATEGORY_PHRASES.flatMap(([, list]) => list.split(/[,\n]/)).map((phrase) => phrase.trim());
    const missed = phrases.filter((phrase) => /[a-z]{2}/.test(phrase) && hintsIn(phrase, 0, phrase.length) === 0);
    expect(missed).toEqual([]);
  });

  test("a hint is found in every fixture in which a format is found", () => {
    const missed: string[] = [];
    for (const { text, tool, args } of DETECT_BATCHES.flat()) {
      const kind = toolKind(tool, args);
      const window = textWindow(text);
      const hints = windowHints(window, kind);
      const format =
        findHarnessSentence(window, kind) ??
        findOpening(window, kind) ??
        (kind === "shell" ? (findSummary(window) ?? findUsageText(window, commandOf(args))) : undefined);
      const marker = kind === "shell" ? findExitMarker(window, true) : undefined;
      if (
        (format !== undefined && !hasFormat(window, kind, hints)) ||
        (marker !== undefined && ((hints.head | hints.tail) & (HINT.exit | HINT.returned)) === 0)
      ) {
        missed.push(text.slice(0, 80));
      }
    }
    expect(missed).toEqual([]);
  });

  test("no hint is found in ordinary text", () => {
    const text = "const value = list.map((item) => item.name); // see the table of prices";
    expect(hintsIn(text, 0, text.length) & ~(HINT.phrase | HINT.trailer)).toBe(0);
  });
});
