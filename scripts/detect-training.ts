/** Rows and training of the wording model; used by `train-detect.ts` and `eval-detect.ts`. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { commandOf } from "../src/core/detect/call/shell-command.ts";
import { toolKind } from "../src/core/detect/call/tool-kind.ts";
import { openEnvelopes } from "../src/core/detect/structure/envelope.ts";
import { looksStructured, printedText } from "../src/core/detect/structure/json-rules.ts";
import { findHarnessSentence } from "../src/core/detect/text/harness-sentences.ts";
import { findOpening } from "../src/core/detect/text/openings.ts";
import { findUsageText, showsWordsOfOthers } from "../src/core/detect/text/own-complaint.ts";
import { bodyWithoutMarker } from "../src/core/detect/text/read-text.ts";
import { findSummary } from "../src/core/detect/text/summaries.ts";
import { type TextWindow, textWindow } from "../src/core/detect/text/text-window.ts";
import { findTraceback } from "../src/core/detect/text/traceback.ts";
import { addFacts } from "../src/core/detect/wording/facts.ts";
import { collectFeatures, createFeatures, FEATURE_BITS } from "../src/core/detect/wording/features.ts";
import { FAILED_FROM, wordingContext } from "../src/core/detect/wording/read-wording.ts";
import { DETECT_AREAS, DETECT_BATCHES } from "../test/support/detect-rows.ts";

/** One text with its truth. */
export interface Example {
  readonly id: string;
  /** Left out as a whole when the model is measured: a program family, a batch, the project's own files. */
  readonly group: string;
  readonly failed: boolean;
  readonly weight: number;
  readonly ids: Int32Array;
  /** A format decides before the model is asked. */
  readonly decided: boolean;
  /** Some line could report a failure; otherwise the model is not asked. */
  readonly possible: boolean;
}

export interface LabRow {
  readonly id: string;
  readonly family: string;
  readonly program: string;
  readonly breakage: string;
  readonly language: string;
  readonly tool_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly status_shown: "shown" | "hidden" | "masked";
  readonly label: "ok" | "error" | "unknown";
  readonly category: string | null;
  readonly also: readonly string[];
  readonly fact: string;
}

export function readRows<Row>(path: string): readonly Row[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

/** The same generator as in the benchmarks: deterministic, so that the weights can be rebuilt. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const features = createFeatures();

/** The part of a text that the model judges; undefined where a format decides. */
function wordingWindow(text: string, tool: string | undefined, args: unknown): TextWindow | undefined {
  const { window } = openEnvelopes(text);
  if (looksStructured(window)) {
    const printed = printedText(window);
    return printed === undefined ? undefined : textWindow(printed);
  }
  const body = bodyWithoutMarker(window, toolKind(tool, args));
  return body.start < body.end ? body : undefined;
}

export function createExample(
  { id, group, failed, weight }: Pick<Example, "id" | "group" | "failed" | "weight">,
  text: string,
  tool: string | undefined,
  args: unknown,
): Example | undefined {
  const window = wordingWindow(text, tool, args);
  if (window === undefined) {
    return undefined;
  }
  const command = commandOf(args);
  const context = wordingContext({ kind: toolKind(tool, args), toolName: tool, command });
  collectFeatures(features, window.text, window.start, window.end, context);
  const possible = addFacts(features, window, context);
  const { kind } = context;
  const shows =
    kind === "shell" && window.text.slice(window.start, window.end).includes("\n") && showsWordsOfOthers(command);
  if (shows) {
    return undefined;
  }
  const decided =
    findHarnessSentence(window, kind) !== undefined ||
    ((kind === "shell" || kind === "api") && findTraceback(window) !== undefined) ||
    findOpening(window, kind) !== undefined ||
    (kind === "shell" && (findSummary(window) ?? findUsageText(window, command)) !== undefined);
  return { id, group, failed, weight, decided, possible, ids: features.ids.slice(0, features.count) };
}

export function labExamples(rows: readonly LabRow[]): readonly Example[] {
  const known = rows.filter(({ label }) => label !== "unknown");
  const caseOf = (row: LabRow): string => `${row.family}/${row.program}/${row.breakage}/${row.language}`;
  const sizes = Map.groupBy(known, caseOf);
  return known.flatMap((row) => {
    // Rows of one case resemble each other; together they count as the root of their number.
    const weight = 1 / Math.sqrt(sizes.get(caseOf(row))?.length ?? 1);
    // Catalogs differ by language more than by program, so that each language is a group of its own.
    const group = row.family === "catalogs" ? `lab catalogs ${row.language}` : `lab ${row.family}`;
    const facts = { id: row.id, group, failed: row.label === "error", weight };
    return createExample(facts, row.content, row.tool_name, row.arguments) ?? [];
  });
}

const DEBATABLE_WEIGHT = 0.3;

export function areaExamples(): readonly Example[] {
  return [...DETECT_AREAS].flatMap(([area, rows]) =>
    rows.flatMap(({ text, tool, args, failed }, index) => {
      const facts = { id: `${area}/${index}`, group: `area ${area}`, failed: failed !== undefined, weight: 1 };
      return createExample(facts, text, tool, args) ?? [];
    }),
  );
}

export function fixtureExamples(): readonly Example[] {
  return DETECT_BATCHES.flatMap((batch, number) =>
    batch.flatMap((row, index) => {
      const facts = {
        id: `batch-${number + 1}/${index}`,
        group: `batch ${number + 1}`,
        failed: row.failed !== undefined,
        weight: row.debatable === true ? DEBATABLE_WEIGHT : 1,
      };
      return createExample(facts, row.text, row.tool, row.args) ?? [];
    }),
  );
}

const SHOWING: readonly (readonly [string, (path: string) => Readonly<Record<string, unknown>>])[] = [
  ["read_file", (path) => ({ path })],
  ["view", (path) => ({ path })],
  ["bash", (path) => ({ command: `cat ${path}` })],
  ["bash", (path) => ({ command: `sed -n 1,80p ${path}` })],
  ["bash", (path) => ({ command: `npm run ${path.split("/").at(-1)}` })],
  ["python", (path) => ({ code: `print(open('${path}').read())` })],
];
const ANSWERING: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["fetch", { url: "https://a.example/x" }],
  ["get_document", { id: 3 }],
  ["search_docs", { query: "x" }],
  ["summarize", { id: 2 }],
  ["get_page_content", { page: 1 }],
  ["list_items", {}],
  ["edit", { path: "a" }],
  ["web_search", { query: "x" }],
  ["run_report", {}],
  ["ask_model", {}],
  ["browser_snapshot", {}],
  ["create_note", {}],
  ["task", { prompt: "x" }],
];

/** Ordinary forms of answers, made from lines of a file. */
const FORMS: readonly ((lines: readonly string[], path: string) => readonly string[])[] = [
  (lines, path) => lines.map((line, index) => `${path}:${index + 3}:${line}`),
  (lines, path) => lines.map((line, index) => `${path.slice(0, path.lastIndexOf("/") + 1)}${wordOf(line)}-${index}.ts`),
  (lines) => lines.flatMap((line) => [`- name: ${wordOf(line)}`, `  description: ${line.trim()}`, "  type: string"]),
  (lines) =>
    lines.flatMap((line, index) => [
      `Result ${index + 1}:`,
      line.trim().slice(0, 80),
      `https://a.example/${index}`,
      "",
    ]),
  (lines) => lines.map((line, index) => `${wordOf(line)}: ${index * 7 + 3}`),
  (lines) => [
    lines
      .map((line) => line.trim())
      .join(" ")
      .slice(0, 200),
  ],
  (lines) => [firstSentence(lines)],
  (lines) => ["success: true", ...lines.map((line) => `${wordOf(line)}: ${line.trim()}`)],
  (lines) => [
    `${wordOf(lines[0] ?? "")} ${wordOf(lines[1] ?? "item")}_17 added to ${wordOf(lines[2] ?? "list")} with value 20.`,
  ],
  (lines) => [`Title: ${lines[0]?.trim() ?? ""}`, `Author: ${wordOf(lines[1] ?? "")}`, "", ...lines],
];

/** The first sentence of a passage: a result that only states something. */
function firstSentence(lines: readonly string[]): string {
  const text = lines.map((line) => line.replace(/^[\s*/#>|-]+/, "").trim()).join(" ");
  return text.split(/(?<=[.!?])\s/, 2)[0]?.slice(0, 160) ?? "";
}

function wordOf(line: string): string {
  return /[A-Za-z]{4,14}/.exec(line)?.[0] ?? "value";
}

const OWN_FILES = "own files";
/** The commit whose files are shown. Fixed, so that the weights can be rebuilt. */
const OWN_COMMIT = "6474790";

/** The project's own files at one commit, shown by reading tools and programs: ordinary texts that report nothing. */
export function ownExamples(commit: string = OWN_COMMIT, weight: number = 1): readonly Example[] {
  const git = (...args: string[]): string => execFileSync("git", args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const paths = git(
    "ls-tree",
    "-r",
    "--name-only",
    commit,
    "docs",
    "src",
    "test",
    "dashboard/src",
    "examples",
    "deploy",
  )
    .split("\n")
    .filter((path) => /\.(?:md|tsx?|html|ya?ml|service)$/.test(path));
  const next = createRandom(11);
  const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(next() * list.length)] as Item;
  return paths.flatMap((path) => {
    const text = git("show", `${commit}:${path}`);
    const lines = text.split("\n");
    return Array.from({ length: Math.min(10, 2 + Math.floor(text.length / 2500)) }, (_, part) => {
      const from = Math.floor(next() * lines.length);
      const passage = lines.slice(from, from + Math.floor(Math.exp(next() * 4.2)));
      const shown = (next() < 0.5 ? passage : pick(FORMS)(passage, path)).join("\n").trim();
      const showing = !path.endsWith(".md") || next() < 0.4;
      const [tool, makeArgs] = pick(SHOWING);
      const [answering, fixed] = pick(ANSWERING);
      const facts = { id: `${path}/${part}`, group: OWN_FILES, failed: false, weight };
      return shown.length < 20
        ? []
        : (createExample(facts, shown, showing ? tool : answering, showing ? makeArgs(path) : fixed) ?? []);
    }).flat();
  });
}

export interface Model {
  readonly weights: Float64Array;
  readonly bias: number;
}

export interface TrainingOptions {
  readonly epochs: number;
  readonly rate: number;
  readonly decay: number;
  readonly seed: number;
  /** How many features keep a weight: the size of the model. */
  readonly kept: number;
}

export const TRAINING: TrainingOptions = { epochs: 8, rate: 0.5, decay: 2e-5, seed: 7, kept: 32_600 };

const SIZE = 1 << FEATURE_BITS;

/** Trains with all features, and again with those that turned out to matter. */
export function trainModel(examples: readonly Example[], options: TrainingOptions): Model {
  const { weights } = fitModel(examples, options);
  const counts = new Float64Array(SIZE);
  for (const { ids, weight } of examples) {
    for (const id of ids) {
      counts[id] = (counts[id] as number) + weight;
    }
  }
  const worth = weights.map((weight, id) => Math.abs(weight) * (counts[id] as number) ** COUNT_POWER);
  const least = Float64Array.from(worth).sort()[SIZE - options.kept] as number;
  const kept = examples.map((example) => ({
    ...example,
    ids: example.ids.filter((id) => (worth[id] as number) > least),
  }));
  return fitModel(kept, options, examples);
}

/** How much the number of examples with a feature counts beside its weight. */
const COUNT_POWER = 0.25;

/**
 * Logistic regression by stochastic gradient descent with AdaGrad step sizes. A score is divided by the root of the
 * number of features of the whole example.
 */
function fitModel(
  examples: readonly Example[],
  { epochs, rate, decay, seed }: TrainingOptions,
  whole: readonly Example[] = examples,
): Model {
  const weights = new Float64Array(SIZE);
  const squares = new Float64Array(SIZE).fill(0.01);
  let bias = 0;
  let biasSquares = 0.01;
  const next = createRandom(seed);
  const order = examples.map((_, index) => index);
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (let index = order.length - 1; index > 0; index -= 1) {
      const other = Math.floor(next() * (index + 1));
      [order[index], order[other]] = [order[other] as number, order[index] as number];
    }
    for (const index of order) {
      const { ids, failed, weight } = examples[index] as Example;
      const norm = 1 / Math.sqrt((whole[index] as Example).ids.length);
      let score = bias;
      for (const id of ids) {
        score += (weights[id] as number) * norm;
      }
      const error = (1 / (1 + Math.exp(-score)) - (failed ? 1 : 0)) * weight;
      for (const id of ids) {
        const gradient = error * norm + decay * (weights[id] as number);
        squares[id] = (squares[id] as number) + gradient * gradient;
        weights[id] = (weights[id] as number) - (rate * gradient) / Math.sqrt(squares[id] as number);
      }
      biasSquares += error * error;
      bias -= (rate * error) / Math.sqrt(biasSquares);
    }
  }
  return { weights, bias };
}

export function scoreExample({ weights, bias }: Model, { ids }: Example): number {
  let sum = 0;
  for (const id of ids) {
    sum += weights[id] as number;
  }
  return sum / Math.sqrt(ids.length) + bias;
}

/** Scores every example with a model that was trained without its group. */
function scoreLeftOut(examples: readonly Example[], options: TrainingOptions): ReadonlyMap<Example, number> {
  const scores = new Map<Example, number>();
  for (const group of new Set(examples.map((one) => one.group))) {
    if (group === OWN_FILES) {
      continue;
    }
    const model = trainModel(
      examples.filter((one) => one.group !== group),
      options,
    );
    for (const example of examples) {
      if (example.group === group) {
        scores.set(example, scoreExample(model, example));
      }
    }
  }
  return scores;
}

/** Platt scaling: fits a logistic curve to the scores of left-out examples. */
export function calibrate(scores: readonly (readonly [Example, number])[]): readonly [number, number] {
  let slope = 1;
  let shift = 0;
  for (let step = 0; step < 400; step += 1) {
    let slopeGradient = 0;
    let shiftGradient = 0;
    let total = 0;
    for (const [{ failed, weight }, score] of scores) {
      const error = (1 / (1 + Math.exp(-(slope * score + shift))) - (failed ? 1 : 0)) * weight;
      slopeGradient += error * score;
      shiftGradient += error;
      total += weight;
    }
    slope -= (1.5 * slopeGradient) / total;
    shift -= (1.5 * shiftGradient) / total;
  }
  return [Math.round(slope * 1000) / 1000, Math.round(shift * 1000) / 1000];
}

/** Trains without one group at a time, prints the figures of each group, and returns the calibration. */
export function measureLeftOut(examples: readonly Example[]): readonly [number, number] {
  const scores = [...scoreLeftOut(examples, TRAINING)];
  const [slope, shift] = calibrate(scores.filter(([{ decided, possible }]) => !decided && possible));
  const figures = (isIn: (group: string) => boolean): string => {
    let found = 0;
    let alarms = 0;
    let missed = 0;
    for (const [example, score] of scores) {
      if (isIn(example.group)) {
        const probability = 1 / (1 + Math.exp(-(slope * score + shift)));
        const failed = example.decided || (example.possible && probability >= FAILED_FROM);
        found += failed && example.failed ? 1 : 0;
        alarms += failed && !example.failed ? 1 : 0;
        missed += !failed && example.failed ? 1 : 0;
      }
    }
    return `${((2 * found) / (2 * found + alarms + missed)).toFixed(3)} | ${found} / ${missed} / ${alarms} |`;
  };
  console.log("\n| left out of the training | F1 | found / missed / false alarms |\n|---|--:|---|");
  for (const group of new Set(scores.map(([example]) => example.group))) {
    console.log(`| ${group} | ${figures((name) => name === group)}`);
  }
  console.log(`| all families of the laboratory | ${figures((name) => name.startsWith("lab"))}`);
  console.log(`| all batches of fixtures | ${figures((name) => name.startsWith("batch"))}`);
  console.log(`| all areas | ${figures((name) => name.startsWith("area"))}`);
  console.log("\n| probability of a failure, left out | results | failed |\n|---|--:|--:|");
  const asked = scores.filter(([{ decided, possible }]) => !decided && possible);
  for (let low = 0; low < 10; low += 1) {
    const bin = asked.filter(
      ([, score]) => Math.min(9, Math.floor(10 / (1 + Math.exp(-(slope * score + shift))))) === low,
    );
    const failed = bin.filter(([example]) => example.failed).length;
    console.log(
      `| ${(low / 10).toFixed(1)} to ${((low + 1) / 10).toFixed(1)} | ${bin.length} | ${(failed / bin.length).toFixed(2)} |`,
    );
  }
  return [slope, shift];
}
