import { expect, it } from "vitest";
import { hasPlaceholder, isPlaceholder } from "./placeholder.ts";

it.each([
  "<your terms here>",
  "<path>",
  "<file_name>",
  "…",
  "...",
  "path/to/file.ts",
  "/path/to/project",
  "your_api_key_here",
  "YOUR_API_KEY",
  "[your query]",
  "{{city}}",
  "$VALUE",
  "insert your text here",
])("isPlaceholder accepts %s", (value) => {
  expect(isPlaceholder(value)).toBe(true);
});

it.each([
  "<div>",
  "</li>",
  '<a href="x">',
  "<br/>",
  "src/path.ts",
  "what is your name",
  "./to",
  "a...b",
  "$5",
  "[1, 2]",
  "",
])("isPlaceholder rejects %j", (value) => {
  expect(isPlaceholder(value)).toBe(false);
});

it("hasPlaceholder searches lists and objects, and detects values that are all type names", () => {
  expect(hasPlaceholder({ where: { files: ["a.ts", "<file>"] } })).toBe(true);
  expect(hasPlaceholder({ query: "string", limit: "integer" })).toBe(true);
  expect(hasPlaceholder({ query: "string theory", limit: 3 })).toBe(false);
  expect(hasPlaceholder({})).toBe(false);
});
