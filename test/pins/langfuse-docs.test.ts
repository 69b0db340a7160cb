import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as scoreNames from "../../src/core/score/scores.ts";
import { METADATA } from "../../src/export/outbox/outbox.ts";
import { queryParameters, queryProblems } from "../support/receiver/langfuse-contract.ts";

const page = readFileSync(new URL("../../docs/langfuse.md", import.meta.url), "utf8");
const row = (start: string): string => page.split("\n").find((line) => line.startsWith(`| ${start} `)) ?? "";
const names = (text: string): string[] => [...text.matchAll(/`([a-z_]+)`/g)].map(([, name]) => `${name}`);

describe("docs/langfuse.md", () => {
  it("queries only fields that Langfuse's published API supports", () => {
    const queries = [...page.matchAll(/\$LANGFUSE_HOST(\/[^"?]*)\?([^"]*)"/g)];
    expect(queries).toHaveLength(3);
    for (const [, path = "", query] of queries) {
      expect(queryProblems("GET", path)).toEqual([]);
      const given = new URLSearchParams(query);
      expect([...given.keys()].filter((name) => !queryParameters(`GET ${path}`).has(name))).toEqual([]);
      // A filter value needs a type: without one Langfuse responds with 400.
      expect([given.has("value") || given.has("valueMin"), given.has("dataType")]).toEqual([true, true]);
    }
  });

  it("lists all exported metadata", () => {
    expect(names(row("metadata of the observation")).sort()).toEqual([...METADATA, "is_retry"].sort());
  });

  it("lists all exported scores", () => {
    const known = Object.entries(scoreNames).filter(([name]) => name.startsWith("SCORE_"));
    expect(names(row("scores of the call") + row("scores of the trace")).sort()).toEqual(
      known.map(([, name]) => String(name)).sort(),
    );
  });
});
