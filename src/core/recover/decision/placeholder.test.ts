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
  "File path here",
  "Your file content here",
  "Directory path here (optional)",
  "URL_HERE",
  "the path to the file",
  "value_1",
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
  "restaurants near here",
  "I am here",
  "the path to success",
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

it.each([
  ["query", "{query}", true],
  ["query", "your query", true],
  ["command", "COMMAND", true],
  ["city", "CITY_NAME", true],
  ["pattern", "pattern", false],
  ["pattern", "TODO", false],
  ["expression", "{a}", false],
])("hasPlaceholder detects a value that names its own parameter: %s = %s", (key, value, expected) => {
  expect(hasPlaceholder({ [key]: value })).toBe(expected);
});
