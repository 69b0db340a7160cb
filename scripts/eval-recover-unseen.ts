/**
 * Accuracy on texts that were written before the parser was tried on them (docs/accuracy.md):
 * `node scripts/eval-recover-unseen.ts [--rows FILE.jsonl] [--verbose]`. A row is `{id, text, tools, expected_calls,
 * format?, context?}`; without calls it is a negative. Without a file the fixtures are measured.
 */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { extractToolCalls } from "../src/core/recover/index.ts";
import type { DeclaredTool, RecoverOptions } from "../src/core/recover/types.ts";
import { FIRST_LEAKS, FIRST_NO_LEAKS } from "../test/fixtures/leaks/first/index.ts";
import { FOURTH_LEAKS, FOURTH_NO_LEAKS } from "../test/fixtures/leaks/fourth/index.ts";
import { LEAK_TOOLS, type Leak, type NoLeak } from "../test/fixtures/leaks/leak.ts";
import { SECOND_LEAKS, SECOND_NO_LEAKS } from "../test/fixtures/leaks/second/index.ts";
import { THIRD_LEAKS, THIRD_NO_LEAKS } from "../test/fixtures/leaks/third/index.ts";

const { values } = parseArgs({ options: { rows: { type: "string" }, verbose: { type: "boolean", default: false } } });
const { verbose } = values;

type Calls = readonly { readonly name: string; readonly arguments: object }[];

interface Row {
  readonly id: string;
  readonly format?: string;
  readonly text: string;
  readonly tools: readonly DeclaredTool[];
  readonly expected_calls?: Calls;
  /** What older files call it. */
  readonly expected?: Calls;
  readonly context?: NonNullable<RecoverOptions["context"]>;
}

/**
 * A positive must be strictly equal. A negative is invented when a declared tool is called, and changed when its text
 * differs; calls of other tools are marked `known: false` by the parser and counted apart.
 */
function reportRows(file: string): void {
  const count = { positive: 0, exact: 0, negative: 0, invented: 0, undeclared: 0, changed: 0, partlyInvented: 0 };
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.trim() === "") continue;
    const row = JSON.parse(line) as Row;
    const { tools, context } = row;
    const expected = row.expected_calls ?? row.expected ?? [];
    const kind = expected.length > 0 ? "positive" : "negative";
    const got = extractToolCalls(row.text, { tools, ...(context === undefined ? {} : { context }) });
    const found = got.toolCalls.map((call) => ({ name: call.name, arguments: call.arguments }));
    const same = isDeepStrictEqual(found, expected);
    count[kind] += 1;
    if (kind === "positive") {
      if (same) count.exact += 1;
      else if (found.length > expected.length) count.partlyInvented += 1;
    } else if (got.toolCalls.some((call) => call.known)) count.invented += 1;
    else if (found.length > 0) count.undeclared += 1;
    else if (got.content !== row.text) count.changed += 1;
    if (verbose && (!same || (kind === "negative" && got.content !== row.text))) {
      console.log(`--- ${row.id} [${kind}${row.format === undefined ? "" : ` ${row.format}`}]\n${row.text}`);
      console.log(`want  ${JSON.stringify(expected)}\nfound ${JSON.stringify(found)}`);
      for (const match of got.matches)
        if (match.kind === "rejected")
          console.log(`      ${match.format}: ${match.reason} ${JSON.stringify(match.span)}`);
    }
  }
  console.log(
    `\n${count.exact} of ${count.positive} positives exact (${((100 * count.exact) / count.positive).toFixed(1)} %), ` +
      `${count.partlyInvented} with a call too many; ` +
      `${count.invented} of ${count.negative} negatives yield a call of a declared tool, ` +
      `${count.undeclared} of another one (known: false), ${count.changed} change`,
  );
}

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

function hasNoCall([what, text]: NoLeak): boolean {
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
    console.log(`  no call: ${idea.padEnd(24)} ${rows.filter(hasNoCall).length} of ${rows.length}`);
}

if (values.rows === undefined) {
  report("First set", FIRST_LEAKS, FIRST_NO_LEAKS);
  report("Second set", SECOND_LEAKS, SECOND_NO_LEAKS);
  report("Third set", THIRD_LEAKS, THIRD_NO_LEAKS);
  report("Fourth set", FOURTH_LEAKS, FOURTH_NO_LEAKS);
} else reportRows(values.rows);
