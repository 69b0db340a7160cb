import { isDeepStrictEqual } from "node:util";
import { extractToolCalls } from "../src/core/recover/index.ts";
import { FIRST_LEAKS, FIRST_NO_LEAKS } from "../test/fixtures/leaks/first/index.ts";
import { FOURTH_LEAKS, FOURTH_NO_LEAKS } from "../test/fixtures/leaks/fourth/index.ts";
import { LEAK_TOOLS, type Leak, type NoLeak } from "../test/fixtures/leaks/leak.ts";
import { SECOND_LEAKS, SECOND_NO_LEAKS } from "../test/fixtures/leaks/second/index.ts";
import { THIRD_LEAKS, THIRD_NO_LEAKS } from "../test/fixtures/leaks/third/index.ts";

// Accuracy of the parser on texts that were written before it was tried on them: see docs/accuracy.md.

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

report("First set", FIRST_LEAKS, FIRST_NO_LEAKS);
report("Second set", SECOND_LEAKS, SECOND_NO_LEAKS);
report("Third set", THIRD_LEAKS, THIRD_NO_LEAKS);
report("Fourth set", FOURTH_LEAKS, FOURTH_NO_LEAKS);
