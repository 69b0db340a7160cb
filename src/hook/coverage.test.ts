import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HOOK_AGENTS } from "./agent-names.ts";
import { COVERAGE, COVERAGE_TOPICS } from "./coverage.ts";

describe("the coverage table", () => {
  it("contains every agent with supported hooks once", () => {
    const ids = COVERAGE.map(({ id }) => id);
    for (const agent of HOOK_AGENTS) expect(ids).toContain(`hook:${agent}`);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("matches the table in docs/hooks.md", () => {
    const docs = readFileSync(new URL("../../docs/hooks.md", import.meta.url), "utf8");
    for (const { title, topics, basis } of COVERAGE) {
      const cells = COVERAGE_TOPICS.map((topic) => ({ yes: "✓", partly: "~", no: "–" })[topics[topic]]);
      expect(docs).toContain(`| ${title} | ${cells.join(" | ")} | ${basis} |`);
    }
  });
});
