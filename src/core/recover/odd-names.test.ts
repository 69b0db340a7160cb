import { expect, it } from "vitest";
import { extractToolCalls } from "./index.ts";

const ODD = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];

it.each(ODD)("%s is an ordinary value and parameter name", (word) => {
  const text = `<tool_call><function=grep><parameter=pattern>${word}</parameter><parameter=${word}>1</parameter></function></tool_call>`;
  const schema = { type: "object", properties: { pattern: { type: ["string", "boolean"] } } };
  for (const tools of [[{ name: "grep" }], [{ name: "grep", parameters: schema }]]) {
    const [call] = extractToolCalls(text, { tools }).toolCalls;
    expect(JSON.stringify(call?.arguments)).toBe(`{"pattern":"${word}","${word}":1}`);
  }
});
