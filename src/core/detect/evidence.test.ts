import { describe, expect, test } from "vitest";
import { classify } from "../../../test/support/classify.ts";

describe("the evidence of an outcome", () => {
  test("evidence contains the rule, the excerpt and its position", () => {
    expect(classify({ content: "\n  Error calling tool x: boom\nmore" }, { name: "x" }).evidence).toEqual([
      { rule: "wrapper", excerpt: "Error calling tool x: boom", position: 3 },
    ]);
  });

  test("evidence contains up to three sequences of words from the text, if the wording decided", () => {
    const content = "The ticket was not updated: you are not allowed to edit closed tickets";
    const { status, evidence } = classify({ content }, { name: "update_ticket" });
    expect(status).toBe("failed");
    expect(evidence.length).toBeGreaterThan(0);
    expect(evidence.length).toBeLessThanOrEqual(3);
    for (const { rule, excerpt = "", position = -1 } of evidence) {
      expect(rule).toBe("wording");
      expect(content.slice(position, position + excerpt.length)).toBe(excerpt);
    }
  });

  test("evidence contains the line around the deciding words, not two words of it", () => {
    const content =
      "mkfs.fat: unable to open backup-session.toml: No such file or directory\nmkfs.fat 4.2 (2021-01-31)";
    const { evidence } = classify({ content }, { name: "bash" });
    expect(evidence[0]?.excerpt).toBe("mkfs.fat: unable to open backup-session.toml: No such file or directory");
  });

  test("evidence contains whole words of a long line, at most 120 characters", () => {
    const content = `${"lorem ipsum ".repeat(30)}you are not allowed to edit closed tickets ${"dolor sit ".repeat(30)}`;
    const { evidence } = classify({ content }, { name: "update_ticket" });
    expect(evidence.length).toBeGreaterThan(0);
    for (const { excerpt = "" } of evidence) {
      expect(excerpt.length).toBeLessThanOrEqual(120);
      expect(content.split(" ")).toEqual(expect.arrayContaining(excerpt.split(" ")));
    }
  });

  test("positions in evidence refer to the whole text, also above the length limit", () => {
    const content = `${"x".repeat(200_000)}\nCommand exited with code 7`;
    expect(classify({ content }, { name: "bash" }).evidence).toEqual([
      { rule: "exit-status", excerpt: "Command exited with code 7", position: 200_001 },
    ]);
  });

  test("a hostile object has status unknown and does not throw", () => {
    const content = {
      get text(): string {
        throw new Error("no");
      },
    };
    expect(classify({ content })).toMatchObject({ status: "unknown", evidence: [{ rule: "unreadable" }] });
  });
});
