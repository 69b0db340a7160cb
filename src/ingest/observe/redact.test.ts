import { describe, expect, it } from "vitest";
import { redactedExcerpt } from "./redact.ts";

describe("an excerpt", () => {
  it("is the whole text when that is short, and never longer than the limit", () => {
    expect(redactedExcerpt("short", 10)).toBe("short");
    expect(redactedExcerpt("exactly 10", 10)).toBe("exactly 10");
    expect(redactedExcerpt("eleven char", 10)).toBe("eleven ch…");
    expect(redactedExcerpt("x".repeat(100_000), 500)).toHaveLength(500);
    expect(redactedExcerpt("", 10)).toBe("");
  });

  it("does not end in half a character", () => {
    expect(redactedExcerpt("👀".repeat(20), 10)).toBe("👀👀👀👀…");
  });

  it("does not show the beginning of a secret that crosses the cut", () => {
    const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz";
    for (let before = 460; before <= 500; before += 1) {
      expect(redactedExcerpt(`${"x".repeat(before)} ${key} tail`, 500)).not.toContain("api03");
    }
  });

  it("does not show half a secret where redaction made the text so short that the cut comes into view", () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${"A".repeat(1900)}\n-----END PRIVATE KEY-----\n`;
    const text = `${pem}url postgres://admin:hunter22-${"x".repeat(100)}@db/x`;
    expect(text.slice(0, 2000)).toContain("hunter22-x");
    expect(redactedExcerpt(text, 500)).toBe("[private key]\nurl …");
  });
});
