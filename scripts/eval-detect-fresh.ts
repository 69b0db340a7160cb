/**
 * Measures the detector on rows that it has never seen: `node scripts/eval-detect-fresh.ts rows.jsonl [--wrong]`. Rows
 * are JSON objects with `id`, `tool_name`, `arguments`, `content`, `truth` or `label` (`failed` | `ok` | `unknown`), for
 * failures `category`, `alternatives` or `category_alternatives` and `fact`, the text that a helpful message contains,
 * and perhaps `family` and `language`. `--wrong` prints the rows that are wrong: use it only after the figures of the
 * first contact are written down.
 */
import { parseArgs } from "node:util";
import { classifyToolResult, formatStatusMessage } from "../src/core/detect/index.ts";
import type { Outcome } from "../src/core/model/outcome.ts";
import { readRows } from "./detect-training.ts";

/** A row as its writer shaped it. */
interface WrittenRow {
  readonly id: string;
  readonly family?: string;
  readonly language?: string;
  readonly tool_name: string;
  readonly arguments: unknown;
  readonly content: string;
  readonly truth?: FreshRow["truth"];
  readonly label?: FreshRow["truth"];
  readonly category?: string | null;
  readonly alternatives?: readonly string[] | null;
  readonly category_alternatives?: readonly string[] | null;
  readonly fact?: string | null;
}

interface FreshRow {
  readonly id: string;
  readonly family: string;
  readonly language: string;
  readonly tool_name: string;
  readonly arguments: unknown;
  readonly content: string;
  readonly truth: "failed" | "ok" | "unknown";
  readonly category: string | null;
  readonly alternatives: readonly string[];
  readonly fact: string | null;
}

const ZERO = {
  rows: 0,
  found: 0,
  missed: 0,
  alarms: 0,
  strict: 0,
  alternative: 0,
  facts: 0,
  factRows: 0,
  unknown: 0,
  unknownRows: 0,
};
type Counts = typeof ZERO;
const zero = (): Counts => ({ ...ZERO });

/** Names of categories that writers of rows used, and the project's name for the same (docs/categories.md). */
const OWN_NAMES: Readonly<Record<string, string>> = {
  build_failed: "build_failure",
  tests_failed: "test_failure",
  conflict: "precondition",
  overloaded: "http_server_error",
};

const ownName = (category: string): string => OWN_NAMES[category] ?? category;

/** A row in the project's own names. */
function readRow(row: WrittenRow): FreshRow {
  const truth = row.truth ?? row.label;
  if (truth === undefined) {
    throw new Error(`${row.id} has neither "truth" nor "label"`);
  }
  return {
    id: row.id,
    family: row.family ?? "–",
    language: row.language ?? "–",
    tool_name: row.tool_name,
    arguments: row.arguments,
    content: row.content,
    truth,
    category: typeof row.category === "string" ? ownName(row.category) : null,
    alternatives: (row.alternatives ?? row.category_alternatives ?? []).map(ownName),
    fact: row.fact ?? null,
  };
}

/** A soft failure is found too: the text reports it. */
const reports = ({ status, soft }: Outcome): boolean => status === "failed" || soft;

function statusMessage(outcome: Outcome, tool: string): string {
  return formatStatusMessage({ ...outcome, status: "failed" }, tool) ?? "";
}

const hasFact = (fact: string, message: string): boolean => message.toLowerCase().includes(fact.toLowerCase());

function count(into: Counts, row: FreshRow, outcome: Outcome): void {
  into.rows += 1;
  const found = reports(outcome);
  if (row.truth !== "failed") {
    into.alarms += found ? 1 : 0;
    into.unknownRows += row.truth === "unknown" ? 1 : 0;
    into.unknown += row.truth === "unknown" && outcome.status === "unknown" ? 1 : 0;
    return;
  }
  if (!found) {
    into.missed += 1;
    return;
  }
  into.found += 1;
  const isStrict = outcome.category === row.category;
  into.strict += isStrict ? 1 : 0;
  into.alternative += isStrict || row.alternatives.includes(outcome.category ?? "") ? 1 : 0;
  if (row.fact !== null && row.fact !== "") {
    into.factRows += 1;
    into.facts += hasFact(row.fact, statusMessage(outcome, row.tool_name)) ? 1 : 0;
  }
}

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(3));

function line(name: string, counts: Counts): string {
  const { found, missed, alarms } = counts;
  return [
    `| ${name} | ${counts.rows} | ${share(2 * found, 2 * found + missed + alarms)}`,
    `${found} / ${missed} / ${alarms}`,
    share(counts.strict, found),
    share(counts.alternative, found),
    share(counts.facts, counts.factRows),
    `${counts.unknown} of ${counts.unknownRows} |`,
  ].join(" | ");
}

function printWrong(row: FreshRow, outcome: Outcome): void {
  const isFound = reports(outcome);
  const isFailure = row.truth === "failed";
  const message = statusMessage(outcome, row.tool_name);
  const faults = [
    isFound === isFailure ? "" : isFailure ? "MISSED" : "ALARM",
    isFound && isFailure && outcome.category !== row.category
      ? `category ${outcome.category}, not ${row.category} ${JSON.stringify(row.alternatives)}`
      : "",
    isFound && isFailure && row.fact !== null && !hasFact(row.fact, message) ? `no "${row.fact}"` : "",
    row.truth === "unknown" && outcome.status !== "unknown" ? `unknown is ${outcome.status}` : "",
  ].filter((fault) => fault !== "");
  if (faults.length > 0) {
    console.log(
      `\n${row.id} ${row.language} ${row.tool_name} ${JSON.stringify(row.arguments).slice(0, 160)}\n  ${faults.join("; ")}\n  ${message} <${outcome.evidence.at(-1)?.rule} ${outcome.confidence}>\n  ${JSON.stringify(row.content.slice(0, 500))}${row.content.length > 500 ? ` … ${JSON.stringify(row.content.slice(-200))}` : ""}`,
    );
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { wrong: { type: "boolean", default: false } },
});
if (positionals[0] === undefined) {
  console.error("usage: node scripts/eval-detect-fresh.ts rows.jsonl [--wrong]");
  process.exit(2);
}
const groups = new Map<string, Counts>();
for (const row of readRows<WrittenRow>(positionals[0]).map(readRow)) {
  const call = { name: row.tool_name, arguments: row.arguments };
  const outcome = classifyToolResult({ callId: row.id, content: row.content }, call);
  for (const name of ["all", `family ${row.family}`, `language ${row.language}`]) {
    const counts = groups.get(name) ?? zero();
    groups.set(name, counts);
    count(counts, row, outcome);
  }
  if (values.wrong) {
    printWrong(row, outcome);
  }
}
console.log("| rows | n | F1 | found / missed / false alarms | category | or alternative | fact | unknown |");
console.log("|---|--:|--:|---|--:|--:|--:|---|");
for (const [name, counts] of [...groups].sort(([one], [other]) => one.localeCompare(other))) {
  console.log(line(name, counts));
}
