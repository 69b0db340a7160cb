import { describe, expect, it } from "vitest";
import { decodeHexDump, isInDump } from "./hex-dump.ts";

const HEXDUMP =
  "$ hexdump -C a\n00000000  3c 62 61 73 68 3e 6c 73  20 2d 6c 61 20 7e 3c 2f  |<bash>ls -la ~</|\n00000010  62 61 73 68 3e                                    |bash>|\n00000015";
const XXD =
  "00000000: 3c62 6173 683e 6c73 202d 6c61 207e 3c2f  <bash>ls -la ~</\n00000010: 6261 7368 3e                             bash>";

describe("decodeHexDump", () => {
  it("decodes the output of hexdump and xxd", () => {
    expect(decodeHexDump(HEXDUMP)).toBe("$ hexdump -C a\n<bash>ls -la ~</bash>\n00000015");
    expect(decodeHexDump(XXD)).toBe("<bash>ls -la ~</bash>");
  });

  it("leaves other text unchanged", () => {
    for (const text of ["2026 was a good year", "deadbeef: fix the build", "a\n\nb"])
      expect(decodeHexDump(text)).toBe(text);
  });
});

describe("isInDump", () => {
  it("distinguishes a dump line from words of 2 and 4 letters", () => {
    expect(isInDump(XXD, 40)).toBe(true);
    expect(isInDump("this that with from have been here then", 39)).toBe(false);
  });
});
