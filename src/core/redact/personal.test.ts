import { describe, expect, it } from "vitest";
import { redact } from "./redact.ts";

describe("redact of personal data", () => {
  it.each([
    ["mail ann.lee+x@example.co.uk now", "mail [email] now"],
    ['{"email":"ann@example.com"}', '{"email":"[email]"}'],
    [JSON.stringify({ content: "a\nann@example.com" }), '{"content":"a\\n[email]"}'],
    ["call +49 30 901820 or +1 (415) 555-2671", "call [phone] or [phone]"],
    ["call (415) 555-2671 today", "call [phone] today"],
    ["card 4111 1111 1111 1111 exp 12/30", "card [card] exp 12/30"],
    ["card 378282246310005 declined", "card [card] declined"],
    ["IBAN DE89 3704 0044 0532 0130 00", "IBAN [iban]"],
    ["to GB82WEST12345698765432 today", "to [iban] today"],
  ])("redacts %j at the level personal and preserves it at the level secrets", (text, redacted) => {
    expect(redact(text, "personal")).toBe(redacted);
    expect(redact(redacted, "personal")).toBe(redacted);
    expect(redact(text, "secrets")).toBe(text);
  });

  it("redacts secrets as well", () => {
    expect(redact("ann@example.com logged in, password: hunter2", "personal")).toBe(
      "[email] logged in, password: [secret]",
    );
  });

  it.each([
    "git@github.com:a/b.git",
    "npm i left-pad@1.3.0 @scope/x@2.0.0",
    "https://cdn.example.com/icon@2x.png",
    "4111 1111 1111 1112",
    "order 1234567890123456, time 1700000000000",
    "DE89 3704 0044 0532 0130 01",
    "10.0.0.1:8080 2026-03-10 12:00:00 +0200 v1.2.3",
    "diff --git a/x b/y\n+1234567\n@@ -1,2 +3,4 @@",
    "sha256:9b2c3f5a7d1e8f60a4c2b1d3e5f708192a3b4c5d6e7f8091a2b3c4d5e6f70819",
  ])("leaves %j unchanged", (text) => {
    expect(redact(text, "personal")).toBe(text);
  });
});
