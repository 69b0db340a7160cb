import { expect, it } from "vitest";
import { systemStart } from "./system-text.ts";

it.each([
  ["Messages, as text", { system: "I am here", messages: [] }],
  ["Messages, as blocks", { system: [{ type: "text", text: "I am here" }], messages: [] }],
  ["Chat", { messages: [{ role: "system", content: "I am here" }] }],
  ["Chat, as parts", { messages: [{ role: "developer", content: [{ type: "text", text: "I am here" }] }] }],
  ["Responses", { instructions: "I am here", input: "hi" }],
  ["Responses, as an item", { input: [{ role: "developer", content: [{ type: "input_text", text: "I am here" }] }] }],
  ["Gemini", { systemInstruction: { role: "user", parts: [{ text: "I am here" }] }, contents: [] }],
])("the system prompt of %s is found", (_api, body) => {
  expect(systemStart(body)).toBe("I am here");
});

it.each([[null], ["text"], [[]], [{}], [{ messages: [{ role: "user", content: "hi" }] }], [{ system: 3, input: 4 }]])(
  "the system text is empty for %j",
  (body) => {
    expect(systemStart(body)).toBe("");
  },
);
