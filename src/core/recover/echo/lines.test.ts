import { describe, expect, it } from "vitest";
import { joinDecorated, joinWrapped, stripLineDecoration, stripLineEnds } from "./lines.ts";

describe("stripLineDecoration", () => {
  it.each([
    ["a number and an arrow", "     1→<invoke>\n    12→</invoke>"],
    ["a number and a tab", "1\t<invoke>\n12\t</invoke>"],
    ["a number and a bar", "1 | <invoke>\n12 | </invoke>"],
    ["a number with zeros", "00001| <invoke>\n00012| </invoke>"],
    ["a number and a colon", "1:<invoke>\n12:</invoke>"],
    ["a number in brackets", "[1] <invoke>\n[12] </invoke>"],
    ["a match of grep", "src/file.ts:12:<invoke>\nsrc/file.ts:13:</invoke>"],
    ["a line around a match of grep", "src/file.ts-12-<invoke>\nsrc/file.ts-13-</invoke>"],
    ["an added line", "+<invoke>\n+</invoke>"],
    ["a removed line", "-<invoke>\n-</invoke>"],
    ["a quotation", "> <invoke>\n> </invoke>"],
    ["a comment with #", "# <invoke>\n# </invoke>"],
    ["a comment with //", "// <invoke>\n// </invoke>"],
    ["a block comment", " * <invoke>\n * </invoke>"],
    ["a table", "| <invoke> |\n| </invoke> |"],
    ["a box", "│ <invoke> │\n│ </invoke> │"],
    [
      "git blame",
      "^1a2b3c4 (Jane Doe 2026-01-02 10:00:00 +0100  1) <invoke>\n1a2b3c4d a.md (J 2026-01-02 10:00:00 +0100 2) </invoke>",
    ],
    ["cat -A", "     1^I<invoke>$\n     2^I</invoke>$"],
    ["a time", "2026-01-02T10:00:00.000Z <invoke>\n[10:00:01] </invoke>"],
    ["a level", "INFO <invoke>\n[warn] </invoke>"],
    ["a service", "web-1  | <invoke>\nweb-1  | </invoke>"],
  ])("removes %s", (_title, text) => {
    expect(stripLineDecoration(text)).toBe("<invoke>\n</invoke>");
  });

  it("removes only one prefix per line, because the next may be content", () => {
    expect(stripLineDecoration("     4→07:30\n     5→- item")).toBe("07:30\n- item");
  });

  it("keeps base64 whose lines begin with a plus sign", () => {
    const text = "PGludm9rZSBuYW1lPSJC\n+XNoIj48cGFyYW1ldGVy\nIG5hbWU9ImNvbW1hbmQi";
    expect(stripLineDecoration(text)).toBe(text);
  });

  it("keeps the bar that begins a YAML block", () => {
    expect(stripLineDecoration("  3→contents: |\n  4→  a")).toBe("contents: |\n  a");
  });

  it("removes fences", () => {
    expect(stripLineDecoration("~~~yaml\na\n~~~")).toBe("\na\n");
  });

  it("starts a new line where a call without an envelope may begin", () => {
    expect(stripLineDecoration('the log says {"name": "f"} and [f(a=1)]')).toBe(
      'the log says \n{"name": "f"} and \n[f(a=1)]',
    );
    expect(stripLineDecoration("const a = { b: 1 };")).toBe("const a = { b: 1 };");
  });

  it("reads a tab as `cat -A` shows it", () => {
    expect(stripLineDecoration("a^Ib")).toBe("a\tb");
  });

  it("runs in linear time on repetitive text", () => {
    for (const unit of ["1", " ", ">", "|", "-", "a-1-", "(", "^1a2b3c4 (", "[10:", "'"]) {
      const text = unit.repeat(200_000);
      expect(typeof stripLineDecoration(text)).toBe("string");
    }
  });
});

describe("joinWrapped", () => {
  it("joins lines of one width, in the middle of words too", () => {
    expect(joinWrapped("<note><title>buy milk a\nnd bread</title><when>t\noday</when></note>")).toBe(
      "<note><title>buy milk and bread</title><when>today</when></note>",
    );
  });

  it("restores a blank that was lost at the end of a line", () => {
    expect(joinWrapped("a line of 20 letters\nand one of nineteen\nand another with 20.\nEnd.")).toBe(
      "a line of 20 lettersand one of nineteen and another with 20.End.",
    );
  });

  it("leaves text that was not wrapped", () => {
    const text = "First we read the file.\nThen we write it.\nDone.";
    expect(joinWrapped(text)).toBe(text);
    expect(joinDecorated(text)).toBe(text);
  });

  it("joins lines that were numbered after they were wrapped", () => {
    expect(joinDecorated("  9: <note>buy milk an\n 10: d some more bread\n 11: </note>")).toBe(
      "<note>buy milk and some more bread</note>",
    );
  });
});

describe("stripLineEnds", () => {
  it("removes only the ends that `cat -A` adds", () => {
    expect(stripLineEnds("<at>$\n07:30$\n^I</at>$\n")).toBe("<at>\n07:30\n\t</at>");
    expect(stripLineEnds("costs 5$\nor more")).toBe("costs 5$\nor more");
  });
});
