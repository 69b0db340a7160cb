import { describe, expect, it } from "vitest";
import { ago, amount, bytes, count, duration, interval, percent, points, shortId, tokens, visible } from "./format.ts";

describe("percent", () => {
  it("shows 0% and 100% only for exact values", () => {
    expect([0, 0.00001, 1 / 3, 0.99999, 1].map(percent)).toEqual(["0%", "0.1%", "33.3%", "99.9%", "100%"]);
  });

  it("shows a dash without known outcomes", () => {
    expect(percent(null)).toBe("–");
  });
});

describe("tokens", () => {
  it("shortens large numbers, and shows a dash for unknown ones", () => {
    expect([null, 0, 950, 12_345, 1_234_567].map(tokens)).toEqual(["–", "0", "950", "12.3K", "1.2M"]);
  });
});

describe("ago", () => {
  const now = Date.UTC(2026, 2, 10, 12);
  const before = (ms: number): string => ago(now - ms, now);

  it("uses a unit that fits the age", () => {
    expect([0, 59_999, 60_000, 3_599_999, 3_600_000, 47 * 3_600_000, 48 * 3_600_000].map(before)).toEqual([
      "just now",
      "just now",
      "1 min ago",
      "59 min ago",
      "1 h ago",
      "47 h ago",
      "2 d ago",
    ]);
  });

  it("treats a time in the future as just now", () => {
    expect(before(-5000)).toBe("just now");
  });
});

describe("shortId", () => {
  it("keeps short ids and truncates long ones between characters", () => {
    expect(shortId("chat-session")).toBe("chat-session");
    expect(shortId("11111111-2222-4333-8444-555555555555")).toBe("11111111…");
    expect(shortId("derived-0123456789abcdef01234567")).toBe("derived-012345…");
    expect(shortId("🔧".repeat(20))).toBe(`${"🔧".repeat(8)}…`);
  });
});

it("replaces control characters by visible symbols", () => {
  expect(visible("a\u001b[31mb\u0000\n\u007f🔧\u202Ex\u2066y")).toBe("a␛[31mb␀↵␡🔧⇄x⇄y");
});

it("groups thousands and formats sizes", () => {
  expect([count(1234567), bytes(1023), bytes(1536), bytes(5 << 20)]).toEqual([
    "1,234,567",
    "1023 B",
    "1.5 KB",
    "5.0 MB",
  ]);
});

it("formats differences with their sign in points, intervals in percent, and durations in a unit that fits", () => {
  expect([points(0.031), points(-0.2), points(0), interval([0.081, 0.4]), interval(null)]).toEqual([
    ...["+3.1", "−20.0", "0.0", "8–40", "–"],
  ]);
  expect([duration(null), duration(0.4), duration(1500), duration(90_000)]).toEqual(["–", "0 ms", "1.5 s", "1.5 min"]);
});

it("shows small amounts with three digits and large ones without", () => {
  expect([0, 0.0412, 0.5, 12.3, 1250.4].map(amount)).toEqual(["0.00", "0.041", "0.50", "12.30", "1,250"]);
});
