/** Speed of extraction, as ratios in one run. `node bench/recover.ts` prints the rows. */
import { createLeakScanner, extractToolCalls } from "../src/core/recover/index.ts";
import type { CoreRow } from "./core-row.ts";
import { createRandom } from "./frame/random.ts";

const MB = 1024 * 1024;
const TOOLS = [
  { name: "read_file", parameters: { type: "object", properties: { path: { type: "string" } } } },
  { name: "search" },
];

const WORDS =
  "the proxy reads every chunk once and keeps what it has not decided while answers stream back to clients that wait for tools".split(
    " ",
  );

/** Typical model responses: headings, lists, links, inline code, fences, a little HTML. */
export function markdown(size: number): string {
  const next = createRandom(7);
  const pick = (): string => WORDS[Math.floor(next() * WORDS.length)] as string;
  const sentence = (): string => `${Array.from({ length: 9 }, pick).join(" ")}.`;
  const parts: string[] = [];
  let length = 0;
  while (length < size) {
    const kind = Math.floor(next() * 8);
    let part = `${sentence()} ${sentence()} Use \`${pick()}_${pick()}\` (see [${pick()}](https://example.com/${pick()})). "${sentence()}"\n\n`;
    if (kind === 0) part = `## ${pick()} ${pick()}\n\n`;
    else if (kind === 1) part = `- **${pick()}**: ${sentence()}\n- \`${pick()}[0]\`: ${sentence()}\n\n`;
    else if (kind === 2)
      part = `\`\`\`ts\nconst ${pick()} = items.filter((item) => item.${pick()} < 3);\nif (a[0]) { return { name: "${pick()}" }; }\n\`\`\`\n\n`;
    else if (kind === 3) part = `<div class="${pick()}"><b>${pick()}</b> ${sentence()}</div>\n\n`;
    parts.push(part);
    length += part.length;
  }
  return parts.join("").slice(0, size);
}

function withCalls(size: number): string {
  const prose = markdown(size);
  const call = '\n\n<tool_call>\n{"name": "read_file", "arguments": {"path": "src/main.ts"}}\n</tool_call>\n\n';
  const parts: string[] = [];
  // Calls are placed between blocks: inside a fence they would be quotations.
  let from = 0;
  for (let at = 2048; at < prose.length; at += 2048) {
    const cut = prose.indexOf(".\n\n", at);
    if (cut === -1 || cut < from) continue;
    parts.push(prose.slice(from, cut + 1), call);
    from = cut + 1;
    at = Math.max(at, cut);
  }
  parts.push(prose.slice(from));
  return parts.join("");
}

const fill = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/** Inputs that make backtracking regular expressions hang. */
export const ADVERSARIAL: Readonly<Record<string, (size: number) => string>> = {
  "repeated openers": (size) => fill("<tool_call>", size),
  "unclosed openers": (size) => fill('<tool_call>{"name": "x", "arguments": {"a": "', size),
  "unclosed parameters": (size) => fill("<function=f><parameter=a>x ", size),
  "deep nesting": (size) =>
    `<tool_call>${fill("{", Math.min(size, 100_000))}${fill('{"a":', Math.max(0, size - 100_000))}`,
  "angle brackets": (size) => fill("<", size),
  quotes: (size) => `<tool_call>{"name": "x", "arguments": {"a": "${fill('" ', size)}`,
  backslashes: (size) => `<tool_call>{"name": "x", "arguments": {"a": "${fill("\\", size)}`,
  backticks: (size) => fill("`", size),
  "bare objects": (size) => fill('{"name": "search", "arguments": {"a": 1}}\n', size),
  "mixed openers": (size) => fill('<invoke name="f"><|tool_call_begin|>[TOOL_CALLS]<function=g>{ ', size),
  html: (size) => fill('<div class="a"><p>text &amp; more</p><br/></div>\n', size),
};

/** Best of several runs, in milliseconds. */
export function best(run: () => void, times = 5): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    run();
    fastest = Math.min(fastest, performance.now() - start);
  }
  return fastest;
}

function ratioToParse(text: string): { readonly ratio: number; readonly speed: number } {
  const json = JSON.stringify(text);
  const own = best(() => void extractToolCalls(text, { tools: TOOLS }), 15);
  const parse = best(() => void JSON.parse(json), 15);
  return { ratio: parse / own, speed: text.length / MB / (own / 1000) };
}

/** A measurement shorter than this is repeated: timer resolution and a busy machine make 1 ms unreliable. */
const LEAST_MS = 20;

/** Runs the garbage collector, if it is exposed, so that earlier measurements leave nothing behind. */
const collectGarbage = (globalThis as { readonly gc?: () => void }).gc ?? ((): void => undefined);

/**
 * Slope of time over size in a log-log plot. The sizes are measured in turns, so that a temporarily busy machine
 * affects all of them; the best turn of each counts.
 */
export function slope(
  make: (size: number) => string,
  sizes: readonly number[],
  times = 7,
  work: (text: string) => void = (text) => void extractToolCalls(text, { tools: TOOLS }),
): number {
  const runs = sizes.map((size) => {
    const text = make(size);
    const run = (): void => work(text);
    return { size, run, repeats: 1, fastest: Number.POSITIVE_INFINITY };
  });
  // The largest first, so that no size is measured while the engine is still compiling.
  for (const one of [...runs].reverse()) one.repeats = Math.max(1, Math.ceil(LEAST_MS / best(one.run, 3)));
  for (let turn = 0; turn < times; turn++) {
    for (const one of runs) {
      collectGarbage();
      const many = (): void => {
        for (let i = 0; i < one.repeats; i++) one.run();
      };
      one.fastest = Math.min(one.fastest, best(many, 1) / one.repeats);
    }
  }
  const points = runs.map((one) => [Math.log(one.size), Math.log(one.fastest)] as const);
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const top = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return top / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}

function deltas(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / 4) }, (_, i) => text.slice(i * 4, i * 4 + 4));
}

function streamed(parts: readonly string[]): void {
  const scanner = createLeakScanner({ tools: TOOLS });
  for (const part of parts) scanner.push(part);
  scanner.end();
}

/** The cost of any stream transform: each delta in, the same text out as an event. */
function identity(parts: readonly string[]): number {
  let length = 0;
  const push = (text: string): readonly { readonly kind: string; readonly text: string }[] => [{ kind: "text", text }];
  for (const part of parts) for (const event of push(part)) length += event.text.length;
  return length;
}

/** What a coding agent gives its model: tool results with line numbers, some of which quote calls. */
function given(size: number): readonly string[] {
  const results: string[] = [];
  const text = withCalls(size);
  for (let at = 0; at < text.length; at += 16_384) {
    const lines = text.slice(at, at + 16_384).split("\n");
    results.push(lines.map((line, number) => `${String(number + 1).padStart(6)}→${line}`).join("\n"));
  }
  return results;
}

/** A response with one leaked call is compared with the context. */
function compared(context: readonly string[]): void {
  const call = '<tool_call>{"name": "read_file", "arguments": {"path": "lib/other/view.ts"}}</tool_call>';
  if (extractToolCalls(call, { tools: TOOLS, context }).toolCalls.length !== 1)
    throw new Error("the call was not extracted");
}

const argument = (size: number): readonly string[] =>
  deltas(`<tool_call>{"name": "read_file", "arguments": {"path": "${fill("word \\n", size)}"}}</tool_call>`);

/** The rows of the extraction benchmark. */
export async function benchRecover(): Promise<readonly CoreRow[]> {
  const rows: CoreRow[] = [];
  const compare = (name: string, text: string, reach: string): void => {
    const { ratio, speed } = ratioToParse(text);
    rows.push({ name: `recover: ${name}`, value: speed, unit: "MB/s", reach, ratio });
  };
  compare("1 MB markdown", markdown(MB), "≥ 0.1× JSON.parse, aim 0.3×");
  compare("a call every 2 KB", withCalls(MB), "≥ 0.05× JSON.parse");
  for (const name of ["repeated openers", "unclosed openers", "deep nesting"]) {
    compare(name, (ADVERSARIAL[name] as (size: number) => string)(MB), "≥ 0.03× JSON.parse");
  }
  const sizes = [64 * 1024, 256 * 1024, MB, 4 * MB];
  for (const [name, make] of Object.entries({ markdown, "a call every 2 KB": withCalls, ...ADVERSARIAL })) {
    const ratio = slope(make, sizes);
    rows.push({ name: `recover: slope, ${name}`, value: ratio, unit: "log/log", reach: "≤ 1.15", ratio });
  }
  const context = given(4 * MB);
  const json = JSON.stringify(context);
  const echoes = best(() => compared(context), 5);
  const parsed = best(() => void JSON.parse(json), 15);
  rows.push({
    name: "recover: a call against 4 MB that was given",
    value: echoes,
    unit: "ms",
    reach: "≤ 40× JSON.parse",
    ratio: echoes / parsed,
  });
  const bySize = new Map(sizes.map((size) => [fill(" ", size), given(size)]));
  const against = slope(
    (size) => fill(" ", size),
    sizes,
    5,
    (key) => compared(bySize.get(key) ?? []),
  );
  rows.push({
    name: "recover: slope, a call against what was given",
    value: against,
    unit: "log/log",
    reach: "≤ 1.15",
    ratio: against,
  });
  const small = argument(64 * 1024);
  const large = argument(256 * 1024);
  const smallTime = best(() => streamed(small), 25);
  const largeTime = best(() => streamed(large), 25);
  const plain = best(() => void identity(large), 25);
  rows.push({
    name: "recover: argument in deltas, 64 KB to 256 KB",
    value: largeTime,
    unit: "ms",
    reach: "≤ 4.4×",
    ratio: largeTime / smallTime,
  });
  rows.push({
    name: "recover: argument in deltas, against identity",
    value: plain,
    unit: "ms",
    reach: "≤ 8×",
    ratio: largeTime / plain,
  });
  return rows;
}

if (import.meta.main) {
  for (const row of await benchRecover()) {
    console.log(
      `${row.name.padEnd(52)} ${row.value.toFixed(1).padStart(9)} ${row.unit.padEnd(8)} ${row.ratio.toFixed(2).padStart(7)}  ${row.reach}`,
    );
  }
}
