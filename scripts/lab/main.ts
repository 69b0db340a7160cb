// The laboratory of failure detection: runs real programs that were broken on purpose and records what they print.
//
//   npx node scripts/lab/main.ts --out FOLDER [--cache FOLDER] [--family NAME]... [--only TEXT] [--fresh] [--jobs N]
//
// Writes FOLDER/rows.jsonl (one `Row` per line, types.ts), FOLDER/surprises.txt and prints counts. Finished cases are
// stored in FOLDER/cases and reused until their definition changes; --fresh runs them again. Programs come from the
// system and from CACHE/npm/node_modules (install.ts installs both); what is missing is skipped and named. Root runs
// every command as nobody, in a network namespace with only 127.0.0.1. Labels come from the construction of a case, not
// from a reader: a run whose exit status or text differs from the plan is discarded and counted as a surprise.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { FAMILIES, PRODUCERS } from "./families/index.ts";
import { type RecordContext, recordCase } from "./record.ts";
import { RowStore } from "./row-store.ts";
import { hasProgram } from "./run.ts";
import { startServices } from "./services.ts";
import type { Row } from "./types.ts";

const NAMESPACE_MARK = "TOOLMEND_LAB_NAMESPACE";
const WRITE_INTERVAL_MS = 20_000;

const { values } = parseArgs({
  options: {
    out: { type: "string" },
    cache: { type: "string" },
    family: { type: "string", multiple: true },
    only: { type: "string" },
    fresh: { type: "boolean", default: false },
    jobs: { type: "string", default: "2" },
  },
});

if (values.out === undefined) {
  console.error("Usage: npx node scripts/lab/main.ts --out FOLDER [--cache FOLDER] [--family NAME]... [--only TEXT]");
  process.exit(2);
}
const out = resolve(values.out);
const cache = resolve(values.cache ?? join(tmpdir(), "lab-cache"));

if (process.getuid?.() === 0 && process.env[NAMESPACE_MARK] === undefined) {
  const inside = 'ip link set lo up && exec "$@"';
  const command = ["-n", "sh", "-c", inside, "sh", process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const env = { ...process.env, [NAMESPACE_MARK]: "1" };
  process.exit(spawnSync("unshare", command, { stdio: "inherit", env }).status ?? 1);
}

const store = new RowStore(out);
const skipped = new Map<string, string>();
const surprises: string[] = [];
const services = await startServices(cache);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    services.close();
    process.exit(1);
  });

const context: RecordContext = {
  cache,
  services: services.words,
  surprise: (family, one, language, run, why) =>
    void surprises.push(
      `${family}/${one.program}/${one.name}/${language}: ${why}; exit ${run.exitCode}; ${run.text.slice(-300)}`,
    ),
};

const available = new Map<string, boolean>();
function missingProgram(names: readonly string[]): string | undefined {
  return names.find((name) => {
    if (!available.has(name)) available.set(name, hasProgram(name, cache));
    return available.get(name) === false;
  });
}

const tasks: (() => Promise<void>)[] = [];

/** Rows of earlier runs are taken first, so that the file stays complete while cases run again. */
function plan(name: string, definition: string, isWanted: boolean, make: () => Promise<readonly Row[]>): void {
  const isStored = store.load(name, definition);
  if (isWanted && (values.fresh || !isStored)) tasks.push(async () => store.save(name, definition, await make()));
}

const isFamilyWanted = (name: string) => values.family === undefined || values.family.includes(name);

for (const { name, version, produce } of PRODUCERS)
  plan(name, version, isFamilyWanted(name) && values.only === undefined, async () => {
    const scratch = mkdtempSync(join(tmpdir(), "lab-produce-"));
    const skip = (program: string, reason: string) => void skipped.set(`${program} (${name})`, reason);
    try {
      return await produce({ scratch, cache, services: services.words, skip });
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
for (const family of FAMILIES)
  for (const one of family.cases) {
    const name = `${family.name}/${one.program}/${one.name}`;
    const isWanted = isFamilyWanted(family.name) && (values.only === undefined || name.includes(values.only));
    const missing = isWanted ? missingProgram(one.needs ?? [one.program]) : undefined;
    if (missing !== undefined) skipped.set(`${one.program} (${family.name})`, `${missing} not found`);
    plan(name, JSON.stringify(one), isWanted && missing === undefined, () => recordCase(family.name, one, context));
  }

let lastWrite = Date.now();
async function work(): Promise<void> {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    await task();
    if (Date.now() - lastWrite < WRITE_INTERVAL_MS) continue;
    lastWrite = Date.now();
    store.write();
    console.log(`${tasks.length} cases left`);
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
store.write();
services.close();
writeFileSync(join(out, "surprises.txt"), surprises.map((line) => `${line}\n----\n`).join(""));

const rows = store.all();
function countBy(key: (row: Row) => string): string {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  return [...counts]
    .sort()
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
}
console.log(`rows: ${rows.length}`);
console.log(`by family: ${countBy((row) => row.family)}`);
console.log(`by label: ${countBy((row) => row.label)}`);
console.log(`by status: ${countBy((row) => row.status_shown)}`);
console.log(`by language: ${countBy((row) => row.language)}`);
console.log(`by category: ${countBy((row) => row.category ?? "-")}`);
for (const [program, reason] of skipped) console.log(`skipped: ${program}: ${reason}`);
console.log(`surprises: ${surprises.length} (surprises.txt)`);
