/** Measures the detector on rows of the laboratory; see `eval-detect.ts`. */
import { classifyToolResult } from "../src/core/detect/index.ts";
import type { Outcome } from "../src/core/model/outcome.ts";
import { type LabRow, readRows } from "./detect-training.ts";

const ZERO = {
  rows: 0,
  found: 0,
  foundByStatus: 0,
  missed: 0,
  missedAsUnknown: 0,
  alarms: 0,
  alarmsByStatus: 0,
  category: 0,
  categoryRows: 0,
  alternative: 0,
  facts: 0,
  factRows: 0,
  unknown: 0,
  unknownRows: 0,
};
type Counts = typeof ZERO;
const zero = (): Counts => ({ ...ZERO });

/** A soft failure is found too: the status is hidden by the command, but the text reports it. */
const reports = ({ status, soft }: Outcome): boolean => status === "failed" || soft;

function count(into: Counts, row: LabRow, outcome: Outcome): void {
  const found = reports(outcome);
  const byStatus = outcome.status === "failed";
  into.rows += 1;
  if (row.label !== "error") {
    into.alarms += found ? 1 : 0;
    into.alarmsByStatus += byStatus ? 1 : 0;
    into.unknownRows += row.label === "unknown" ? 1 : 0;
    into.unknown += row.label === "unknown" && outcome.status === "unknown" ? 1 : 0;
    return;
  }
  into.foundByStatus += byStatus ? 1 : 0;
  if (!found) {
    into.missed += 1;
    into.missedAsUnknown += outcome.status === "unknown" ? 1 : 0;
    return;
  }
  into.found += 1;
  // Of a catalog's message only the status is known.
  into.categoryRows += row.category === null ? 0 : 1;
  const strict = outcome.category === row.category;
  into.category += strict ? 1 : 0;
  into.alternative += strict || row.also.includes(outcome.category ?? "") ? 1 : 0;
  if (row.fact !== "") {
    into.factRows += 1;
    into.facts += (outcome.message ?? "").includes(row.fact) ? 1 : 0;
  }
}

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(3));

function line(name: string, counts: Counts): string {
  const { found, missed, alarms } = counts;
  return [
    `| ${name} | ${counts.rows} | ${share(2 * found, 2 * found + missed + alarms)}`,
    `${found} / ${missed} / ${alarms}`,
    share(counts.category, counts.categoryRows),
    share(counts.alternative, counts.categoryRows),
    share(counts.facts, counts.factRows),
    `${counts.unknown} of ${counts.unknownRows} |`,
  ].join(" | ");
}

/** Prints what was found by family, language and status; with `confusion` every row that is wrong. */
export function evaluateLab(path: string, confusion: boolean): void {
  const groups = new Map<string, Counts>();
  const bins = new Map<string, { rows: number; right: number }>();
  for (const row of readRows<LabRow>(path)) {
    const call = { name: row.tool_name, arguments: row.arguments };
    const outcome = classifyToolResult({ callId: row.id, content: row.content }, call);
    for (const name of ["all", `family ${row.family}`, `language ${row.language}`, `status ${row.status_shown}`]) {
      const counts = groups.get(name) ?? zero();
      groups.set(name, counts);
      count(counts, row, outcome);
    }
    calibrate(bins, row, outcome);
    if (confusion && reports(outcome) !== (row.label === "error")) {
      const rules = outcome.evidence.map(({ rule, excerpt = "" }) => `${rule} ${excerpt.slice(0, 40)}`).join(", ");
      console.log(
        `${row.label === "error" ? "missed" : "false alarm"} ${row.id} ${JSON.stringify(row.content.slice(0, 120))} [${rules}]`,
      );
    }
  }
  console.log(
    "\n| laboratory | rows | F1 | found / missed / false alarms | category | or alternative | fact | unknown |",
  );
  console.log("|---|--:|--:|---|--:|--:|--:|---|");
  for (const [name, counts] of [...groups].sort(([one], [two]) => one.localeCompare(two))) {
    console.log(line(name, counts));
  }
  const all = groups.get("all") ?? zero();
  console.log(
    `\nby status alone (a masked failure is ok and soft): found ${all.foundByStatus}, false alarms ${all.alarmsByStatus}; missed as unknown ${all.missedAsUnknown}`,
  );
  console.log("\n| text alone: status, confidence | rows | right |\n|---|--:|--:|");
  for (const [name, { rows, right }] of [...bins].sort(([one], [two]) => one.localeCompare(two))) {
    console.log(`| ${name} | ${rows} | ${share(right, rows)} |`);
  }
}

/** Counts how often a verdict from text alone is right, by its confidence. */
function calibrate(bins: Map<string, { rows: number; right: number }>, row: LabRow, outcome: Outcome): void {
  if (
    row.status_shown !== "hidden" ||
    row.label === "unknown" ||
    outcome.status === "unknown" ||
    outcome.flag !== "absent"
  ) {
    return;
  }
  const low = Math.min(0.9, Math.floor(outcome.confidence * 10) / 10);
  const name = `${outcome.status}, ${low.toFixed(1)} to ${(low + 0.1).toFixed(1)}`;
  const bin = bins.get(name) ?? { rows: 0, right: 0 };
  bins.set(name, bin);
  bin.rows += 1;
  bin.right += (outcome.status === "failed") === (row.label === "error") ? 1 : 0;
}
