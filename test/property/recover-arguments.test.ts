import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../../src/core/model/tool-call.ts";
import { extractToolCalls, type RecoveredCall } from "../../src/core/recover/index.ts";
import { LEAK_TOOLS } from "../fixtures/leaks/leak.ts";
import { TOOLS } from "./recover-fixtures.ts";
import { nearCall } from "./recover-fuzz-texts.ts";

/** A few seconds by default; `TOOLMEND_FUZZ_RUNS=200000` for a night. */
const RUNS = Number(process.env.TOOLMEND_FUZZ_RUNS ?? 3000);
const SEED = Number(process.env.TOOLMEND_FUZZ_SEED ?? 18);
const DECLARED = [...LEAK_TOOLS, ...TOOLS];
/** Values whose key is not written: it follows from the schema, and the repair says so. */
const BY_SCHEMA: readonly string[] = ["positional-arguments", "body-as-argument"];
const SHORTEST = 4;

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " " };

/** A text without escapes, markup of values, quotes and blanks: what is left must come from the model. */
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

describe("the arguments of a call that was written as text", () => {
  it(
    "are all in that text, keys and values, and none that the tool requires is missing",
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
