<<<<<<< HEAD

/**
 * First contact: how the detector does on the rows of `src/core/detect/fixtures`, which were written without looking at
 * its rules. `node scripts/eval-unseen.ts [--confusion] [--categories] [--batch 1|2|3]`.
 */
import { parseArgs } from "node:util";
import * as batches from "../src/core/detect/fixtures/unseen.ts";
import type { UnseenRow } from "../src/core/detect/fixtures/unseen-row.ts";
import { classifyToolResult } from "../src/core/detect/index.ts";

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

function count(source: string, rows: readonly UnseenRow[], into: Counts): void {
  for (const { tool, args, text, failed } of rows) {
    const outcome = classifyToolResult({ callId: "c", content: text }, { name: tool, arguments: args });
    const said = outcome.status === "failed";
    const wrong = said !== (failed !== undefined);
    into.unknown += outcome.status === "unknown" ? 1 : 0;
    into.found += said && failed !== undefined ? 1 : 0;
    into.missed += !said && failed !== undefined ? 1 : 0;
    into.alarms += said && failed === undefined ? 1 : 0;
    into.ok += failed === undefined ? 1 : 0;
    into.categoryRight += said && outcome.category === failed ? 1 : 0;
    const note = `${source} · ${tool} · ${JSON.stringify(text.slice(0, 110))} [${outcome.evidence.at(-1)?.rule ?? "none"}]`;
    if (values.confusion && wrong) {
      console.log(`${failed === undefined ? "FALSE ALARM" : `missed ${failed}`} (${outcome.status}) ${note}`);
    }
    if (values.categories && said && failed !== undefined && outcome.category !== failed) {
      console.log(`category ${outcome.category} instead of ${failed}: ${note}`);
    }
  }
}

function line(name: string, { found, missed, alarms, ok, unknown, categoryRight }: Counts): string {
  const precision = found + alarms === 0 ? 1 : found / (found + alarms);
  const recall = found + missed === 0 ? 1 : found / (found + missed);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const figures = [precision, recall, f1].map((value) => value.toFixed(3)).join(" | ");
  return `| ${name} | ${found + missed + ok} | ${figures} | ${found} / ${missed} / ${alarms} | ${categoryRight} of ${found} | ${unknown} |`;
}

const batch =
  [batches.FIRST_BATCH, batches.SECOND_BATCH, batches.THIRD_BATCH][Number(values.batch) - 1] ?? batches.FIRST_BATCH;
const sure = none();
const open = none();
console.log("| source | rows | precision | recall | F1 | found / missed / false alarms | category | unknown |");
console.log("|---|--:|--:|--:|--:|---|---|--:|");
for (const [source, rows] of Object.entries(batch)) {
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
=======

import { isDeepStrictEqual } from "node:util";
import { extractToolCalls } from "../src/core/recover/index.ts";
import { FIRST_LEAKS, FIRST_NO_LEAKS } from "../test/fixtures/leaks/first/index.ts";
import { LEAK_TOOLS, type Leak, type NoLeak } from "../test/fixtures/leaks/leak.ts";

// How the parser does on texts that were written before it was tried on them: see docs/accuracy.md.

const verbose = process.argv.includes("--verbose");

function right([what, text, calls]: Leak): boolean {
  const got = extractToolCalls(text, { tools: LEAK_TOOLS });
  const found = got.toolCalls.map((call) => [call.name, call.arguments]);
  const same = isDeepStrictEqual(found, calls);
  if (!same && verbose) {
    console.log(`- ${what}\n    text  ${JSON.stringify(text)}\n    want  ${JSON.stringify(calls)}`);
    const reasons = got.matches.flatMap((match) =>
      match.kind === "rejected" ? [`${match.format}: ${match.reason}`] : [],
    );
    console.log(`    found ${JSON.stringify(found)} ${reasons.join(", ")}`);
  }
  return same;
}

function quiet([what, text]: NoLeak): boolean {
  const got = extractToolCalls(text, { tools: LEAK_TOOLS });
  const still = got.toolCalls.length === 0 && got.content === text;
  if (!still && verbose)
    console.log(`- ${what}\n    text  ${JSON.stringify(text)}\n    found ${JSON.stringify(got.toolCalls)}`);
  return still;
}

function report(title: string, leaks: typeof FIRST_LEAKS, noLeaks: typeof FIRST_NO_LEAKS): void {
  console.log(`\n${title}`);
  let good = 0;
  let all = 0;
  for (const [idea, rows] of leaks) {
    const count = rows.filter(right).length;
    good += count;
    all += rows.length;
    console.log(`  ${idea.padEnd(24)} ${count} of ${rows.length}`);
  }
  console.log(`  ${"calls".padEnd(24)} ${good} of ${all} (${((100 * good) / all).toFixed(1)} %)`);
  for (const [idea, rows] of noLeaks)
    console.log(`  no call: ${idea.padEnd(24)} ${rows.filter(quiet).length} of ${rows.length}`);
}

report("First set", FIRST_LEAKS, FIRST_NO_LEAKS);
>>>>>>> recover-general
