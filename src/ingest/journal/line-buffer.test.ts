import { describe, expect, it } from "vitest";
import { LineBuffer } from "./line-buffer.ts";

describe("LineBuffer", () => {
  it("encodes lines as UTF-8, each with a line feed", () => {
    const buffer = new LineBuffer();
    const lines = ["plain", "caf\u00e9 \u2014 \u65e5 \ud83d\ude00", ""];
    expect(buffer.encode(lines).toString("utf8")).toBe("plain\ncaf\u00e9 \u2014 \u65e5 \ud83d\ude00\n\n");
    expect(buffer.encode([])).toHaveLength(0);
  });

  it("grows for lines longer than its memory, and keeps what it returned before", () => {
    const buffer = new LineBuffer();
    const first = buffer.encode(["first"]);
    const long = buffer.encode(["a", "\u65e5".repeat(700_000), "b"]).toString("utf8");
    expect(long.split("\n").map((line) => line.length)).toEqual([1, 700_000, 1, 0]);
    buffer.encode(["other"]);
    expect(first.toString("utf8")).toBe("first\n");
  });

  it("keeps no lines of a batch that fails", () => {
    const buffer = new LineBuffer();
    const failing = function* () {
      yield "lost";
      throw new Error("broken");
    };
    expect(() => buffer.encode(failing())).toThrow("broken");
    expect(buffer.encode(["next"]).toString("utf8")).toBe("next\n");
  });
});
