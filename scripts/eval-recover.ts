/** Measures recovery on cases with expected calls and on negatives. See docs/accuracy.md. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Json } from "../src/core/model/tool-call.ts";
import { collect } from "../src/core/recover/extract.ts";
import { createLeakScanner, extractToolCalls } from "../src/core/recover/index.ts";
import type { DeclaredTool, Extraction, RecoverOptions } from "../src/core/recover/types.ts";

interface Row {
  readonly id: string;
  readonly text: string;
  readonly source?: string;
  readonly format?: string;
  readonly kind?: string;
  readonly policy?: string;
  readonly tools?: readonly DeclaredTool[];
  readonly context?: readonly string[];
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

function load(file: string | undefined): readonly Row[] {
  if (file === undefined) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as Row);
}

/** A string that is JSON counts as that JSON, Python's literals as JSON's, outer white space not at all. */
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

/** A planted echo: the text of a case stands in what the model was given, plain and re-indented. */
function echoes(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  let called = 0;
  for (const row of rows) {
    const indented = row.text.replaceAll("\n", "\n    ");
    const quoted = row.text.replace(/^/gm, "> ");
    for (const given of [row.text, indented, quoted, JSON.stringify(row.text)]) {
      if (
        extractToolCalls(row.text, { ...optionsOf(row), context: [`The file says:\n${given}\n`] }).toolCalls.length > 0
      )
        called += 1;
    }
    if (extractToolCalls(indented, { ...optionsOf(row), context: [row.text] }).toolCalls.length > 0) called += 1;
  }
  console.log(`echoes: ${called} of ${rows.length * 5} planted quotations yield a call`);
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
  const most = Number(values.splits);
  let runs = 0;
  let differ = 0;
  for (const row of rows) {
    const whole = JSON.stringify(extractToolCalls(row.text, optionsOf(row)));
    const length = row.text.length;
    const step = Math.max(1, Math.floor(length / most));
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

/** How long text without calls is held back, in deltas of four characters. */
function holdBack(rows: readonly Row[]): void {
  if (rows.length === 0) return;
  let deltas = 0;
  let late = 0;
  let longest = 0;
  let longestPlain = 0;
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
      if (plain) longestPlain = Math.max(longestPlain, given - out);
      // The delta before this one must be out by now.
      if (ends.length > 1 && out < (ends.at(-2) as number)) late += 1;
    }
    scanner.end();
  }
  console.log(
    `hold-back: ${percent(deltas - late, deltas)} of ${deltas} deltas out with their push or the next, longest hold ${longest} characters, ${longestPlain} in texts without an opener`,
  );
}

const cases = load(values.cases);
const texts = load(values.negatives);
evaluate("cases", cases);
evaluate("policy rows (a choice, not a score)", load(values.policy));
negatives(texts);
echoes(cases);
holdBack(texts);
if (Number(values.splits) > 0) splitInvariance([...cases, ...texts]);
