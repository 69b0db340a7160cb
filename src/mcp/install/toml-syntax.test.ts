import { describe, expect, it } from "vitest";
import { invalidTomlLine } from "./toml-syntax.ts";

describe("invalidTomlLine", () => {
  it.each([
    "",
    "# only a comment",
    "\uFEFFa = 1\r\n\r\n[t]\r\n",
    'a.b."c d" = { x = 1, y.z = "t", }\n[ "q r" . \'s\' ]\n',
    "d = 1979-05-27 07:32:00.5+01:00\nt = 07:32:00\nn = [0xff, -1_000.5e3, inf,\n  true, # last\n]\n",
    'x = """a "" \\""" # """\ny = \'\'\'b\'\'\'\'\nz = "\\u00e9\\t"\n',
    "[[l]]\n[l.s]\nk = 1\n[[l]]\n[l.s]\nk = 2\n[a.b]\n[a]\n",
  ])("accepts %j", (text) => {
    expect(invalidTomlLine(text)).toBeUndefined();
  });

  it.each([
    ["[mcp_servers.bad", 1],
    ["a = 1\n[mcp_servers.bad\ncommand = 's'\n", 2],
    ["\n\nkey\n", 3],
    ["a = 1 b = 2\n", 1],
    ["a = \n", 1],
    ["a = text\n", 1],
    ['a = "open\nb = 1\n', 1],
    ['a = """open\nb = 1\n', 1],
    ["a = [1 2]\n", 1],
    ["a = [\n  1,\n", 3],
    ["a = 1\na = 2\n", 2],
    ["[a]\n[b]\n[a]\n", 3],
    ["a = 1\n}\n", 2],
  ])("finds the first line that is not valid: %j", (text, line) => {
    expect(invalidTomlLine(text)).toBe(line);
  });

  it("reads long texts in linear time", () => {
    const started = performance.now();
    invalidTomlLine(`a = [${"1,\n".repeat(200_000)}]\n`);
    invalidTomlLine(`a = ${"[".repeat(200_000)}`);
    invalidTomlLine(`a = "${"x".repeat(1_000_000)}`);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
