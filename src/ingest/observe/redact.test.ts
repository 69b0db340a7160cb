import { describe, expect, it } from "vitest";
import { redactedExcerpt } from "./redact.ts";

describe("a redacted excerpt", () => {
  it("an excerpt of a short text is the text, and none exceeds the limit", () => {
    expect(redactedExcerpt("short", 10)).toBe("short");
    expect(redactedExcerpt("exactly 10", 10)).toBe("exactly 10");
    expect(redactedExcerpt("eleven char", 10)).toBe("eleven ch…");
    expect(redactedExcerpt("x".repeat(100_000), 500)).toHaveLength(500);
    expect(redactedExcerpt("", 10)).toBe("");
  });

  it("an excerpt does not end in half a character", () => {
    expect(redactedExcerpt("👀".repeat(20), 10)).toBe("👀👀👀👀…");
  });

  it("an excerpt does not contain the start of a secret that crosses the cut", () => {
    const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz";
    for (let before = 460; before <= 500; before += 1) {
      expect(redactedExcerpt(`${"x".repeat(before)} ${key} tail`, 500)).not.toContain("api03");
    }
  });

  it("an excerpt does not contain half a secret when redaction shortens the text below the limit", () => {
    const pem = `-----BEGIN PRIVATE KEY-----\n${"A".repeat(1900)}\n-----END PRIVATE KEY-----\n`;
    const text = `${pem}url postgres://admin:hunter22-${"x".repeat(100)}@db/x`;
    expect(text.slice(0, 2000)).toContain("hunter22-x");
    expect(redactedExcerpt(text, 500)).toBe("[private key]\nurl …");
  });
});
