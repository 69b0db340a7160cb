/**
 * Measures the detector on labeled results: `node scripts/eval-detect.ts [rows.jsonl] [--lab rows.jsonl] [--left-out]
 * [--captures results.json] [--hooks folder] [--confusion]`. Rows are JSON objects with `source`, `tool_name`,
 * `arguments`, `content` and `label` (`ok` | `error`). The flag is hidden from the detector; `unknown` counts as not
 * failed. `--lab` measures rows of the laboratory by family, language and status; `--left-out` trains the wording model
 * without one family or batch at a time and measures it there. The dev corpus is never trained on, so every one of its
 * sources is left out.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ClientProfileName, classifyToolResult, type DetectApi } from "../src/core/detect/index.ts";
import type { Outcome } from "../src/core/model/outcome.ts";
import {
  areaExamples,
  fixtureExamples,
  type LabRow,
  labExamples,
  measureLeftOut,
  ownExamples,
  readRows,
} from "./detect-training.ts";
import { evaluateLab } from "./eval-detect-lab.ts";

interface Row {
  readonly source: string;
  readonly id: string;
  readonly tool_name: string | null;
  readonly arguments?: string | null;
  readonly content: string;
  readonly label: "ok" | "error";
}

interface ClassifiedRow {
  readonly row: Row;
  readonly outcome: Outcome;
  readonly rule: string;
}

interface Tally {
  readonly found: number;
  readonly missed: number;
  readonly falseAlarms: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    captures: { type: "string" },
    lab: { type: "string" },
    "left-out": { type: "boolean", default: false },
    hooks: { type: "string" },
    confusion: { type: "boolean", default: false },
  },
});

/** The published eight-substring heuristic, for comparison. */
function seedHeuristic(content: string): boolean {
  const head = content.slice(0, 100).toLowerCase();
  return ["error:", "failed:", "exception:", "traceback:", "not found:", "invalid:", "cannot ", "unable to"].some(
    (phrase) => head.includes(phrase),
  );
}

function parsed(text: string | null | undefined): unknown {
  if (typeof text !== "string") {
    return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function decidingRule(outcome: Outcome): string {
  return outcome.evidence.at(-1)?.rule ?? "none";
}

function classifyRow(row: Row): ClassifiedRow {
  const call = { ...(row.tool_name === null ? {} : { name: row.tool_name }), arguments: parsed(row.arguments) };
  const outcome = classifyToolResult({ callId: row.id, content: row.content }, call);
  return { row, outcome, rule: decidingRule(outcome) };
}

function tally(classified: readonly ClassifiedRow[], failed: (one: ClassifiedRow) => boolean): Tally {
  let found = 0;
  let missed = 0;
  let falseAlarms = 0;
  for (const one of classified) {
    const truth = one.row.label === "error";
    const predicted = failed(one);
    found += truth && predicted ? 1 : 0;
    missed += truth && !predicted ? 1 : 0;
    falseAlarms += !truth && predicted ? 1 : 0;
  }
  return { found, missed, falseAlarms };
}

function scores({ found, missed, falseAlarms }: Tally): { precision: number; recall: number; f1: number } {
  const precision = found + falseAlarms === 0 ? 1 : found / (found + falseAlarms);
  const recall = found + missed === 0 ? 1 : found / (found + missed);
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall) };
}

function line(name: string, counted: Tally): string {
  const { precision, recall, f1 } = scores(counted);
  const numbers = [precision, recall, f1].map((value) => value.toFixed(3).padStart(7)).join("");
  return `${name.padEnd(26)}${numbers}   found ${counted.found}, missed ${counted.missed}, false alarms ${counted.falseAlarms}`;
}

const isFailed = (one: ClassifiedRow): boolean => one.outcome.status === "failed";

function evaluateRows(path: string): void {
  const rows = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text) as Row);
  const classified = rows.map(classifyRow);
  const sources = [...new Set(rows.map((row) => row.source))];
  console.log(`${rows.length} results, ${rows.filter((row) => row.label === "error").length} failed\n`);
  console.log(`${"source".padEnd(26)}   prec.  recall     F1`);
  for (const source of sources) {
    console.log(
      line(
        source,
        tally(
          classified.filter((one) => one.row.source === source),
          isFailed,
        ),
      ),
    );
  }
  console.log(line("all", tally(classified, isFailed)));
  console.log(
    line(
      "seed heuristic",
      tally(classified, (one) => seedHeuristic(one.row.content)),
    ),
  );
  const macro = sources.map(
    (source) =>
      scores(
        tally(
          classified.filter((one) => one.row.source === source),
          isFailed,
        ),
      ).f1,
  );
  console.log(`mean F1 over sources      ${(macro.reduce((sum, f1) => sum + f1, 0) / macro.length).toFixed(3)}`);
  const ok = classified.filter((one) => one.row.label === "ok");
  const open = ok.filter((one) => one.outcome.status === "unknown");
  console.log(
    `\nunknown: ${open.length} of ${ok.length} ok rows (${((100 * open.length) / ok.length).toFixed(1)} %), ${classified.filter((one) => one.row.label === "error" && one.outcome.status === "unknown").length} failed rows`,
  );
  const soft = classified.filter((one) => one.outcome.soft);
  console.log(
    `soft: ${soft.length} (${soft.filter((one) => one.row.label === "error").length} of them labeled failed)`,
  );
  confusion(classified);
}

function confusion(classified: readonly ClassifiedRow[]): void {
  const wrong = classified.filter((one) => (one.row.label === "error") !== isFailed(one));
  const groups = Map.groupBy(
    wrong,
    (one) => `${one.row.label === "error" ? "missed" : "false alarm"}  ${one.row.source}  ${one.rule}`,
  );
  console.log(`\nconfusion: ${wrong.length} rows`);
  for (const [name, members] of [...groups].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`  ${String(members.length).padStart(3)}  ${name}`);
    if (values.confusion) {
      for (const { row, outcome } of members) {
        console.log(
          `         ${row.tool_name ?? "?"} ${outcome.category ?? ""} ${JSON.stringify(row.content.slice(0, 140))} … ${JSON.stringify(row.content.slice(-60))}`,
        );
      }
    }
  }
}

interface Capture {
  readonly client: string;
  readonly api: DetectApi;
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly result: string;
  readonly is_error: boolean | null;
  readonly truth: "failed" | "ok" | "ambiguous";
}

const CLIENTS: readonly ClientProfileName[] = ["claude-code", "codex", "opencode", "qwen-code", "gemini-cli", "ai-sdk"];

function evaluateCaptures(path: string): void {
  const rows = JSON.parse(readFileSync(path, "utf8")) as readonly Capture[];
  const table = new Map<string, Map<string, number>>();
  console.log("\ncaptured clients (truth → status)");
  for (const row of rows) {
    const client = CLIENTS.find((name) => row.client.startsWith(name)) ?? "plain";
    const call = {
      name: row.name,
      arguments: typeof row.args === "string" ? (parsed(row.args) ?? row.args) : row.args,
    };
    const flag = row.is_error === null ? {} : { isError: row.is_error };
    const outcome = classifyToolResult({ callId: row.id, content: row.result, ...flag }, call, {
      client,
      api: row.api,
    });
    const counts = table.get(row.client) ?? new Map<string, number>();
    const key = `${row.truth} → ${outcome.status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    table.set(row.client, counts);
    if (values.confusion && row.truth !== outcome.status) {
      console.log(
        `    ${row.client} ${row.name} ${key} ${decidingRule(outcome)} ${JSON.stringify(row.result.slice(0, 100))}`,
      );
    }
  }
  for (const [client, counts] of table) {
    console.log(
      `  ${client}: ${[...counts]
        .sort()
        .map(([key, count]) => `${key} ${count}`)
        .join(", ")}`,
    );
  }
}

interface Expected {
  readonly calls: Readonly<
    Record<
      string,
      {
        readonly tool: string;
        readonly failed: boolean;
        readonly phase: string;
        readonly category?: string;
        readonly also_acceptable?: readonly string[];
      }
    >
  >;
}

interface FollowUp {
  readonly tool_result?: readonly {
    readonly tool_use_id: string;
    readonly content: unknown;
    readonly is_error?: boolean;
  }[];
  readonly tool_use?: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
}

function evaluateHooks(folder: string): void {
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Expected;
  const lines = readdirSync(folder)
    .filter((name) => name.startsWith("followups"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").trim().split("\n"))
    .map((text) => JSON.parse(text) as FollowUp);
  const uses = new Map(lines.flatMap((one) => one.tool_use ?? []).map((use) => [use.id, use]));
  for (const hidden of [false, true]) {
    const counts = { failures: 0, found: 0, successes: 0, right: 0, category: 0, phase: 0 };
    for (const result of lines.flatMap((one) => one.tool_result ?? [])) {
      const truth = expected.calls[result.tool_use_id];
      const use = uses.get(result.tool_use_id);
      if (truth === undefined) {
        continue;
      }
      const flag = hidden || result.is_error === undefined ? {} : { isError: result.is_error };
      const call = { name: use?.name ?? truth.tool, arguments: use?.input };
      const outcome = classifyToolResult({ callId: result.tool_use_id, content: result.content, ...flag }, call, {
        client: "claude-code",
        ...(hidden ? {} : { api: "anthropic" as const }),
      });
      if (truth.failed) {
        counts.failures += 1;
        counts.found += outcome.status === "failed" ? 1 : 0;
        const right = [truth.category, ...(truth.also_acceptable ?? [])].includes(outcome.category);
        counts.category += right ? 1 : 0;
        counts.phase += outcome.phase === truth.phase ? 1 : 0;
        if (values.confusion && (outcome.status !== "failed" || !right || outcome.phase !== truth.phase)) {
          console.log(
            `    ${result.tool_use_id} ${outcome.status} ${outcome.category} (${truth.category}) ${outcome.phase} (${truth.phase}) ${decidingRule(outcome)} ${JSON.stringify(result.content).slice(0, 120)}`,
          );
        }
      } else {
        counts.successes += 1;
        counts.right += outcome.status === "ok" ? 1 : 0;
      }
    }
    console.log(
      `\nhook fixtures, ${hidden ? "flag hidden, text alone" : "with the flag"}: failures ${counts.found} of ${counts.failures}, successes ${counts.right} of ${counts.successes}, category ${counts.category} of ${counts.failures}, phase ${counts.phase} of ${counts.failures}`,
    );
  }
}

if (positionals[0] === undefined && values.lab === undefined) {
  console.error(
    "usage: node scripts/eval-detect.ts [rows.jsonl] [--lab rows.jsonl] [--left-out] [--captures results.json] [--hooks folder] [--confusion]",
  );
  process.exitCode = 2;
}
if (positionals[0] !== undefined) {
  evaluateRows(positionals[0]);
}
if (values.lab !== undefined) {
  evaluateLab(values.lab, values.confusion);
}
if (values["left-out"]) {
  const lab = values.lab === undefined ? [] : labExamples(readRows<LabRow>(values.lab));
  measureLeftOut([...lab, ...fixtureExamples(), ...areaExamples(), ...ownExamples()]);
}
if (values.captures !== undefined) {
  evaluateCaptures(values.captures);
}
if (values.hooks !== undefined) {
  evaluateHooks(values.hooks);
}
