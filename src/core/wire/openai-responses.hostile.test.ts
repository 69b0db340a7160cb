import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openaiResponses } from "./openai-responses.ts";

const TYPES = [
  "message",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "local_shell_call_output",
  "apply_patch_call_output",
  "additional_tools",
  "namespace",
  "response.created",
  "response.output_item.added",
  "response.output_item.done",
  "response.function_call_arguments.delta",
  "response.output_text.done",
  "response.completed",
  "error",
  "__proto__",
  "constructor",
];
const NAMES = [
  ...["type", "role", "id", "call_id", "name", "namespace", "arguments", "input", "output", "content", "text", "tools"],
  ...["item", "response", "delta", "output_index", "content_index", "item_id", "usage", "status", "error", "__proto__"],
  ...["input_tokens_details", "incomplete_details", "environment"],
];

/** JSON made of the API's field names and types in arbitrary structure. */
const hostile = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(...TYPES, "user", "assistant", "", 0, -1, null, true, 1e308),
    fc.string(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom(...NAMES), tie("value")), { maxLength: 6 })
      .map((entries) =>
        JSON.parse(`{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${JSON.stringify(inner)}`).join()}}`),
      ),
  ),
})).value;

describe("openai-responses decoders with hostile input", () => {
  it("decoders never throw, and return only well-formed values", () => {
    fc.assert(
      fc.property(hostile, fc.array(hostile, { maxLength: 8 }), (value, list) => {
        for (const body of [value, { input: list, tools: list }, { input: value }]) {
          const request = openaiResponses.decodeRequest(body);
          for (const { id, n, name } of request?.calls ?? []) {
            expect([typeof id, typeof n, ["string", "undefined"].includes(typeof name)]).toEqual([
              "string",
              "number",
              true,
            ]);
          }
        }
        for (const body of [value, { output: list, usage: value, error: value }]) {
          for (const { id, name } of openaiResponses.decodeResponse(body)?.calls ?? []) {
            expect([typeof id, typeof name]).toEqual(["string", "string"]);
          }
        }
        const decoder = openaiResponses.createStreamDecoder();
        for (const event of list) decoder.push(JSON.stringify(event) ?? "");
        expect(typeof decoder.end().text).toBe("string");
      }),
      { numRuns: 500 },
    );
  });

  it("decoders ignore events that are not JSON", () => {
    const decoder = openaiResponses.createStreamDecoder();
    for (const data of ["", "[DONE]", "{", "null", "[]", "7", '{"type":7}', '{"type":"toString"}']) decoder.push(data);
    expect(decoder.end()).toMatchObject({ text: "", calls: [], finished: false });
  });
});
