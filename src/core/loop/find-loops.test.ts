import { expect, it } from "vitest";
import { WIRE } from "../wire/index.ts";
import { canonicalArguments, findLoops } from "./find-loops.ts";

const asked = { role: "user", content: "go" };

function chat(id: string, args: string, content: string): readonly object[] {
  return [
    { role: "assistant", tool_calls: [{ id, type: "function", function: { name: "read", arguments: args } }] },
    { role: "tool", tool_call_id: id, content },
  ];
}

function loopsOf(messages: readonly object[]) {
  const request = WIRE.chat.decodeRequest({ messages });
  return request === undefined ? [] : findLoops(request);
}

it("findLoops finds equal calls whatever their key order and white space, and reports the message of the fourth result", () => {
  const messages = [
    asked,
    ...chat("a", '{"p": 1, "q": 2}', "x"),
    ...chat("b", '{"q":2,"p":1}', "x"),
    ...chat("c", '{"p":1,"q":2}', "x"),
    ...chat("d", '{"p":1,"q":2}', "x"),
  ];
  expect(loopsOf(messages)).toEqual([{ kind: "repeat", period: 1, run: 3, at: 8, tools: ["read"] }]);
});

it("findLoops finds the same loop in the shapes of Messages and Responses", () => {
  const anthropic = [
    asked,
    ...["a", "b", "c", "d"].flatMap((id) => [
      { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: { p: 1 } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "x" }] },
    ]),
  ];
  const responses = [
    asked,
    ...["a", "b", "c", "d"].flatMap((id) => [
      { type: "function_call", call_id: id, name: "read", arguments: '{"p":1}' },
      { type: "function_call_output", call_id: id, output: "x" },
    ]),
  ];
  const expected = [{ kind: "repeat", period: 1, run: 3, at: 8, tools: ["read"] }];
  expect(findLoops(WIRE.anthropic.decodeRequest({ messages: anthropic }) ?? { calls: [], prompts: [] })).toEqual(
    expected,
  );
  expect(findLoops(WIRE.responses.decodeRequest({ input: responses }) ?? { calls: [], prompts: [] })).toEqual(expected);
});

it("a run starts again with a message of a person, and not with a reminder of the client", () => {
  const repeats = (from: string) => [...from].flatMap((id) => chat(id, "{}", "x"));
  const reminder = { role: "user", content: "<system-reminder>Keep going.</system-reminder>" };
  expect(loopsOf([asked, ...repeats("ab"), { role: "user", content: "again" }, ...repeats("cd")])).toEqual([]);
  expect(loopsOf([asked, ...repeats("ab"), reminder, ...repeats("cd")])).toHaveLength(1);
});

it("calls that a person or a policy refused are left out", () => {
  const refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected";
  expect(loopsOf([asked, ..."abcdef".split("").flatMap((id) => chat(id, "{}", refusal))])).toEqual([]);
});

it("integers beyond the precision of numbers are compared as text", () => {
  expect(canonicalArguments('{"id":90071992547409931}')).not.toBe(canonicalArguments('{"id":90071992547409930}'));
});

it("images are compared by their data", () => {
  const shot = (id: string, data: string) => [
    { role: "assistant", content: [{ type: "tool_use", id, name: "screenshot", input: {} }] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: id,
          content: [
            { type: "text", text: "Took a screenshot." },
            { type: "image", source: { type: "base64", media_type: "image/png", data } },
          ],
        },
      ],
    },
  ];
  const loops = (images: readonly string[]) => {
    const messages = images.flatMap((data, at) => shot(`toolu_${at}`, data));
    return findLoops(WIRE.anthropic.decodeRequest({ messages }) ?? { calls: [], prompts: [] }).length;
  };
  expect(loops(["aa", "bb", "cc", "dd"])).toBe(0);
  expect(loops(["aa", "aa", "aa", "aa"])).toBe(1);
});
