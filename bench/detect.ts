/**
 * The cost of classification, against `JSON.parse` of a JSON string of the same text, in one process. Texts are
 * generated from a fixed seed; kinds, sizes and the share of failures follow what coding agents send. Alone: `node
 * bench/detect.ts [rows.jsonl]`; rows of real results have `tool_name`, `arguments` and `content`.
 */

import { readFileSync } from "node:fs";
import { classifyToolResult } from "../src/core/detect/index.ts";
import type { CoreRow } from "./core-row.ts";
import { createRandom } from "./frame/random.ts";

interface Sample {
  readonly text: string;
  readonly json: string;
  readonly call: { readonly name: string; readonly arguments: unknown };
}

const WORDS =
  "const value return import from list index page result query name total config update render table string number state token cache worker stream buffer line".split(
    " ",
  );

function prose(next: () => number, length: number): string {
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const word = WORDS[Math.floor(next() * WORDS.length)] ?? "x";
    const gap = next() < 0.12 ? "\n" : " ";
    parts.push(word, gap);
    size += word.length + 1;
  }
  return parts.join("").slice(0, length);
}

/** Sizes spread like those of real results: half below 600 characters, few above 10,000. */
function size(next: () => number, typical: number): number {
  return Math.min(20_000, Math.max(20, Math.round(typical * Math.exp(1.1 * (next() + next() + next() - 1.5)))));
}

function makeSamples(count: number): readonly Sample[] {
  const next = createRandom(20_260_101);
  return Array.from({ length: count }, (_, index) => {
    const roll = next();
    const sample = roll < 0.11 ? failure(next, index) : success(next, roll);
    const json = JSON.stringify(sample.text);
    // Parsed, as the text of a request is: a text that was joined and cut here is a view of another one, and slower.
    return { ...sample, json, text: JSON.parse(json) as string };
  });
}

function success(next: () => number, roll: number): Omit<Sample, "json"> {
  if (roll < 0.26) {
    return { text: prose(next, size(next, 900)), call: { name: "bash", arguments: { command: "npm run build" } } };
  }
  if (roll < 0.42) {
    return {
      text: `Successfully replaced text in src/${prose(next, 60)}`,
      call: { name: "edit", arguments: { path: "a" } },
    };
  }
  if (roll < 0.56) {
    return { text: prose(next, size(next, 4500)), call: { name: "read", arguments: { path: "a" } } };
  }
  if (roll < 0.8) {
    const rows = Array.from({ length: 1 + Math.floor(next() * 12) }, (_, id) => ({
      id,
      name: prose(next, 30),
      price: next() * 100,
    }));
    return {
      text: JSON.stringify({ status: "available", rows }),
      call: { name: "list_flights", arguments: { id: 3 } },
    };
  }
  return { text: prose(next, size(next, 1000)), call: { name: "get_summary", arguments: { id: 3 } } };
}

function failure(next: () => number, index: number): Omit<Sample, "json"> {
  const shell = { name: "bash", arguments: { command: "npm test" } };
  switch (index % 5) {
    case 0:
      return { text: `${prose(next, size(next, 800))}\n\nCommand exited with code 1`, call: shell };
    case 1:
      return {
        text: `Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n${prose(next, 200)}\nValueError: ${prose(next, 30)}`,
        call: shell,
      };
    case 2:
      return { text: `Error executing tool list: ${prose(next, 60)}`, call: { name: "list", arguments: {} } };
    case 3:
      return { text: JSON.stringify({ error: prose(next, 50), response: "" }), call: { name: "list", arguments: {} } };
    default:
      return {
        text: `Failed to fetch https://x.example/${prose(next, 20)} - status code 404`,
        call: { name: "fetch", arguments: { url: "x" } },
      };
  }
}

/** The best of several rounds: other programs only ever make a round slower. */
function bestMs(work: () => void, rounds: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = performance.now();
    work();
    best = Math.min(best, performance.now() - before);
  }
  return best;
}

let sink = 0;

function classifyAll(samples: readonly Sample[]): void {
  for (const { text, call } of samples) {
    sink += classifyToolResult({ callId: "c", content: text }, call).confidence;
  }
}

function parseAll(samples: readonly Sample[]): void {
  for (const { json } of samples) {
    sink += (JSON.parse(json) as string).length;
  }
}

/** Measures results against `JSON.parse` of the same texts. */
function perResult(name: string, samples: readonly Sample[]): CoreRow {
  for (let warm = 0; warm < 60; warm += 1) {
    classifyAll(samples);
    parseAll(samples);
  }
  let classifyMs = Number.POSITIVE_INFINITY;
  let parse = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 12; round += 1) {
    // Interleaved, so that a slow period of the machine affects both.
    classifyMs = Math.min(
      classifyMs,
      bestMs(() => classifyAll(samples), 3),
    );
    parse = Math.min(
      parse,
      bestMs(() => parseAll(samples), 3),
    );
  }
  return {
    name,
    value: (classifyMs * 1000) / samples.length,
    unit: "µs",
    reach: "≤ 1×",
    ratio: classifyMs / parse,
  };
}

/** Measures the detector; every row is a ratio taken in this run. */
export async function benchDetect(): Promise<readonly CoreRow[]> {
  const result = perResult("detect: per result, against JSON.parse of the same text", makeSamples(2000));
  const next = createRandom(7);
  const small = [large(next, 128 * 1024)];
  const big = [large(next, 2 * 1024 * 1024)];
  const smallMs = bestMs(() => repeat(small), 20);
  const bigMs = bestMs(() => repeat(big), 20);
  return [
    result,
    {
      name: "detect: a result of 2 MB, against one of 128 KB",
      value: (bigMs * 1000) / REPEATS,
      unit: "µs",
      reach: "≤ 1.2×",
      ratio: bigMs / smallMs,
    },
  ];
}

const REPEATS = 200;

function repeat(samples: readonly Sample[]): void {
  for (let count = 0; count < REPEATS; count += 1) {
    classifyAll(samples);
  }
}

function large(next: () => number, length: number): Sample {
  const text = JSON.parse(JSON.stringify(prose(next, length))) as string;
  return { text, json: "", call: { name: "bash", arguments: { command: "npm run build" } } };
}

/** Real results, one JSON object per line. */
function readSamples(path: string): readonly Sample[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => {
    const { tool_name: name, arguments: args, content } = JSON.parse(line);
    return { text: content, json: JSON.stringify(content), call: { name, arguments: args } };
  });
}

if (import.meta.filename === process.argv[1]) {
  const [, , path] = process.argv;
  const rows = path === undefined ? await benchDetect() : [perResult("detect: per real result", readSamples(path))];
  for (const row of rows) {
    console.log(`${row.name}: ${row.value.toFixed(2)} ${row.unit}, ${row.ratio.toFixed(2)}× (reach ${row.reach})`);
  }
  if (sink === 0) {
    process.exitCode = 1;
  }
}
