import { expect, it } from "vitest";
import { placesFor } from "./palette-places.ts";

const known = {
  tools: ["Bash", "mcp__github__search"],
  models: ["claude-x"],
  errors: [
    { project: "default", fingerprint: "f1", title: "bash: not found", category: "not_found", sample: "exit 127" },
  ],
  sessions: [],
  ago: () => "now",
};

it("offers the pages before anything is typed", () => {
  expect(placesFor("", known).map(({ kind }) => kind)).toEqual(["page", "page", "page", "page", "page", "page"]);
});

it("finds tools, models and errors by every word of the text", () => {
  const found = (text: string) => placesFor(text, known).map(({ kind, name, page }) => [kind, name, page]);
  expect(found("bash")).toEqual([
    ["tool", "Bash", "tool"],
    ["error", "bash: not found", "error"],
  ]);
  expect(found("127 bash")).toEqual([["error", "bash: not found", "error"]]);
  expect(found("clau")).toEqual([["model", "claude-x", "calls"]]);
  expect(found("github bash")).toEqual([]);
});
