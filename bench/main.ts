import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { BENCHMARKS, LONG_BENCHMARKS } from "./benchmarks.ts";
import type { BenchOptions } from "./frame/benchmark.ts";
import type { Row } from "./frame/row.ts";
import { tableText } from "./frame/table.ts";

const ALL = { ...BENCHMARKS, ...LONG_BENCHMARKS };

const USAGE = `npm run bench -- [name…] [--json FILE] [--quick] [--seed N] [--profile DIR] [--only TEXT]

  Runs by default: ${Object.keys(BENCHMARKS).join(", ")}.
  Runs only when named, because it is slow or needs much disk space: ${Object.keys(LONG_BENCHMARKS).join(", ")}.
  --json FILE    also write the rows as JSON
  --quick        fewer rounds
  --seed N       other texts and another order
  --only TEXT    run only the parts of "proxy" with this in their name: young, 89 KB / 50 events, 1 KB JSON,
                 89 KB replayed, first byte, growing, memory
  --profile DIR  write CPU profiles of the measured process (which distorts the measurements)
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "string" },
      quick: { type: "boolean", default: false },
      seed: { type: "string", default: "1" },
      profile: { type: "string" },
      only: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const unknown = positionals.find((name) => !Object.hasOwn(ALL, name));
  const seed = Number(values.seed);
  if (values.help || unknown !== undefined || !Number.isSafeInteger(seed)) {
    process.stderr.write(unknown === undefined ? USAGE : `Unknown benchmark "${unknown}".\n\n${USAGE}`);
    return values.help ? 0 : 2;
  }
  const options: BenchOptions = {
    quick: values.quick,
    seed,
    ...(values.profile !== undefined && { profiles: values.profile }),
    ...(values.only !== undefined && { only: values.only }),
    progress: (text) => process.stderr.write(`  ${text}\n`),
  };
  const results: Record<string, readonly Row[]> = {};
  for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)) {
    process.stderr.write(`${name}\n`);
    globalThis.gc?.();
    const rows = (await ALL[name]?.(options)) ?? [];
    results[name] = rows;
    process.stdout.write(`\n${name}\n${tableText(rows)}\n`);
  }
  if (positionals.length === 0)
    process.stderr.write(`\nSkipped unless named: ${Object.keys(LONG_BENCHMARKS).join(", ")}.\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report(options, results), null, 2)}\n`);
  // A missed bar is a finding; a void row is a broken benchmark.
  return Object.values(results).some((rows) => rows.some(({ ok }) => ok === "void")) ? 1 : 0;
}

function report({ quick, seed }: BenchOptions, results: Readonly<Record<string, readonly Row[]>>): object {
  return {
    node: process.version,
    processor: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    load_average: loadavg()[0],
    quick,
    seed,
    results,
  };
}

process.exitCode = await main();
