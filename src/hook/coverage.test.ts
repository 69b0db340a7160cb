import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { HOOK_AGENTS } from "./agents.ts";
import { COVERAGE, COVERAGE_TOPICS } from "./coverage.ts";

describe("what is seen, and what is not", () => {
  it("is said for every agent whose hooks are read", () => {
    const ids = COVERAGE.map(({ id }) => id);
    for (const agent of HOOK_AGENTS) expect(ids).toContain(`hook:${agent}`);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("stands in docs/hooks.md as it stands here", () => {
    const docs = readFileSync(new URL("../../docs/hooks.md", import.meta.url), "utf8");
    for (const { title, topics, basis } of COVERAGE) {
      const cells = COVERAGE_TOPICS.map((topic) => ({ yes: "✓", partly: "~", no: "–" })[topics[topic]]);
      expect(docs).toContain(`| ${title} | ${cells.join(" | ")} | ${basis} |`);
    }
  });
});
