import fc from "fast-check";
import { expect, test } from "vitest";
import { CLIENT_PROFILES, classifyToolResult, formatStatusMessage } from "../../src/core/detect/index.ts";

const PIECES = [
  "Error: ",
  "error",
  "\n",
  " ",
  "Exit code 1",
  "Exit code 0",
  "Process exited with code 2",
  "Output:",
  '{"error":',
  '"',
  "{",
  "}",
  "[",
  "]",
  "null",
  "Traceback (most recent call last):",
  "<tool_use_error>",
  "</tool_use_error>",
  "isError",
  "true",
  "404",
  "not found",
  "(no output)",
  "\u0000",
  "\ufffd",
  "\u0130",
  "'",
  "\\",
];

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 400 }),
  fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6 })), { maxLength: 40 })
    .map((parts) => parts.join("")),
);
const contents = fc.oneof({ weight: 4, arbitrary: texts }, fc.anything());
const calls = fc.option(
  fc.record(
    {
      name: fc.oneof(fc.constantFrom("Bash", "read_file", "grep", "edit", "fetch", "get_rows"), texts),
      arguments: fc.anything(),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined },
);
const contexts = fc.record(
  {
    client: fc.constantFrom(...CLIENT_PROFILES.map((profile) => profile.name)),
    api: fc.constantFrom("anthropic" as const, "chat" as const, "responses" as const),
    heuristics: fc.boolean(),
  },
  { requiredKeys: [] },
);
const flags = fc.constantFrom(true, false, undefined);

test("any content, call and context gives a consistent outcome", () => {
  fc.assert(
    fc.property(contents, flags, calls, contexts, (content, isError, call, context) => {
      const result = { callId: "c", content, ...(isError === undefined ? {} : { isError }) };
      const outcome = classifyToolResult(result, call as never, context);
      expect(classifyToolResult(result, call as never, context)).toEqual(outcome);
      expect(outcome.soft).toBe(outcome.flag === "ok" && outcome.reported === "failed");
      if (outcome.flag !== "absent") {
        expect(outcome.status).toBe(outcome.flag);
      }
      expect(outcome.category !== undefined).toBe(outcome.status === "failed" || outcome.soft);
      expect(outcome.confidence).toBeGreaterThanOrEqual(0);
      expect(outcome.confidence).toBeLessThanOrEqual(1);
      expect(formatStatusMessage(outcome, "t") !== undefined).toBe(outcome.status === "failed");
    }),
    { numRuns: 1500 },
  );
});

test("an excerpt with a position is found in the text at that position", () => {
  fc.assert(
    fc.property(texts, fc.constantFrom("Bash", "get_rows", "read_file"), (content, name) => {
      for (const { excerpt, position } of classifyToolResult({ callId: "c", content }, { name }).evidence) {
        if (position !== undefined) {
          expect(content.startsWith(excerpt ?? "", position)).toBe(true);
        }
      }
    }),
    { numRuns: 1500 },
  );
});

test("a raised flag means failed for any text", () => {
  fc.assert(
    fc.property(texts, contexts, (content, context) => {
      expect(classifyToolResult({ callId: "c", content, isError: true }, { name: "x" }, context).status).toBe("failed");
    }),
    { numRuns: 500 },
  );
});
