import { readdirSync, readFileSync } from "node:fs";
import { refreshAllFingerprints } from "../sql/write-aggregates.ts";
import { PostgresError, type Queries, type Transactions } from "./database.ts";
import { perform } from "./perform.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/** An arbitrary number that all servers share. */
const LOCK = "4817220511980441";
/** The first version that removes the sample of an error together with its call. */
const SAMPLES_SINCE = 6;

/** Migrates the schema. If several servers start at the same time, one migrates and the others wait. */
export async function migrate(db: Transactions): Promise<void> {
  const files = migrations();
  const newest = versionOf(files.at(-1) as string);
  if ((await currentVersion(db)) === newest) return;
  await db.transaction(async (tx) => {
    await tx.all("SELECT pg_advisory_xact_lock(?)", LOCK);
    await tx.all(
      "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMPTZ NOT NULL)",
    );
    const current = await currentVersion(tx);
    if (current > newest) throw newerSchema(current, newest);
    for (const file of files) {
      if (versionOf(file) <= current) continue;
      for (const statement of statementsOf(readFileSync(new URL(file, FOLDER), "utf8"))) await tx.all(statement);
      await tx.all("INSERT INTO schema_version (version, applied_at) VALUES (?, now())", versionOf(file));
    }
    if (current > 0 && current < SAMPLES_SINCE) await perform(tx, refreshAllFingerprints());
  });
}

/** Returns the schema version, 0 for an empty database. Throws if a newer Toolmend wrote it. */
export async function refuseNewer(db: Queries): Promise<number> {
  const [current, newest] = [await currentVersion(db), versionOf(migrations().at(-1) as string)];
  if (current > newest) throw newerSchema(current, newest);
  return current;
}

function migrations(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort();
}

async function currentVersion(db: Queries): Promise<number> {
  const [found] = await db.all("SELECT to_regclass('schema_version') IS NOT NULL AS there");
  if (found?.there !== true) return 0;
  const [row] = await db.all("SELECT max(version) AS version FROM schema_version");
  return Number(row?.version ?? 0);
}

/** Statements end with a semicolon at the end of a line; a block in `$$` is one statement. */
function statementsOf(script: string): readonly string[] {
  const statements: string[] = [];
  let open = "";
  for (const line of script.split("\n")) {
    if (open === "" && (line.trim() === "" || line.startsWith("--"))) continue;
    open += `${line}\n`;
    const inBlock = open.split("$$").length % 2 === 0;
    if (!inBlock && line.trimEnd().endsWith(";")) {
      statements.push(open);
      open = "";
    }
  }
  return statements;
}

function versionOf(file: string): number {
  return Number(file.slice(0, 4));
}

function newerSchema(found: number, known: number): PostgresError {
  return new PostgresError(
    `The database has schema version ${found}, this version of Toolmend supports up to ${known}. Update Toolmend, or use another database.`,
    "newer-schema",
  );
}
