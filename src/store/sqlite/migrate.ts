import { readdirSync, readFileSync } from "node:fs";
import { hashText } from "../hash-text.ts";
import { refreshAllFingerprints } from "../sql/write-aggregates.ts";
import type { Database } from "./database.ts";
import { rebuild } from "./rebuild.ts";

/** The first version with links of calls. */
const FIRST_LINKS_VERSION = 3;
/** The first version that removes the sample of an error together with its call. */
const FIRST_SAMPLES_VERSION = 9;

/** SQLite's code for a damaged file. */
const SQLITE_CORRUPT = 11;

const FOLDER = new URL("./migrations/", import.meta.url);

/** Migrates the schema in one transaction. Rejects a database of a newer Toolmend. */
export function migrate(db: Database): void {
  const files = migrations();
  db.transaction(() => {
    db.exec("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL)");
    const current = refuseNewer(db);
    for (const file of files) {
      const version = versionOf(file);
      if (version <= current) continue;
      db.exec(readFileSync(new URL(file, FOLDER), "utf8"));
      db.run("INSERT INTO schema_version (version, applied_at) VALUES (?, ?)", version, new Date().toISOString());
    }
    if (current > 0 && current < FIRST_LINKS_VERSION) rebuild(db, hashText);
    if (current > 0 && current < FIRST_SAMPLES_VERSION) db.perform(refreshAllFingerprints());
  });
}

/** Returns the schema version. Throws if a newer Toolmend wrote the database, or if the version cannot be trusted. */
export function refuseNewer(db: Database): number {
  const newest = versionOf(migrations().at(-1) as string);
  const there = db.get("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'") !== undefined;
  const row = there ? db.get("SELECT max(version) AS version FROM schema_version") : undefined;
  const current = Number(row?.version ?? 0);
  // In a damaged page, any number may look like a version. The check reads one page.
  if (there && current !== newest && db.get("PRAGMA quick_check(schema_version)")?.quick_check !== "ok")
    throw new DamagedSchemaError();
  if (current > newest) throw new NewerSchemaError(current, newest);
  return current;
}

function migrations(): readonly string[] {
  return readdirSync(FOLDER)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort();
}

function versionOf(file: string): number {
  return Number(file.slice(0, 4));
}

/** The database was written by a newer Toolmend. */
export class NewerSchemaError extends Error {
  readonly code = "newer-schema";
  constructor(found: number, known: number) {
    super(
      `The database has schema version ${found}, this version of Toolmend supports up to ${known}. Update Toolmend, or use another --data folder.`,
    );
    this.name = "NewerSchemaError";
  }
}

/** The table with the schema version is damaged. Treated as SQLite's own error for a damaged file. */
class DamagedSchemaError extends Error {
  readonly code = "damaged-schema";
  readonly errcode: number = SQLITE_CORRUPT;
  constructor() {
    super("database disk image is malformed (schema_version)");
    this.name = "DamagedSchemaError";
  }
}
