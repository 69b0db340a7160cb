/** Measures extraction on cases with expected calls and on negatives. See docs/accuracy.md. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Json } from "../src/core/model/tool-call.ts";
import { collect } from "../src/core/recover/extract.ts";
import { createLeakScanner, extractToolCalls } from "../src/core/recover/index.ts";
import type { ContextText, DeclaredTool, Extraction, RecoverOptions } from "../src/core/recover/types.ts";
import { DECORATIONS } from "../test/support/quotations.ts";

interface Row {
  readonly id: string;
  readonly text: string;
  readonly source?: string;
  readonly format?: string;
  readonly kind?: string;
  readonly policy?: string;
  readonly tools?: readonly DeclaredTool[];
  readonly context?: RecoverOptions["context"];
  readonly expected_calls?: readonly { readonly name: string; readonly arguments: Json }[];
}

const { values } = parseArgs({
  options: {
    cases: { type: "string" },
    negatives: { type: "string" },
    policy: { type: "string" },
    failures: { type: "boolean", default: false },
    format: { type: "string" },
    splits: { type: "string", default: "40" },
  },
});

if (values.cases === undefined && values.negatives === undefined && values.policy === undefined) {
  console.error(
    "usage: node scripts/eval-recover.ts [--cases rows.jsonl] [--negatives rows.jsonl] [--policy rows.jsonl] [--splits N] [--format NAME] [--failures]",
  );
  process.exit(2);
}

function load(file: string | undefined): readonly Row[] {
  if (file === undefined) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Row);
}

/**
 * Normalizes for comparison: a string that is JSON equals that JSON, Python literals equal JSON ones, outer whitespace
 * is ignored.
 */
function coerce(value: Json): Json {
  if (typeof value === "string") {
    const text = value.trim();
    const literal = { True: true, False: false, None: null }[text];
    if (literal !== undefined) return literal;
    try {
      const inner = JSON.parse(text) as Json;
      return typeof inner === "string" ? inner.trim() : coerce(inner);
    } catch {
      return text;
    }
  }
  if (Array.isArray(value)) return value.map(coerce);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, coerce(inner as Json)]),
  );
}

const callsText = (calls: readonly { readonly name: string; readonly arguments: Json }[]): string =>
  JSON.stringify(calls.map((call) => [call.name, coerce(call.arguments)]));

function optionsOf(row: Row): RecoverOptions {
  let id = 0;
  return {
    newId: () => `id-${id++}`,
    ...(row.tools === undefined ? {} : { tools: row.tools }),
    ...(row.context === undefined ? {} : { context: row.context }),
  };
}

function percent(part: number, all: number): string {
  return all === 0 ? "–" : `${((100 * part) / all).toFixed(2)} %`;
}

class Tally {
  private readonly counts = new Map<string, [number, number]>();
  add(key: string, right: boolean): void {
    const [a, b] = this.counts.get(key) ?? [0, 0];
    this.counts.set(key, [a + (right ? 1 : 0), b + 1]);
  }
  print(title: string): void {
    console.log(`\n${title}`);
    for (const [key, [right, all]] of [...this.counts].sort((a, b) => b[1][1] - a[1][1])) {
      console.log(
        `  ${key.padEnd(24)} ${String(right).padStart(4)} of ${String(all).padEnd(4)} ${percent(right, all)}`,
      );
    }
  }
}

function evaluate(title: string, rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const sources = new Tally();
  const formats = new Tally();
  let right = 0;
  for (const row of rows) {
    if (values.format !== undefined && row.format !== values.format) continue;
    const got = extractToolCalls(row.text, optionsOf(row));
    const ok = callsText(got.toolCalls) === callsText(row.expected_calls ?? []);
    if (ok) right += 1;
    sources.add(row.policy ?? row.source ?? "", ok);
    formats.add(row.format ?? "", ok);
    if (!ok && values.failures) {
      console.log(`--- ${row.id} [${row.format}]\n${row.text.slice(0, 900)}`);
      console.log(
        `want ${callsText(row.expected_calls ?? []).slice(0, 600)}\ngot  ${callsText(got.toolCalls).slice(0, 600)}`,
      );
      console.log(
        `why  ${got.matches
          .map((match) =>
            match.kind === "rejected"
              ? `${match.format}:${match.reason}@${match.span.start}-${match.span.end}`
              : match.format,
          )
          .join(" ")
          .slice(0, 400)}\n`,
      );
    }
  }
  console.log(`\n${title}: ${right} of ${rows.length} exact (${percent(right, rows.length)})`);
  sources.print("by source");
  formats.print("by format");
}

function negatives(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  let called = 0;
  let damaged = 0;
  for (const row of rows) {
    const got = extractToolCalls(row.text, optionsOf(row));
    if (got.toolCalls.length > 0) {
      called += 1;
      console.log(`  call in ${row.kind} ${row.id}: ${callsText(got.toolCalls).slice(0, 200)}`);
    } else if (got.content !== row.text) damaged += 1;
  }
  console.log(`\nnegatives: ${called} of ${rows.length} yield a call, ${damaged} damaged`);
}

/** Shorter base64 is not decoded. */
const MIN_BASE64_TEXT = 12;

/**
 * Planted quotations: the text of a case is part of the context, decorated and encoded, and the response repeats it in
 * several ways.
 */
function echoes(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const decorations = new Tally();
  let planted = 0;
  let called = 0;
  for (const row of rows) {
    const { toolCalls } = extractToolCalls(row.text, optionsOf(row));
    const replies = [
      row.text,
      row.text.replaceAll("\n", "\n    "),
      rewritten(toolCalls, true),
      rewritten(toolCalls, false),
    ];
    const extracted = replies.filter((reply) => extractToolCalls(reply, optionsOf(row)).toolCalls.length > 0);
    for (const [name, decorate] of Object.entries(DECORATIONS)) {
      if (name.startsWith("base64") && row.text.length < MIN_BASE64_TEXT) continue;
      const context = decorate(row.text);
      for (const reply of extracted) {
        const { toolCalls } = extractToolCalls(reply, { ...optionsOf(row), context });
        planted += 1;
        if (toolCalls.length > 0) called += 1;
        decorations.add(name, toolCalls.length === 0);
        if (toolCalls.length > 0 && values.failures)
          console.log(
            `--- echo of ${row.id}, ${name}\n${JSON.stringify(context).slice(0, 600)}\n${reply.slice(0, 400)}`,
          );
      }
    }
  }
  if (called > 0) decorations.print("quotations left alone, by decoration");
  console.log(`echoes: ${called} of ${planted} planted quotations yield a call`);
}

/** The same calls in another format, with reordered arguments, with one more or without. */
function rewritten(calls: Extraction["toolCalls"], hasMore: boolean): string {
  const write = ({ name, arguments: args }: Extraction["toolCalls"][number]): string => {
    const reordered = Object.fromEntries(Object.entries(args).reverse());
    const written = JSON.stringify({ arguments: hasMore ? { trace: true, ...reordered } : reordered, name });
    return `<tool_call>\n${written}\n</tool_call>`;
  };
  return calls.map(write).join("\n");
}

/**
 * Context that must not prevent a call: its values as plain text, the format with other values, and the same call from
 * the model itself.
 */
const HARMLESS: Readonly<Record<string, (text: string, calls: Extraction["toolCalls"]) => ContextText | undefined>> = {
  "the user asks for it in words": (_text, calls) => ({
    role: "user",
    text: `Please do this for me now: ${stringsIn(calls).join(", ")}. Thank you!`,
  }),
  "a result holds its values as plain text": (_text, calls) => ({
    role: "tool",
    text: `$ cat notes.md\n# Notes\n${stringsIn(calls).join("\n\n")}\n\nSee also the manual.\n`,
  }),
  "a result holds its values in numbered lines": (_text, calls) => ({
    role: "tool",
    text: stringsIn(calls)
      .flatMap((value) => value.split("\n"))
      .map((line, at) => `${String(at + 1).padStart(6)}→${line}`)
      .join("\n"),
  }),
  "a result is JSON with its arguments": (_text, calls) => ({
    role: "tool",
    text: JSON.stringify({ settings: calls.map(({ arguments: args }) => args) }, undefined, 2),
  }),
  // A call without values equals the format's example, so the example is the call.
  "a system text shows the format with other values": (text, calls) =>
    calls.every(({ arguments: args }) => /[a-y0-8]/i.test(JSON.stringify(Object.values(args)).replaceAll("null", "")))
      ? { role: "system", text: `Call tools like this:\n${withOtherValues(text, calls)}\n` }
      : undefined,
  "an earlier message of the model has the call": (text) => ({ role: "assistant", text }),
};

function harmless(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const contexts = new Tally();
  let unchanged = 0;
  let all = 0;
  for (const row of rows) {
    const before = extractToolCalls(row.text, optionsOf(row));
    if (before.toolCalls.length === 0) continue;
    for (const [name, give] of Object.entries(HARMLESS)) {
      const given = give(row.text, before.toolCalls);
      if (given === undefined) continue;
      const context = [given];
      const after = extractToolCalls(row.text, { ...optionsOf(row), context });
      const isSame = callsText(after.toolCalls) === callsText(before.toolCalls);
      all += 1;
      if (isSame) unchanged += 1;
      else if (values.failures) console.log(`--- lost ${row.id}, ${name}\n${JSON.stringify(context).slice(0, 600)}`);
      contexts.add(name, isSame);
    }
  }
  contexts.print("calls still extracted, by context");
  console.log(`harmless contexts: ${unchanged} of ${all} calls still extracted (${percent(unchanged, all)})`);
}

function stringsIn(calls: Extraction["toolCalls"]): readonly string[] {
  const strings: string[] = [];
  const walk = (value: Json): void => {
    if (typeof value === "string") strings.push(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) walk(inner as Json);
  };
  for (const call of calls) walk(call.arguments);
  return strings;
}

/** Letters and digits of the values, shifted by one. */
function withOtherValues(text: string, calls: Extraction["toolCalls"]): string {
  const shifted = (value: string): string =>
    value.replace(/[a-y0-8]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1));
  const other = calls.map(({ name, arguments: args }) => ({
    name,
    arguments: JSON.parse(JSON.stringify(args), (_key, value: unknown) =>
      typeof value === "string"
        ? shifted(value)
        : typeof value === "number"
          ? value + 1
          : typeof value === "boolean"
            ? !value
            : value,
    ) as Json,
  }));
  const values = stringsIn(calls).filter((value) => /[a-y0-8]{2}/i.test(value));
  const own = values.reduce((so, value) => so.replaceAll(value, shifted(value)), text);
  return `${values.length > 0 && own !== text ? own : ""}\n<tool_call>${JSON.stringify(other)}</tool_call>`;
}

function stream(row: Row, cuts: readonly number[]): Extraction {
  const scanner = createLeakScanner(optionsOf(row));
  const events = [];
  let from = 0;
  for (const cut of [...cuts, row.text.length]) {
    events.push(...scanner.push(row.text.slice(from, cut)));
    from = cut;
  }
  return collect([...events, ...scanner.end()]);
}

function splitInvariance(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  const maxSplits = Number(values.splits);
  let runs = 0;
  let differ = 0;
  for (const row of rows) {
    const whole = JSON.stringify(extractToolCalls(row.text, optionsOf(row)));
    const length = row.text.length;
    const step = Math.max(1, Math.floor(length / maxSplits));
    const cutLists = [];
    for (let cut = 1; cut < length; cut += step) cutLists.push([cut]);
    for (const size of [1, 2, 3, 7, 23])
      if (length < 6000)
        cutLists.push(Array.from({ length: Math.floor((length - 1) / size) }, (_, k) => (k + 1) * size));
    for (const cuts of cutLists) {
      runs += 1;
      const got = JSON.stringify(stream(row, cuts));
      if (got === whole) continue;
      differ += 1;
      if (differ <= 5)
        console.log(
          `  differs: ${row.id} cuts ${cuts.slice(0, 3)}\n    whole ${whole.slice(0, 500)}\n    split ${got.slice(0, 500)}`,
        );
    }
  }
  console.log(`split invariance: ${differ} of ${runs} splittings differ`);
}

/** How long text without calls is buffered, in deltas of four characters. */
function holdBack(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  let deltas = 0;
  let late = 0;
  let longest = 0;
  let longestPlainText = 0;
  for (const row of rows) {
    const plain = extractToolCalls(row.text, optionsOf(row)).matches.length === 0;
    const scanner = createLeakScanner(optionsOf(row));
    let given = 0;
    let out = 0;
    const ends: number[] = [];
    for (let at = 0; at < row.text.length; at += 4) {
      const delta = row.text.slice(at, at + 4);
      given += delta.length;
      ends.push(given);
      for (const event of scanner.push(delta)) if (event.kind === "text") out += event.text.length;
      deltas += 1;
      longest = Math.max(longest, given - out);
      if (plain) longestPlainText = Math.max(longestPlainText, given - out);
      // The previous delta must have been emitted by now.
      if (ends.length > 1 && out < (ends.at(-2) as number)) late += 1;
    }
    scanner.end();
  }
  console.log(
    `buffering: ${percent(deltas - late, deltas)} of ${deltas} deltas emitted with their push or the next, at most ${longest} characters buffered, ${longestPlainText} in texts without an opener`,
  );
}

const cases = load(values.cases);
const texts = load(values.negatives);
evaluate("cases", cases);
evaluate("policy rows (a choice, not a score)", load(values.policy));
negatives(texts);
echoes(cases);
harmless(cases);
holdBack(texts);
if (Number(values.splits) > 0) splitInvariance([...cases, ...texts]);
