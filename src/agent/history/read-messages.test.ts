import { describe, expect, it } from "vitest";
import { rebuildConversation } from "../view/rebuild.ts";
import { readMessages } from "./read-messages.ts";
import { repairHistory } from "./repair-history.ts";

const chatRows = [
  { role: "developer", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "Weather in Paris?" }] },
  {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } }],
  },
  { role: "tool", tool_call_id: "a", content: "sunny" },
  { role: "assistant", content: "It is sunny." },
];
const anthropicRows = [
  { role: "user", content: "Weather in Paris?" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "…", signature: "s" },
      { type: "text", text: "Let me look." },
      { type: "tool_use", id: "a", name: "weather", input: { city: "Paris" } },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "sunny" }], is_error: true },
      { type: "text", text: "Well?" },
    ],
  },
];
const responsesRows = [
  { role: "user", content: [{ type: "input_text", text: "Weather in Paris?" }] },
  { type: "reasoning", id: "r", summary: [], encrypted_content: "x" },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me look." }] },
  { type: "function_call", call_id: "a", name: "weather", arguments: '{"city":"Paris"}' },
  { type: "function_call_output", call_id: "a", output: "sunny" },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "It is sunny." }] },
];

describe("a conversation stored by an API", () => {
  it("chat completions keep their calls and results", () => {
    expect(readMessages(chatRows)).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Weather in Paris?" },
      { role: "assistant", content: "", toolCalls: [{ id: "a", name: "weather", arguments: '{"city":"Paris"}' }] },
      { role: "tool", toolCallId: "a", content: "sunny" },
      { role: "assistant", content: "It is sunny." },
    ]);
  });

  it("Anthropic's messages keep calls, results and thinking", () => {
    const [, assistant, result, user] = readMessages(anthropicRows);
    expect(assistant).toEqual({
      role: "assistant",
      content: "Let me look.",
      toolCalls: [{ id: "a", name: "weather", arguments: { city: "Paris" } }],
      provider: {
        sealed: true,
        blocks: [{ data: { block: { type: "thinking", thinking: "…", signature: "s" }, before: "text" } }],
      },
    });
    expect(result).toEqual({ role: "tool", toolCallId: "a", content: "sunny", isError: true });
    expect(user).toEqual({ role: "user", content: "Well?" });
  });

  it("items of the Responses API keep calls, results and reasoning", () => {
    expect(readMessages(responsesRows)).toEqual([
      { role: "user", content: "Weather in Paris?" },
      {
        role: "assistant",
        content: "Let me look.",
        toolCalls: [{ id: "a", name: "weather", arguments: '{"city":"Paris"}' }],
        provider: { blocks: [{ data: responsesRows[1], callIds: ["a"] }] },
      },
      { role: "tool", toolCallId: "a", content: "sunny" },
      { role: "assistant", content: "It is sunny." },
    ]);
  });

  it.each([
    ["chat completions", chatRows],
    ["Anthropic", anthropicRows],
    ["Responses", responsesRows],
  ])("a conversation of %s is shown with its calls", (_, rows) => {
    const tools = rebuildConversation(rows).flatMap((entry) => entry.tools);
    expect(tools.map(({ name, input }) => [name, input])).toEqual([["weather", { city: "Paris" }]]);
  });

  it.each([
    ["chat completions", chatRows, 5],
    ["Anthropic", anthropicRows, 4],
    ["Responses", responsesRows, 4],
  ])("a conversation of %s is repaired without losing a message", (_, rows, count) => {
    const { messages, changes } = repairHistory(rows);
    expect(messages).toHaveLength(count);
    expect(changes).toEqual([]);
  });

  it("names the original row of a correction", () => {
    const rows = [...anthropicRows, { role: "tool", tool_call_id: "lost", content: "?" }];
    expect(repairHistory(rows).changes).toEqual([{ kind: "dropped-result", index: 3, callId: "lost" }]);
  });

  it("keeps images and files as parts beside their text", () => {
    const [message] = readMessages([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ]);
    expect(message).toEqual({
      role: "user",
      content: "What is this?\n[image image/png]",
      parts: [
        { kind: "text", text: "What is this?" },
        { kind: "image", mediaType: "image/png", data: "AAAA" },
      ],
    });
  });

  it("returns messages of this library unchanged", () => {
    const rows = readMessages(chatRows);
    const again = readMessages(rows);
    expect(again).toHaveLength(chatRows.length);
    for (const [index, message] of again.entries()) expect(message).toBe(rows[index]);
  });

  it.each([[[{ content: "?" }]], [[{ role: "robot", content: "?" }]], [["text"]], [[null]]])(
    "throws for a row that no API writes: %j",
    (rows) => {
      expect(() => readMessages(rows as object[])).toThrow(/messages\[0\]/);
    },
  );
});
