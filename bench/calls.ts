/** Cost of checking native calls, as ratios in one run. `node bench/calls.ts` prints the rows. */
import { checkArguments, compileSchema } from "../src/core/calls/index.ts";
import { ByteRepairer, createStreamRepairer, readRepairOptions } from "../src/core/repair/index.ts";
import { type Api, WIRE } from "../src/core/wire/index.ts";
import type { CoreRow } from "./core-row.ts";
import { best, slope } from "./recover.ts";

const MB = 1024 * 1024;
const PARAMETERS = {
  type: "object",
  properties: {
    path: { type: "string" },
    lines: { type: "integer" },
    tags: { type: "array", items: { type: "string" } },
    content: { type: "string" },
  },
  required: ["path"],
};
const encoder = new TextEncoder();

function argumentsOf(size: number, lines: unknown = 5): string {
  const content = "const value = items.filter((item) => item.ok);\n".repeat(Math.ceil(size / 47)).slice(0, size);
  return JSON.stringify({ path: "src/main.ts", lines, tags: ["a", "b"], content });
}

/** The bytes of a Chat stream with one call, in deltas of `characters`. */
function chatStream(args: string, characters: number): readonly Uint8Array[] {
  const chunk = (delta: object, finish: string | null = null): Uint8Array =>
    encoder.encode(
      `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  const parts: Uint8Array[] = [chunk({ role: "assistant", content: "" })];
  const head = { index: 0, id: "call_1", type: "function", function: { name: "write", arguments: "" } };
  parts.push(chunk({ tool_calls: [head] }));
  for (let at = 0; at < args.length; at += characters)
    parts.push(chunk({ tool_calls: [{ index: 0, function: { arguments: args.slice(at, at + characters) } }] }));
  parts.push(chunk({}, "tool_calls"), encoder.encode("data: [DONE]\n\n"));
  return parts;
}

const BODY = {
  model: "m",
  messages: [{ role: "user", content: "Hi" }],
  tools: [{ type: "function", function: { name: "write", parameters: PARAMETERS } }],
};

/** What the proxy does with a stream: frame, repair, decode for the record. */
function exchange(parts: readonly Uint8Array[], calls: "off" | "on", api: Api = "chat"): string {
  const options = readRepairOptions(api, BODY, {
    settings: { mode: "known", calls: { mode: calls } },
    randomAlphanumeric: (length) => "x".repeat(length),
  });
  if (options === undefined) throw new Error("nothing may be repaired");
  const bytes = new ByteRepairer(createStreamRepairer(api, options));
  const decoder = WIRE[api].createStreamDecoder();
  for (const part of parts)
    for (const { data, json } of bytes.push(part).events) if (data !== undefined) decoder.push(data, json);
  for (const { data, json } of bytes.end().events) if (data !== undefined) decoder.push(data, json);
  return String(decoder.end().calls[0]?.arguments);
}

/** The rows of the benchmark of native calls. */
export function benchCalls(): readonly CoreRow[] {
  const rows: CoreRow[] = [];
  for (const characters of [4, 16]) {
    const args = argumentsOf(4096);
    const stream = chatStream(args, characters);
    if (exchange(stream, "on") !== args) throw new Error("a fitting call was changed");
    let [off, on] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    // In turns, so that a busy machine affects both.
    for (let turn = 0; turn < 200; turn++) {
      off = Math.min(
        off,
        best(() => exchange(stream, "off"), 2),
      );
      on = Math.min(
        on,
        best(() => exchange(stream, "on"), 2),
      );
    }
    rows.push({
      name: `calls: a fitting call of 4 KB in deltas of ${characters}, against repair of calls off`,
      ...{ value: on, unit: "ms", reach: "≤ 1.1×", ratio: on / off },
    });
  }
  const streams = new Map<string, readonly Uint8Array[]>();
  const make = (size: number): string => {
    const key = " ".repeat(size);
    streams.set(key, chatStream(argumentsOf(size, "5"), 4));
    return key;
  };
  const ratio = slope(make, [MB / 16, MB / 4, MB - 4096], 5, (key) => exchange(streams.get(key) ?? [], "on"));
  rows.push({
    name: "calls: slope, a repaired call of up to 1 MB in deltas of 4",
    ...{ value: ratio, unit: "log/log", reach: "≤ 1.15", ratio },
  });
  const large = argumentsOf(MB - MB / 16);
  const schema = compileSchema(PARAMETERS);
  const whole = best(() => checkArguments(large, schema, "write"), 9);
  rows.push({
    name: "calls: 1 MB of arguments, whole",
    ...{ value: whole, unit: "ms", reach: "≤ 10× JSON.parse", ratio: whole / best(() => JSON.parse(large), 9) },
  });
  return rows;
}

if (import.meta.main) {
  for (const row of benchCalls()) {
    console.log(
      `${row.name.padEnd(72)} ${row.value.toFixed(2).padStart(9)} ${row.unit.padEnd(8)} ${row.ratio.toFixed(2).padStart(7)}  ${row.reach}`,
    );
  }
}
