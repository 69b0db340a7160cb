import { expect, test } from "vitest";
import { resultText } from "../index.ts";

test.each<[unknown, string]>([
  ["plain", "plain"],
  [undefined, ""],
  [null, ""],
  [[], ""],
  [
    [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ],
    "a\nb",
  ],
  [
    [
      { type: "input_text", text: "a" },
      { type: "output_text", text: "b" },
    ],
    "a\nb",
  ],
  [["a", "b"], "a\nb"],
  [{ type: "text", text: "a" }, "a"],
  [{ content: [{ type: "text", text: "a" }] }, "a"],
  [[{ type: "image", source: {} }], "[image]"],
  [[{ type: "text", text: "a" }, { type: "image" }], "a\n[image]"],
  [{ rows: 3 }, '{"rows":3}'],
  [7, "7"],
])("%j is converted to %j", (content, text) => {
  expect(resultText(content)).toBe(text);
});

test("parts that contain themselves are cut off", () => {
  const part: { content: unknown[] } = { content: [] };
  part.content.push(part);
  expect(resultText(part)).toBe("");
});
