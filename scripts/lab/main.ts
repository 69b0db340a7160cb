// The laboratory of failure detection: runs real programs that were broken on purpose and records what they print.
//
//   npx node scripts/lab/main.ts --out FOLDER [--cache FOLDER] [--family NAME]... [--only TEXT] [--fresh] [--jobs N]
//
// Writes FOLDER/rows.jsonl (one `Row` per line, types.ts) and prints counts. Finished cases are stored in FOLDER/cases
// and reused until their definition changes; --fresh runs them again. Programs come from the system and from
// CACHE/npm/node_modules (install.ts installs both); what is missing is skipped and named. Root runs every
// command as nobody, and in a network namespace with only 127.0.0.1. Labels come from the construction of a case, not
// from a reader: a run whose exit status or text differs from the plan is discarded and counted as a surprise.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { FAMILIES, PRODUCERS } from "./families/index.ts";
import { recordCase } from "./record.ts";
import { hasProgram } from "./run.ts";
import { startServices } from "./services.ts";
import type { Row } from "./types.ts";
import { hashText } from "./words.ts";

const NAMESPACE_MARK = "TOOLMEND_LAB_NAMESPACE";

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
const caseFolder = join(out, "cases");
mkdirSync(caseFolder, { recursive: true });

if (process.getuid?.() === 0 && process.env[NAMESPACE_MARK] === undefined) {
  const inside = 'ip link set lo up && exec "$@"';
  const command = ["-n", "sh", "-c", inside, "sh", process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const { status } = spawnSync("unshare", command, {
    stdio: "inherit",
    env: { ...process.env, [NAMESPACE_MARK]: "1" },
  });
  process.exit(status ?? 1);
}

const skipped = new Map<string, string>();
const surprises: string[] = [];
const rows = new Map<string, readonly Row[]>();

function writeRows(): void {
  const temporary = join(out, "rows.jsonl.part");
  const all = [...rows.keys()].sort().flatMap((key) => rows.get(key) as readonly Row[]);
  writeFileSync(temporary, all.map((row) => `${JSON.stringify(row)}\n`).join(""));
  renameSync(temporary, join(out, "rows.jsonl"));
}

/** Without `make` only rows of an earlier run are taken, so that --family and --only keep the rest of the file. */
async function stored(name: string, definition: string, make?: () => Promise<readonly Row[]>): Promise<void> {
  const path = join(caseFolder, `${hashText(name).toString(36)}-${hashText(definition).toString(36)}.json`);
  if (existsSync(path) && (make === undefined || !values.fresh)) rows.set(name, JSON.parse(readFileSync(path, "utf8")));
  else if (make !== undefined) {
    const made = await make();
    rows.set(name, made);
    if (made.length > 0) writeFileSync(path, JSON.stringify(made));
  }
}

const isWanted = (family: string) => values.family === undefined || values.family.includes(family);
const available = new Map<string, boolean>();
function missingProgram(names: readonly string[]): string | undefined {
  return names.find((name) => {
    if (!available.has(name)) available.set(name, hasProgram(name, cache));
    return available.get(name) === false;
  });
}

const services = await startServices(cache);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    services.close();
    process.exit(1);
  });
const context = {
  cache,
  services: services.words,
  surprise: (
    family: string,
    one: { program: string; name: string },
    language: string,
    run: { text: string; exitCode: number | null },
    why: string,
  ) => {
    surprises.push(
      `${family}/${one.program}/${one.name}/${language}: ${why}; exit ${run.exitCode}; ${run.text.slice(-300)}`,
    );
  },
};

const tasks: (() => Promise<void>)[] = [];
for (const producer of PRODUCERS)
  tasks.push(async () => {
    if (!isWanted(producer.name) || values.only !== undefined) return stored(producer.name, producer.version);
    const scratch = mkdtempSync(join(tmpdir(), "lab-produce-"));
    const skip = (program: string, reason: string) => void skipped.set(`${program} (${producer.name})`, reason);
    try {
      await stored(producer.name, producer.version, () =>
        producer.produce({ scratch, cache, services: services.words, skip }),
      );
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  });
for (const family of FAMILIES)
  for (const one of family.cases) {
    const name = `${family.name}/${one.program}/${one.name}`;
    const definition = JSON.stringify(one);
    if (!isWanted(family.name) || (values.only !== undefined && !name.includes(values.only))) {
      await stored(name, definition);
      continue;
    }
    const missing = missingProgram(one.needs ?? [one.program]);
    if (missing !== undefined) skipped.set(`${one.program} (${family.name})`, `${missing} not found`);
    else tasks.push(() => stored(name, definition, () => recordCase(family.name, one, context)));
  }

let finished = 0;
let lastWrite = Date.now();
async function work(): Promise<void> {
  for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
    await task();
    finished += 1;
    if (Date.now() - lastWrite > 20_000) {
      lastWrite = Date.now();
      writeRows();
      console.log(`${finished} cases, ${tasks.length} left`);
    }
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
writeRows();
services.close();
writeFileSync(join(out, "surprises.txt"), surprises.map((line) => `${line}\n----\n`).join(""));

function count(by: (row: Row) => string): string {
  const counts = new Map<string, number>();
  for (const row of [...rows.values()].flat()) counts.set(by(row), (counts.get(by(row)) ?? 0) + 1);
  return [...counts]
    .sort()
    .map(([key, n]) => `${key} ${n}`)
    .join(", ");
}
console.log(`rows: ${[...rows.values()].flat().length}`);
console.log(`by family: ${count((row) => row.family)}`);
console.log(`by label: ${count((row) => row.label)}`);
console.log(`by status: ${count((row) => row.status_shown)}`);
console.log(`by language: ${count((row) => row.language)}`);
console.log(`by category: ${count((row) => row.category ?? "-")}`);
for (const [program, reason] of skipped) console.log(`skipped: ${program}: ${reason}`);
console.log(`surprises: ${surprises.length} (surprises.txt)`);
