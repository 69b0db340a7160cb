import { describe, expect, it } from "vitest";
import { NEED_MORE, Text } from "../text/cursor.ts";
import { type JsonRead, jsonAt, readJson } from "./read-json.ts";
import { MAX_DEPTH } from "./values.ts";

const read = (text: string): unknown => {
  const got = readJson(text);
  return got.kind === "value" ? [got.value, got.repairs] : got.kind;
};

describe("the tolerant JSON reader", () => {
  it("returns the end of valid JSON and no repairs", () => {
    expect(readJson('{"a": [1, "}"]} tail')).toEqual({
      kind: "value",
      value: { a: [1, "}"] },
      end: 15,
      repairs: [],
      keyDoubts: new Map(),
      isContradictory: false,
    });
  });

  it.each([
    ['{"a": 1, "b": {"a": 2}}', false],
    ['{"a": {"b": [1]}, "a": {"b": [1]}}', false],
    ['{"a": 1, "a": 2}', true],
    ['[{"a": {"b": "x", "c": 0, "b": "y"}}]', true],
    ["{a: 1, a: 2}", true],
    ['{"a": ":", "b": "{\\"a\\": 1}"}', false],
  ])("reports whether a key has two different values: %s", (text, isContradictory) => {
    expect(readJson(text)).toMatchObject({ kind: "value", isContradictory });
  });

  it.each([
    ["{'a': True, 'b': None}", [{ a: true, b: null }, ["single-quotes", "python-literal"]]],
    ['{"a": 1,}', [{ a: 1 }, ["dropped-comma"]]],
    ['{a: "x"}', [{ a: "x" }, ["bare-key"]]],
    ['{"a": "x" "b": 2}', [{ a: "x", b: 2 }, ["inserted-comma"]]],
    ['{"a": 1 // one\n}', [{ a: 1 }, ["comment"]]],
    ['{"a": "line\nbreak"}', [{ a: "line\nbreak" }, ["raw-control-character"]]],
    ['{"a": "say "hi" now"}', [{ a: 'say "hi" now' }, ["unescaped-quote"]]],
    ['{"a": "f(\\"x\\") }"}', [{ a: 'f("x") }' }, []]],
    ['{"a": "don\\\'t"}', [{ a: "don't" }, ["escaped-apostrophe"]]],
    ['{"a": "\\d+\\.\\w"}', [{ a: "\\d+\\.\\w" }, ["invalid-escape"]]],
    ['{"a": "C:\\Users\\new"}', [{ a: "C:\\Users\\new" }, ["invalid-escape"]]],
    ['{"a": 9007199254740993}', [{ a: "9007199254740993" }, ["big-integer-as-text"]]],
    ['{"a": [{"b": {"c": 1}, {"b": 2}]}', [{ a: [{ b: { c: 1 } }, { b: 2 }] }, ["closed-brackets"]]],
    ['{"a": .5, "b": +1, "c": 0x1F}', [{ a: 0.5, b: 1, c: 31 }, ["non-json-number"]]],
  ])("reads %s", (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it("distinguishes an incomplete value from an invalid one", () => {
    expect(read('{"a": "x')).toBe("open");
    expect(read('{"a": [1, <<')).toBe("none");
  });

  it("waits for more text if a tolerant parse reaches the end of the text", () => {
    const begun =
      (text: string): (() => JsonRead) =>
      () =>
        jsonAt(new Text(text, false), 0);
    expect(begun("{'a': 'x'")).toThrow(NEED_MORE);
    expect(begun("{'a': 'x', 'b': 1}")).toThrow(NEED_MORE);
    expect(begun("{'a': 'x', 'b': 1}<")().kind).toBe("value");
  });

  it("rejects too deep nesting instead of overflowing the stack", () => {
    expect(read("[".repeat(100_000))).toBe("none");
    expect(read(`${'{"a":'.repeat(100_000)}1`)).toBe("none");
    expect(read(`${"[".repeat(MAX_DEPTH)}${"]".repeat(MAX_DEPTH)}`)).not.toBe("none");
  });

  it("rejects a brace in place of a key instead of looping", () => {
    expect(read('{"name": "wait", "parameters": {{}}}')).toBe("none");
  });

  it("does not parse damaged text past the next opener", () => {
    const text = '{"a": "x <call>{"a": "y", "b": 1}';
    expect(readJson(text, 0, { boundary: "<call>" }).kind).toBe("none");
  });
});
