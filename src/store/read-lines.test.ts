import { describe, expect, it } from "vitest";
import { readLines } from "./read-lines.ts";

const LINES = [
  '{"v":1,"kind":"session","session_id":"Straße — 終わり"}',
  "",
  "not JSON",
  '{"v":1,"kind":"session","session_id":"last, without a newline"}',
].join("\n");

describe("readLines", () => {
  it("reads the same from bytes as from text", () => {
    const fromText = readLines(LINES);
    expect(fromText.observations.length + fromText.rejected.length).toBe(3);
    expect(readLines(Buffer.from(LINES))).toEqual(fromText);
  });

  it("reads bytes that are a part of a larger buffer", () => {
    const whole = Buffer.from(`before\n${LINES}\nafter`);
    const part = new Uint8Array(whole.buffer, whole.byteOffset + 7, Buffer.byteLength(LINES));
    expect(readLines(part)).toEqual(readLines(LINES));
  });
});
