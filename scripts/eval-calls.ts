/**
 * Measures the repair of native calls on labeled rows: `node scripts/eval-calls.ts rows.jsonl… [--show]`. Rows are JSON
 * objects with `tools`, `name`, `arguments` and, if the arguments do not fit, `verdict` (`mend` | `leave` | `either`),
 * `want` (the right results) and `fault`. `wrong` counts calls that were changed to something that is not right.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { checkArguments, compileSchema } from "../src/core/calls/index.ts";
import { canonicalJson } from "../src/core/json/values.ts";
import type { Json } from "../src/core/model/tool-call.ts";

interface Row {
  readonly id: string;
  readonly tools: readonly { readonly name: string; readonly parameters: unknown }[];
  readonly name: string;
  readonly arguments: string;
  readonly fault?: string;
  readonly why?: string;
  readonly verdict?: "mend" | "leave" | "either";
  readonly want?: readonly unknown[];
}

type Judgment = "right" | "left" | "wrong";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { show: { type: "boolean" } } });

function judge(row: Row): { readonly judgment: Judgment; readonly text: string } {
  const schema = compileSchema(row.tools.find(({ name }) => name === row.name)?.parameters);
  const { text } = checkArguments(row.arguments, schema, row.name);
  const isUnchanged = text === row.arguments;
  if (row.verdict === undefined) return { judgment: isUnchanged ? "right" : "wrong", text };
  const isWanted =
    !isUnchanged && (row.want ?? []).some((one) => canonicalJson(one as Json) === canonicalJson(JSON.parse(text)));
  if (isWanted || (isUnchanged && row.verdict !== "mend")) return { judgment: "right", text };
  return { judgment: isUnchanged ? "left" : "wrong", text };
}

for (const file of positionals) {
  const rows: readonly Row[] = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const tallies = new Map<string, Record<Judgment, number>>();
  for (const row of rows) {
    const { judgment, text } = judge(row);
    const group = `${row.verdict ?? "fits"} ${row.id.startsWith("synth/") ? `synthetic ${row.fault ?? ""}` : "real"}`;
    const tally = tallies.get(group) ?? { right: 0, left: 0, wrong: 0 };
    tally[judgment] += 1;
    tallies.set(group, tally);
    if (values.show === true && judgment !== "right")
      console.log(
        `${judgment} ${row.id} (${row.fault ?? row.why ?? ""})\n  ${row.arguments}\n  ${text}\n  want ${JSON.stringify(row.want)}`,
      );
  }
  console.log(`${file}: ${rows.length} rows`);
  for (const [group, tally] of [...tallies].sort()) console.log(`  ${group}: ${JSON.stringify(tally)}`);
}
