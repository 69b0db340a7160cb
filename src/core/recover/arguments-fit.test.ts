import { describe, expect, it } from "vitest";
import type { JsonObject } from "../model/tool-call.ts";
import { compileSchema } from "../schema/compile.ts";
import { type Doubts, fitProblem as problemOf } from "./arguments-fit.ts";

type Schema = { readonly [key: string]: unknown };

const fitProblem = (args: JsonObject, schema: Schema | undefined, doubts?: Doubts) =>
  problemOf(args, schema && compileSchema(schema), doubts);

const text = { type: "string" };
const EDIT: Schema = {
  type: "object",
  properties: {
    path: { ...text, minLength: 1 },
    replacement: text,
    mode: { ...text, enum: ["once", "all"] },
    line: { type: "integer" },
    ratio: { type: "number" },
    force: { type: "boolean" },
    tag: { ...text, pattern: "^v[0-9]+$" },
    note: { anyOf: [text, { type: "null" }] },
    owner: { ...text, nullable: true },
    marks: { type: "array", items: { $ref: "#/$defs/mark" }, minItems: 1 },
    meta: { type: "object", additionalProperties: text },
  },
  required: ["path"],
  additionalProperties: false,
  $defs: { mark: { type: "object", properties: { at: { type: "integer" } }, required: ["at"] } },
};
const OPEN: Schema = { type: "object", properties: { path: text, prio: text } };

describe("fitProblem with valid arguments", () => {
  it.each<[what: string, args: JsonObject, schema: Schema | undefined]>([
    ["the required parameter alone", { path: "a" }, EDIT],
    ["an empty string that no keyword forbids", { path: "a", replacement: "" }, EDIT],
    ["a value of the enum", { path: "a", mode: "all" }, EDIT],
    ["a whole number where an integer is declared", { path: "a", line: 3 }, EDIT],
    ["an integer that a double cannot represent, as text", { path: "a", line: "90071992547409931" }, EDIT],
    ["an integer where a number is declared", { path: "a", ratio: 1 }, EDIT],
    ["null where a branch allows it", { path: "a", note: null }, EDIT],
    ["null where the schema says nullable", { path: "a", owner: null }, EDIT],
    ["null for an optional parameter", { path: "a", line: null }, EDIT],
    [
      "null for a required parameter whose type allows it",
      { a: null },
      { properties: { a: { type: ["string", "null"] } }, required: ["a"] },
    ],
    [
      "null beside an enum that does not list it",
      { a: null },
      { properties: { a: { type: ["string", "null"], enum: ["x"] } }, required: ["a"] },
    ],
    ["items that fit a referenced schema", { path: "a", marks: [{ at: 1 }, { at: 2, more: true }] }, EDIT],
    ["a value of a free-form object", { path: "a", meta: { k: "v" } }, EDIT],
    ["a key that the schema does not exclude", { path: "a", extra: 1 }, OPEN],
    [
      "a key that a pattern may allow",
      { "x-a": "b" },
      { properties: {}, patternProperties: { "^x-": text }, additionalProperties: false },
    ],
    [
      "a key that only a branch declares",
      { b: 1 },
      { properties: { a: text }, anyOf: [{ properties: { b: { type: "integer" } } }], additionalProperties: false },
    ],
    ["any arguments of a tool without a schema", { anything: [] }, undefined],
    ["a type name unknown to JSON Schema", { a: [] }, { properties: { a: { type: "matrix" } } }],
    ["an unresolvable reference", { a: 1 }, { properties: { a: { $ref: "#/nowhere" } } }],
    ["a text whose pattern is not checked", { path: "a", tag: "latest" }, EDIT],
    ["an empty text with a pattern that allows it", { a: "" }, { properties: { a: { ...text, pattern: "^.*$" } } }],
    [
      "an empty text with a pattern that is not a regular expression",
      { a: "" },
      { properties: { a: { ...text, pattern: "(" } } },
    ],
    ["a constant", { a: "x" }, { properties: { a: { const: "x" } } }],
    [
      "an enum of objects, keys in another order",
      { a: { x: 1, y: 2 } },
      { properties: { a: { enum: [{ y: 2, x: 1 }] } } },
    ],
    ["a value that fits one of two branches", { a: 7 }, { properties: { a: { oneOf: [text, { type: "integer" }] } } }],
  ])("accepts %s", (_what, args, schema) => {
    expect(fitProblem(args, schema)).toBeUndefined();
  });
});

describe("fitProblem with invalid arguments", () => {
  it.each<[what: string, problem: string, args: JsonObject, schema: Schema]>([
    ["a required parameter is absent", "missing-argument", { replacement: "x" }, EDIT],
    ["all arguments are absent", "missing-argument", {}, EDIT],
    ["a required member of an item is absent", "missing-argument", { path: "a", marks: [{ at: 1 }, {}] }, EDIT],
    ["a parameter is absent that allOf requires", "missing-argument", {}, { allOf: [{ required: ["a"] }] }],
    ["an empty string is shorter than minLength", "empty-argument", { path: "" }, EDIT],
    ["an empty string is not in the enum", "empty-argument", { path: "a", mode: "" }, EDIT],
    ["an empty string does not match the pattern", "empty-argument", { path: "a", tag: "" }, EDIT],
    ["an empty string is given for a number", "empty-argument", { path: "a", line: "" }, EDIT],
    ["a required parameter is null", "empty-argument", { path: null }, EDIT],
    ["a list is empty despite minItems", "empty-argument", { path: "a", marks: [] }, EDIT],
    [
      "a text is shorter than minLength",
      "invalid-arguments",
      { a: "x" },
      { properties: { a: { ...text, minLength: 3 } } },
    ],
    ["a value is not in the enum", "invalid-arguments", { path: "a", mode: "some" }, EDIT],
    ["a value differs from the enum only in case", "invalid-arguments", { path: "a", mode: "All" }, EDIT],
    ["a text is given for a number", "invalid-arguments", { path: "a", line: "three" }, EDIT],
    ["a fraction is given for an integer", "invalid-arguments", { path: "a", line: 1.5 }, EDIT],
    ["a number is given for a text", "invalid-arguments", { path: 7 }, EDIT],
    ["a text is given for a boolean", "invalid-arguments", { path: "a", force: "maybe" }, EDIT],
    ["an object is given for a list", "invalid-arguments", { path: "a", marks: { at: 1 } }, EDIT],
    ["a list is given for an object", "invalid-arguments", { path: "a", meta: ["k"] }, EDIT],
    ["an item has the wrong type", "invalid-arguments", { path: "a", marks: [{ at: "one" }] }, EDIT],
    ["a key is excluded by the schema", "invalid-arguments", { path: "a", force_all: true }, EDIT],
    ["a value of a free-form object has the wrong type", "invalid-arguments", { path: "a", meta: { k: 1 } }, EDIT],
    ["no branch fits", "invalid-arguments", { path: "a", note: 5 }, EDIT],
    ["a constant differs", "invalid-arguments", { a: "y" }, { properties: { a: { const: "x" } } }],
    ["the parameter is declared as impossible", "invalid-arguments", { a: 1 }, { properties: { a: false } }],
  ])("reports a problem: %s", (_what, problem, args, schema) => {
    expect(fitProblem(args, schema)).toBe(problem);
  });
});

describe("fitProblem with doubts of the parser", () => {
  const keys = (doubt: "bare" | "unescaped"): Doubts => ({
    keys: new Map([
      ["11", doubt],
      ["prio", doubt],
    ]),
  });

  it.each<[what: string, problem: string | undefined, args: JsonObject, schema: Schema | undefined, doubts: Doubts]>([
    ["rejects a parameter without a value", "empty-argument", {}, undefined, { unstated: ["path"] }],
    ["reports a required parameter without a value as empty", "empty-argument", {}, EDIT, { unstated: ["path"] }],
    ["reports another required parameter as missing", "missing-argument", {}, EDIT, { unstated: ["line"] }],
    ["rejects a bare key that is not declared", "ambiguous", { path: "10:00", "11": "00 sharp" }, OPEN, keys("bare")],
    ["rejects a bare key of a tool without a schema", "ambiguous", { text: "a b", prio: "c" }, undefined, keys("bare")],
    ["accepts a declared bare key", undefined, { path: "a b", prio: "high" }, OPEN, keys("bare")],
    [
      "rejects an undeclared key after unescaped quotes",
      "ambiguous",
      { path: 'a "b', "11": 1 },
      OPEN,
      keys("unescaped"),
    ],
    [
      "accepts an undeclared key after unescaped quotes if additionalProperties is true",
      undefined,
      { path: 'a "b', "11": 1 },
      { ...OPEN, additionalProperties: true },
      keys("unescaped"),
    ],
    [
      "accepts a key after unescaped quotes if the tool has no schema",
      undefined,
      { path: 'a "b', "11": 1 },
      undefined,
      keys("unescaped"),
    ],
    ["finds a doubtful key inside a list", "ambiguous", { path: [{ "11": 1 }] }, OPEN, keys("bare")],
    ["ignores a doubtful key that is not an argument", undefined, { path: "a" }, OPEN, keys("bare")],
  ])("%s", (_what, problem, args, schema, doubts) => {
    expect(fitProblem(args, schema, doubts)).toBe(problem);
  });
});

describe("fitProblem with hostile input", () => {
  it("terminates on a schema that branches into itself at every level", () => {
    const node: Record<string, unknown> = { type: "object", properties: {} };
    node.properties = { next: { anyOf: [{ $ref: "#" }, { $ref: "#" }, { $ref: "#" }] }, stop: { type: "integer" } };
    let args: JsonObject = { stop: "no" };
    for (let depth = 0; depth < 60; depth += 1) args = { next: args };
    expect(fitProblem(args, node)).toBeUndefined();
  });

  it("terminates on a schema that is only a branch of itself", () => {
    expect(fitProblem({ a: 1 }, { anyOf: [{ $ref: "#" }] })).toBeUndefined();
  });
});
