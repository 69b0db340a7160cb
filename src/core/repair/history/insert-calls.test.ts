import { expect, it } from "vitest";
import { insertCalls } from "./insert-calls.ts";

const CALLS = new Map([
  ["call_a", { name: "read", arguments: '{"path": "a.txt"}' }],
  ["call_b", { name: "list", arguments: "{}" }],
]);
const find = (id: string) => CALLS.get(id);
const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "x" });
const called = (call_id: string) => ({ type: "function_call", call_id, ...CALLS.get(call_id) });

it("insertCalls inserts a missing call before its output and changes nothing else", () => {
  const source = `{ "n": 1.0, "input": [ ${JSON.stringify(output("call_other"))},\n ${JSON.stringify(output("call_a"))} ], "previous_response_id": "r" }`;
  expect(insertCalls(source, find)).toBe(
    source.replace('{"type":"function_call_output","call_id":"call_a"', `${JSON.stringify(called("call_a"))},$&`),
  );
});

it("insertCalls inserts each call once, and none that is present", () => {
  const input = [output("call_a"), output("call_a"), called("call_b"), output("call_b")];
  expect(JSON.parse(insertCalls(JSON.stringify({ input }), find) as string).input).toEqual([
    called("call_a"),
    ...input,
  ]);
});

it.each([
  ["a string input", { input: "Hi" }],
  ["a missing input", {}],
  ["outputs of unknown calls", { input: [output("call_other")] }],
])("insertCalls returns undefined for %s", (_what, body) => {
  expect(insertCalls(JSON.stringify(body), find)).toBeUndefined();
});
