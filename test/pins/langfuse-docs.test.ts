import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as scoreNames from "../../src/core/score/scores.ts";
import { METADATA } from "../../src/export/outbox/store-outbox.ts";
import { doorProblems, queryParameters } from "../support/receiver/langfuse-contract.ts";

const page = readFileSync(new URL("../../docs/langfuse.md", import.meta.url), "utf8");
const row = (start: string): string => page.split("\n").find((line) => line.startsWith(`| ${start} `)) ?? "";
const names = (text: string): string[] => [...text.matchAll(/`([a-z_]+)`/g)].map(([, name]) => `${name}`);

describe("docs/langfuse.md", () => {
  it("asks Langfuse only for what its published API answers", () => {
    const asked = [...page.matchAll(/\$LANGFUSE_HOST(\/[^"?]*)\?([^"]*)"/g)];
    expect(asked).toHaveLength(3);
    for (const [, path = "", query] of asked) {
      expect(doorProblems("GET", path)).toEqual([]);
      const given = new URLSearchParams(query);
      expect([...given.keys()].filter((name) => !queryParameters(`GET ${path}`).has(name))).toEqual([]);
      // A value is read by its type: without one the answer is 400.
      expect([given.has("value") || given.has("valueMin"), given.has("dataType")]).toEqual([true, true]);
    }
  });

  it("names the metadata that are sent, all of them", () => {
    expect(names(row("metadata of the observation")).sort()).toEqual([...METADATA, "is_retry"].sort());
  });

  it("names the scores that are sent, all of them", () => {
    const known = Object.entries(scoreNames).filter(([name]) => name.startsWith("SCORE_"));
    expect(names(row("scores of the call") + row("scores of the trace")).sort()).toEqual(
      known.map(([, name]) => String(name)).sort(),
    );
  });
});
