/**
 * Measures whether extraction acts on calls that were only repeated or mentioned, and whether it still repairs those
 * that were meant: `node scripts/eval-safety.ts [--cases FILE.jsonl] [--attacks FILE.jsonl] [--seed N] [--sample N]
 * [--json FILE] [--list]`.
 *
 * Cases are generated from the fixtures of test/support/safety, and from the rows of `--cases` (`text`, `tools`,
 * `expected_calls`). `--attacks` runs rows as they are (`text`, `tools`, `context`,
 * `expect`: `no-call` or `call`, `names?`).
 * `--sample` limits the number of cases per section. `--list` prints every failing case as a line of JSON.
 * Exits with 1 when an echo or a mention became a call or changed, or when less than 98 % are repaired.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  type CaseRow,
  type CollectedLeaks,
  collectFixtureLeaks,
  collectRowLeaks,
} from "../test/support/safety/collect-leaks.ts";
import { echoCases } from "../test/support/safety/echoes.ts";
import { extract } from "../test/support/safety/extract.ts";
import { mentionCases } from "../test/support/safety/mentions.ts";
import { repairCases } from "../test/support/safety/repairs.ts";
import { type Counts, type Failure, runSpace, type SectionResult } from "../test/support/safety/run-cases.ts";
import type { ContextItem, Section, Tool } from "../test/support/safety/safety-case.ts";

const MIN_REPAIRED_SHARE = 0.98;

interface AttackRow {
  readonly id: string;
  readonly why: string;
  readonly text: string;
  readonly tools: readonly Tool[];
  readonly context?: readonly ContextItem[];
  readonly expect: "no-call" | "call";
  /** With `call`: the names that must be extracted, in order. */
  readonly names?: readonly string[];
}

const { values } = parseArgs({
  options: {
    cases: { type: "string" },
    attacks: { type: "string" },
    seed: { type: "string", default: "1" },
    sample: { type: "string" },
    json: { type: "string" },
    list: { type: "boolean", default: false },
  },
});
const seed = readCount("--seed", values.seed);
const sample = values.sample === undefined ? undefined : readCount("--sample", values.sample);
const report: Record<string, unknown> = { seed, sample: sample ?? null };
let passed = true;

function readCount(option: string, text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 0) {
    console.error(`${option} must be a whole number, not "${text}".`);
    process.exit(2);
  }
  return count;
}

function readRows<Row>(file: string): Row[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Row);
}

const percent = (part: number, whole: number): string => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(2)} %`);

function addUp(counts: Iterable<Counts>): Counts {
  const sum = { run: 0, failed: 0 };
  for (const { run, failed } of counts) {
    sum.run += run;
    sum.failed += failed;
  }
  return sum;
}

/** Prints failed/run for each row and column, and the totals in the last row. */
function printTable(title: string, table: SectionResult["byFormat"], order: "name" | "failures"): void {
  const columns = [...new Set([...table.values()].flatMap((row) => [...row.keys()]))];
  const total = (row: Map<string, Counts>): Counts => addUp(row.values());
  const rows = [...table].sort(([a, left], [b, right]) =>
    order === "name" ? (a < b ? -1 : 1) : total(right).failed - total(left).failed,
  );
  const totals = new Map(
    columns.map((column) => [column, addUp(rows.flatMap(([, row]) => row.get(column) ?? []))] as const),
  );
  const cell = (counts: Counts | undefined): string => (counts === undefined ? "" : `${counts.failed}/${counts.run}`);
  console.log(`| ${title} | ${columns.join(" | ")} | all |`);
  console.log(`|---|${"--:|".repeat(columns.length + 1)}`);
  for (const [name, row] of [...rows, ["**all**", totals] as const]) {
    console.log(`| ${name} | ${columns.map((column) => cell(row.get(column))).join(" | ")} | ${cell(total(row))} |`);
  }
  console.log();
}

/** There are many details: prints one column, without those that never failed. */
function printDetails(title: string, table: SectionResult["byDetail"]): void {
  const failing = [...table]
    .map(([detail, checks]) => ({ detail: detail.replaceAll("\n", " "), ...addUp(checks.values()) }))
    .filter(({ failed }) => failed > 0)
    .sort((a, b) => b.failed - a.failed);
  console.log(`| ${title} (only failing) | failed/run |\n|---|--:|`);
  for (const { detail, run, failed } of failing) console.log(`| ${detail} | ${failed}/${run} |`);
  console.log();
}

function listFailure({ case: one, reason, got }: Failure): void {
  if (!values.list) return;
  const { section, format, check, detail, leak, text, context } = one;
  console.log(JSON.stringify({ section, reason, format, check, detail, leak, text, context, got }));
}

/** Mentions are grouped by container and by frame; their detail names both. */
function splitDetail(table: SectionResult["byDetail"], part: number): SectionResult["byDetail"] {
  const split: SectionResult["byDetail"] = new Map();
  for (const [detail, checks] of table) {
    const name = detail.split(" · ")[part] ?? detail;
    const row = split.get(name) ?? new Map<string, Counts>();
    split.set(name, row);
    for (const [check, { run, failed }] of checks) {
      row.set(check, addUp([{ run, failed }, row.get(check) ?? { run: 0, failed: 0 }]));
    }
  }
  return split;
}

const asObject = (table: SectionResult["byFormat"]): unknown =>
  Object.fromEntries([...table].map(([row, columns]) => [row, Object.fromEntries(columns)]));

function runSections(name: string, { leaks, tried, missed }: CollectedLeaks): void {
  console.log(`# ${name}: ${leaks.length} of ${tried} leaks are extracted as a whole message and are used\n`);
  if (leaks.length === 0) return;
  const results: Partial<Record<Section, unknown>> = {};
  for (const space of [echoCases(leaks, seed), mentionCases(leaks, seed), repairCases(leaks, seed)]) {
    const reasons = new Map<string, number>();
    const started = performance.now();
    const result = runSpace(space, {
      seed,
      sample,
      onFailure: (failure) => {
        reasons.set(failure.reason, (reasons.get(failure.reason) ?? 0) + 1);
        listFailure(failure);
      },
    });
    const seconds = (performance.now() - started) / 1000;
    const { run, failed } = result.counts;
    const why = [...reasons].map(([reason, count]) => `${reason} ${count}`).join(", ");
    console.log(
      `## ${name}, ${space.section}: ${failed} of ${run} failed (${percent(failed, run)}) in ${seconds.toFixed(1)} s`,
    );
    console.log(`${why === "" ? "No failures." : `Reasons: ${why}.`}\n`);
    printTable("format", result.byFormat, "name");
    if (space.section === "mention") {
      printDetails("container", splitDetail(result.byDetail, 0));
      printDetails("frame", splitDetail(result.byDetail, 1));
    } else if (space.section === "echo") {
      printTable("shown as", result.byDetail, "failures");
    } else {
      printDetails("situation", result.byDetail);
    }
    if (space.section === "repair" ? run - failed < MIN_REPAIRED_SHARE * run : failed > 0) passed = false;
    results[space.section] = {
      run,
      failed,
      reasons: Object.fromEntries(reasons),
      byFormat: asObject(result.byFormat),
      byDetail: asObject(result.byDetail),
    };
  }
  report[name] = { tried, extracted: leaks.length, missed, ...results };
}

function runAttacks(rows: readonly AttackRow[]): void {
  const failing = rows.flatMap((row) => {
    const { calls, content } = extract(row.text, row.tools, row.context ?? []);
    const names = calls.map(({ name }) => name);
    const right =
      row.expect === "no-call"
        ? names.length === 0 && content === row.text
        : names.length > 0 && (row.names === undefined || names.join() === row.names.join());
    return right ? [] : [{ id: row.id, why: row.why, expect: row.expect, calls }];
  });
  console.log(`# Attacks: ${failing.length} of ${rows.length} failed\n`);
  for (const { id, why, expect } of failing) console.log(`- ${id} (${expect} expected): ${why}`);
  console.log();
  if (failing.length > 0) passed = false;
  report.attacks = { run: rows.length, failed: failing };
}

runSections("Fixtures", collectFixtureLeaks());
if (values.cases !== undefined) runSections("Case file", collectRowLeaks(readRows<CaseRow>(values.cases)));
if (values.attacks !== undefined) runAttacks(readRows<AttackRow>(values.attacks));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 1)}\n`);
process.exitCode = passed ? 0 : 1;
