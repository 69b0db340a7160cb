import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/core/model/tool-call.ts";
import { extractToolCalls, type RecoveredCall } from "../../src/core/recover/index.ts";
import { LEAK_TOOLS } from "../fixtures/leaks/leak.ts";
import { TOOLS } from "./recover-fixtures.ts";
import { LEAK_TEXTS, nearCall } from "./recover-fuzz-texts.ts";

/** A few seconds by default; `TOOLMEND_FUZZ_RUNS=200000` for an overnight run. */
const RUNS = Number(process.env.TOOLMEND_FUZZ_RUNS ?? 3000);
const SEED = Number(process.env.TOOLMEND_FUZZ_SEED ?? 18);
const DECLARED = [...LEAK_TOOLS, ...TOOLS];
/** Values whose key is not written: the key follows from the schema, and the list of repairs contains it. */
const BY_SCHEMA: readonly string[] = ["positional-arguments", "body-as-argument"];
const SHORTEST = 4;

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " " };

/** A text without escapes, value markup, quotes and whitespace: the rest must come from the model. */
function bare(text: string): string {
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[nrtbf]/g, "")
    .replace(/&(lt|gt|amp|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "")
    .replace(/&#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}));/g, (whole, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replaceAll("]<]minimax[>[", "")
    .replaceAll("<![CDATA[", "")
    .replaceAll("]]>", "")
    .replace(/[\s\\"'`\ufeff]/g, "");
}

function* strings(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* strings(inner);
}

function callsOf(text: string): readonly RecoveredCall[] {
  return extractToolCalls(text, { tools: DECLARED, newId: () => "id" }).toolCalls;
}

function requiredOf(name: string): readonly string[] {
  const declared = DECLARED.find((tool) => tool.name === name);
  return (declared?.parameters as { required?: readonly string[] } | undefined)?.required ?? [];
}

describe("the arguments of a leaked call", () => {
  it(
    "all arguments appear in the text, keys and values, and no required one is missing",
    () => {
      fc.assert(
        fc.property(nearCall, (text) => {
          const written = bare(text);
          for (const call of callsOf(text)) {
            if (!call.repairs.some((repair) => BY_SCHEMA.includes(repair)))
              for (const key of Object.keys(call.arguments)) expect(written).toContain(bare(key));
            for (const key of requiredOf(call.name)) expect(Object.keys(call.arguments)).toContain(key);
            for (const value of strings(call.arguments))
              if (value.length >= SHORTEST) expect(written).toContain(bare(value));
          }
        }),
        { numRuns: RUNS, seed: SEED },
      );
    },
    60_000 + RUNS * 20,
  );
});

/** How a format writes `write_file` with a content: the text before it and the text after it. */
type Writing = (content: string, path: string) => readonly [before: string, after: string];

const json = (text: string): string => JSON.stringify(text).slice(0, -1);
const python = (text: string): string =>
  `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}`;
const member = (path: string): string => (path === "" ? "" : `"path": "${path}", `);
const object: Writing = (content, path) => [`{${member(path)}"content": ${json(content)}`, '"}'];

const WRITINGS: Readonly<Record<string, Writing>> = {
  hermes: (content, path) => [
    `<tool_call>\n{"name": "write_file", "arguments": ${object(content, path)[0]}`,
    '"}}\n</tool_call>',
  ],
  "hermes, quotes not escaped": (content, path) => [
    `<tool_call>\n{"name": "write_file", "arguments": {${member(path)}"content": "See: ${content}`,
    ' so."}}\n</tool_call>',
  ],
  "hermes, single quotes": (content, path) => [
    `<tool_call>{'name': 'write_file', 'arguments': {${path === "" ? "" : `'path': '${path}', `}'content': ${python(content)}`,
    "'}}</tool_call>",
  ],
  mistral: (content, path) => [`[TOOL_CALLS] [{"name": "write_file", "arguments": ${object(content, path)[0]}`, '"}}]'],
  kimi: (content, path) => [
    `<|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>${object(content, path)[0]}`,
    '"}<|tool_call_end|>',
  ],
  bare: (content, path) => [`{"name": "write_file", "arguments": ${object(content, path)[0]}`, '"}}'],
  react: (content, path) => [`Action: write_file\nAction Input: ${object(content, path)[0]}`, '"}'],
  qwen: (content, path) => [
    `<tool_call>\n<function=write_file>\n${path === "" ? "" : `<parameter=path>\n${path}\n</parameter>\n`}<parameter=content>\n${content}`,
    "\n</parameter>\n</function>\n</tool_call>",
  ],
  invoke: (content, path) => [
    `<invoke name="write_file">\n${path === "" ? "" : `<parameter name="path">${path}</parameter>\n`}<parameter name="content">See:\n${content}`,
    "\nso.</parameter>\n</invoke>",
  ],
  glm: (content, path) => [
    `<tool_call>write_file\n${path === "" ? "" : `<arg_key>path</arg_key>\n<arg_value>${path}</arg_value>\n`}<arg_key>content</arg_key>\n<arg_value>${content}`,
    "</arg_value>\n</tool_call>",
  ],
  "tag per tool": (content, path) => [
    `<write_file>\n${path === "" ? "" : `<path>${path}</path>\n`}<content>\n${content}`,
    "\n</content>\n</write_file>",
  ],
  lfm2: (content, path) => [
    `<|tool_call_start|>[write_file(${path === "" ? "" : `path='${path}', `}content=${python(content)}`,
    "')]<|tool_call_end|>",
  ],
};

describe("the string content inside a leaked call", () => {
  const kinds = ["whole", "a parameter missing", "cut off"] as const;

  it("a string inside a leaked call never becomes a call, whether the outer call is extracted or not", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LEAK_TEXTS),
        fc.constantFrom(...Object.keys(WRITINGS)),
        fc.constantFrom(...kinds),
        (leak, format, kind) => {
          const write = WRITINGS[format] as Writing;
          const [before, after] = write(leak, kind === "a parameter missing" ? "" : "a.md");
          const names = callsOf(kind === "cut off" ? before : before + after).map((call) => call.name);
          expect(names.filter((name) => name !== "write_file")).toEqual([]);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
  });
});
