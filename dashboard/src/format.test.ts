import { describe, expect, it } from "vitest";
import { ago, bytes, count, duration, interval, percent, points, shortId, visible } from "./format.ts";

describe("percent", () => {
  it("says 0% and 100% only when it is none and all", () => {
    expect([0, 0.00001, 1 / 3, 0.99999, 1].map(percent)).toEqual(["0%", "0.1%", "33.3%", "99.9%", "100%"]);
  });

  it("has no number without a verdict", () => {
    expect(percent(null)).toBe("–");
  });
});

describe("ago", () => {
  const now = Date.UTC(2026, 2, 10, 12);
  const before = (ms: number): string => ago(now - ms, now);

  it("counts in the unit that a reader would use", () => {
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

  it("takes a moment in the future for a clock that differs", () => {
    expect(before(-5000)).toBe("just now");
  });
});

describe("shortId", () => {
  it("leaves short ids whole and cuts long ones between characters", () => {
    expect(shortId("chat-session")).toBe("chat-session");
    expect(shortId("11111111-2222-4333-8444-555555555555")).toBe("11111111…");
    expect(shortId("derived-0123456789abcdef01234567")).toBe("derived-012345…");
    expect(shortId("🔧".repeat(20))).toBe(`${"🔧".repeat(8)}…`);
  });
});

it("shows control characters instead of obeying them", () => {
  expect(visible("a\u001b[31mb\u0000\n\u007f🔧\u202Ex\u2066y")).toBe("a␛[31mb␀↵␡🔧⇄x⇄y");
});

it("groups thousands and names sizes", () => {
  expect([count(1234567), bytes(1023), bytes(1536), bytes(5 << 20)]).toEqual([
    "1,234,567",
    "1023 B",
    "1.5 KB",
    "5.0 MB",
  ]);
});

it("says differences in points with their sign, intervals in percent, and times in the unit that fits", () => {
  expect([points(0.031), points(-0.2), points(0), interval([0.081, 0.4]), interval(null)]).toEqual([
    ...["+3.1", "−20.0", "0.0", "8–40", "–"],
  ]);
  expect([duration(null), duration(0.4), duration(1500), duration(90_000)]).toEqual(["–", "0 ms", "1.5 s", "1.5 min"]);
});
