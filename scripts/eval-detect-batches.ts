/**
 * Runs the detector on the rows of `test/fixtures/detect`, which were written without reading its rules:
 * `node scripts/eval-detect-batches.ts [--confusion] [--categories] [--batch 1|2|3|4|5|6|7|8|9]`.
 */
import { parseArgs } from "node:util";
import { classifyToolResult } from "../src/core/detect/index.ts";
import { DETECT_BATCHES, type DetectRow } from "../test/support/detect-rows.ts";

const { values } = parseArgs({
  options: {
    confusion: { type: "boolean", default: false },
    categories: { type: "boolean", default: false },
    batch: { type: "string", default: "1" },
  },
});

interface Counts {
  found: number;
  missed: number;
  alarms: number;
  ok: number;
  unknown: number;
  categoryRight: number;
}

const none = (): Counts => ({ found: 0, missed: 0, alarms: 0, ok: 0, unknown: 0, categoryRight: 0 });

function count(source: string, rows: readonly DetectRow[], into: Counts): void {
  for (const { tool, args, text, failed } of rows) {
    const outcome = classifyToolResult({ callId: "c", content: text }, { name: tool, arguments: args });
    const predicted = outcome.status === "failed";
    const wrong = predicted !== (failed !== undefined);
    into.unknown += outcome.status === "unknown" ? 1 : 0;
    into.found += predicted && failed !== undefined ? 1 : 0;
    into.missed += !predicted && failed !== undefined ? 1 : 0;
    into.alarms += predicted && failed === undefined ? 1 : 0;
    into.ok += failed === undefined ? 1 : 0;
    into.categoryRight += predicted && outcome.category === failed ? 1 : 0;
    const note = `${source} · ${tool} · ${JSON.stringify(text.slice(0, 110))} [${outcome.evidence.at(-1)?.rule ?? "none"}]`;
    if (values.confusion && wrong) {
      console.log(`${failed === undefined ? "FALSE ALARM" : `missed ${failed}`} (${outcome.status}) ${note}`);
    }
    if (values.categories && predicted && failed !== undefined && outcome.category !== failed) {
      console.log(`category ${outcome.category} instead of ${failed}: ${note}`);
    }
  }
}

function line(name: string, { found, missed, alarms, ok, unknown, categoryRight }: Counts): string {
  const precision = found + alarms === 0 ? 1 : found / (found + alarms);
  const recall = found + missed === 0 ? 1 : found / (found + missed);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const columns = [precision, recall, f1].map((value) => value.toFixed(3)).join(" | ");
  return `| ${name} | ${found + missed + ok} | ${columns} | ${found} / ${missed} / ${alarms} | ${categoryRight} of ${found} | ${unknown} |`;
}

const batch = DETECT_BATCHES[Number(values.batch) - 1] ?? [];
const sure = none();
const open = none();
console.log("| source | rows | precision | recall | F1 | found / missed / false alarms | category | unknown |");
console.log("|---|--:|--:|--:|--:|---|---|--:|");
for (const [source, rows = []] of Object.entries(Object.groupBy(batch, (row) => row.source))) {
  const own = none();
  count(
    source,
    rows.filter((row) => row.debatable !== true),
    own,
  );
  for (const key of Object.keys(own) as (keyof Counts)[]) {
    sure[key] += own[key];
  }
  count(
    `debatable: ${source}`,
    rows.filter((row) => row.debatable === true),
    open,
  );
  console.log(line(source, own));
}
console.log(line("**all**", sure));
console.log(line("debatable, counted apart", open));
