import { describe, expect, it } from "vitest";
import { compileSchema } from "../schema/compile.ts";
import { checkArguments } from "./repair-arguments.ts";

const READ = compileSchema({
  type: "object",
  properties: {
    path: { type: "string" },
    lines: { type: "integer" },
    ratio: { type: "number" },
    deep: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    sizes: { type: "array", items: { type: "integer" } },
    mode: { type: "string", enum: ["fast", "Deep", "half_speed"] },
    opts: { type: "object" },
    either: { anyOf: [{ type: "integer" }, { type: "string" }] },
    maybe: { type: ["integer", "null"] },
    grid: { type: "array", items: { type: "array", items: { type: "integer" } } },
  },
  required: ["path"],
});

function repaired(text: string, schema = READ): string | undefined {
  const checked = checkArguments(text, schema, "read");
  return checked.kind === "repaired" ? checked.text : undefined;
}

describe("arguments that fit", () => {
  it.each([
    '{"path": "[draft]"}',
    '{"path":"null", "lines" : 5.0}',
    '{ "path": "00420", "either": "5", "maybe": null }',
    '{"path": "", "unknown": ["kept"]}',
    '{"path": "true", "opts": {"anything": "\\"[1]\\""}}',
  ])("arguments that fit stay as they are: %s", (text) => {
    expect(checkArguments(text, READ, "read")).toEqual({ kind: "valid", text });
  });
});

describe("values", () => {
  it.each([
    ['{"path":"a","tags":"[\\"x\\", \\"y\\"]"}', '{"path":"a","tags":["x", "y"]}'],
    ['{"path":"a","tags":"[\'x\', \'y\']"}', '{"path":"a","tags":["x", "y"]}'],
    ['{"path":"a","opts":"{\'k\': True, \'n\': None}"}', '{"path":"a","opts":{"k": true, "n": null}}'],
    ['{"path":"a","sizes":"[\\"1\\", 2]"}', '{"path":"a","sizes":[1, 2]}'],
    ['{"path":"a","lines":" 9007199254740993 "}', '{"path":"a","lines":9007199254740993}'],
    ['{"path":"a","ratio":"0.50"}', '{"path":"a","ratio":0.50}'],
    ['{"path":"a","deep":"True"}', '{"path":"a","deep":true}'],
    ['{"path":5}', '{"path":"5"}'],
    ['{"path":"a","tags":"x"}', '{"path":"a","tags":["x"]}'],
    ['{"path":"a","sizes":7}', '{"path":"a","sizes":[7]}'],
    ['{"path":"a","sizes":"1, 2"}', '{"path":"a","sizes":[1, 2]}'],
    ['{"path":"a","mode":"deep"}', '{"path":"a","mode":"Deep"}'],
    ['{"path":"a","mode":"Half Speed"}', '{"path":"a","mode":"half_speed"}'],
    ['{"path":"a","lines":{"type":"integer","value":5}}', '{"path":"a","lines":5}'],
    ['{"path":"a", "lines":null, "deep":null }', '{"path":"a" }'],
    ['{ "lines": null, "path": "a"}', '{ "path": "a"}'],
  ])("a value is repaired: %s", (text, wanted) => {
    expect(repaired(text)).toBe(wanted);
  });

  it.each([
    ["text that is not a whole list", '{"path":"a","tags":"[\\"x\\""}'],
    ["a call in Python's notation", '{"path":"a","opts":"dict(k=1)"}'],
    ["a fraction for an integer", '{"path":"a","lines":"5.2"}'],
    ["a number with a unit", '{"path":"a","lines":"5 kg"}'],
    ["an octal, hexadecimal or signed number", '{"path":"a","lines":"05"}'],
    ["a word that is no boolean", '{"path":"a","deep":"yes"}'],
    ["a boolean for text", '{"path":true}'],
    ["null for a required parameter", '{"path":null}'],
    ["null inside a list", '{"path":"a","tags":[null]}'],
    ["a comma list of texts", '{"path":"a","tags":"x, y"}'],
    ["a flat list where rows are declared", '{"path":"a","grid":[1, 2]}'],
    ["an object for a list", '{"path":"a","sizes":{"a":1}}'],
    ["a value that is no member", '{"path":"a","mode":"faster"}'],
    ["a missing parameter", '{"lines":5}'],
    ["a key with two values", '{"path":"a","lines":"5","lines":"6"}'],
  ])("a value that could mean something else is left: %s", (_, text) => {
    expect(checkArguments(text, READ, "read")).toMatchObject({ kind: "invalid", text });
  });

  it("names each change with its path, before and after", () => {
    const checked = checkArguments('{"path":"a","lines":"5","opts":null}', READ, "read");
    expect(checked).toEqual({
      kind: "repaired",
      text: '{"path":"a","lines":5}',
      repairs: [
        { class: "number-as-text", path: "$.lines", before: '"5"', after: "5" },
        { class: "null-for-optional", path: "$.opts", before: "null" },
      ],
    });
  });
});

describe("whole arguments", () => {
  it.each([
    ['"{\\"path\\":\\"a\\"}"', '{"path":"a"}'],
    ['{}{"path":"a"}', '{"path":"a"}'],
    ['{"path":"a"}{"path": "a"}', '{"path":"a"}'],
    ['{"path":"a"}</tool_call><|im_end|>', '{"path":"a"}'],
    ['```json\n{"path":"a"}\n```', '{"path":"a"}'],
    ["{'path': 'it\\'s', lines: 5,}", '{"path": "it\'s", "lines": 5}'],
    ['{"path":"a\nb" /* two lines */}', '{"path":"a\\nb" }'],
    ['{"parameters":{"path":"a"}}', '{"path":"a"}'],
    ['{"name":"read","arguments":{"path":"a","lines":"5"}}', '{"path":"a","lines":5}'],
    ['{"Path":"a"}', '{"path":"a"}'],
  ])("arguments that do not fit as a whole are repaired: %s", (text, wanted) => {
    expect(repaired(text)).toBe(wanted);
  });

  it.each([
    ["two different objects", '{"path":"a"}{"path":"b"}'],
    ["text behind the object", '{"path":"a"} and more'],
    ["arguments that end in the middle", '{"path":"a'],
    ["arguments without their last brace", '{"path":"a"'],
    ["a wrapper with other keys beside it", '{"arguments":{"path":"a"},"lines":1}'],
    ["a whole call of another tool", '{"name":"write","arguments":{"path":"a"}}'],
    ["a synonym of a key", '{"file":"a"}'],
    ["a quote in a string", '{"path":"say "hi""}'],
    ["NaN", '{"path":"a","ratio":NaN}'],
    ["a list", '[{"path":"a"}]'],
    ["nothing, where a parameter is required", ""],
  ])("arguments with more than one meaning are left: %s", (_, text) => {
    expect(checkArguments(text, READ, "read")).toMatchObject({ kind: "invalid", text });
  });

  it.each(["", "  ", "null"])(
    "the arguments %j become an empty object for a tool without required parameters",
    (text) => {
      expect(repaired(text, compileSchema({ type: "object", properties: {} }))).toBe("{}");
    },
  );
});

describe("schemas", () => {
  it("follows references and alternatives, and leaves what two alternatives could mean", () => {
    const schema = compileSchema({
      $defs: { names: { type: "array", items: { type: "string" } } },
      type: "object",
      properties: {
        names: { $ref: "#/$defs/names" },
        count: { anyOf: [{ type: "integer" }, { type: "null" }] },
        flag: { anyOf: [{ type: "boolean" }, { type: "array", items: { type: "string" } }] },
      },
    });
    expect(repaired('{"names":"[\\"a\\"]"}', schema)).toBe('{"names":["a"]}');
    expect(repaired('{"count":"5"}', schema)).toBe('{"count":5}');
    expect(repaired('{"flag":"true"}', schema)).toBeUndefined();
  });

  it("a part that is not understood accepts everything and is never repaired", () => {
    const schema = compileSchema({
      type: "object",
      properties: { a: { type: "integer", not: { const: 5 } }, b: { $ref: "other.json" } },
    });
    expect(checkArguments('{"a":"5","b":"[1]"}', schema, "read").kind).toBe("valid");
  });

  it("a repaired value respects the limits of its schema", () => {
    const schema = compileSchema({
      type: "object",
      properties: {
        n: { type: "integer", maximum: 10, multipleOf: 2 },
        zip: { type: "string", pattern: "^[0-9]{5}$" },
        ids: { type: "array", items: { type: "integer" }, uniqueItems: true, maxItems: 2 },
      },
    });
    expect(repaired('{"n":"8","zip":80331,"ids":"[1, 2]"}', schema)).toBe('{"n":8,"zip":"80331","ids":[1, 2]}');
    for (const text of ['{"n":"12"}', '{"n":"7"}', '{"zip":420}', '{"ids":"[1, 1]"}', '{"ids":"[1, 2, 3]"}'])
      expect(repaired(text, schema), text).toBeUndefined();
  });

  it("recursive schemas, deep values and alternatives that multiply end in time and leave the call", () => {
    const tree = compileSchema({
      $defs: { node: { anyOf: Array.from({ length: 8 }, () => ({ type: "array", items: { $ref: "#/$defs/node" } })) } },
      type: "object",
      properties: { tree: { $ref: "#/$defs/node" } },
    });
    const deep = `{"tree":${"[".repeat(40)}"x"${"]".repeat(40)}}`;
    expect(checkArguments(deep, tree, "read")).toMatchObject({ text: deep });
    const deeper = `{"path":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(checkArguments(deeper, READ, "read")).toMatchObject({ kind: "invalid", text: deeper });
  });

  it("a schema that is only an alternative of itself accepts everything", () => {
    const schema = compileSchema({ anyOf: [{ $ref: "#" }] });
    expect(checkArguments('{"a":1}', schema, "read").kind).toBe("valid");
  });

  it("types in capitals or by their Python names count", () => {
    const schema = compileSchema({ type: "OBJECT", properties: { n: { type: "INTEGER" }, tags: { type: "list" } } });
    expect(repaired('{"n":"8","tags":"[1]"}', schema)).toBe('{"n":8,"tags":[1]}');
  });
});
