import { sessionKeyText } from "../../core/model/fold.ts";
import type { Observation } from "../../core/model/observation.ts";
import type { Deletion } from "../deletion-port.ts";
import { type SessionKey, sessionHash } from "../deletions.ts";
import type { Database } from "./database.ts";
import { findMany } from "./find-many.ts";

const NONE: ReadonlyMap<string, number> = new Map();

/** When sessions of a batch were last deleted, by session key. */
export function deletionTimes(db: Database, observations: readonly Observation[]): ReadonlyMap<string, number> {
  if (db.get("SELECT 1 FROM deletions LIMIT 1") === undefined) return NONE;
  const keys = new Map<string, SessionKey>(observations.map((one) => [sessionKeyText(one), one]));
  const texts = new Map([...keys].map(([text, key]) => [sessionHash(key), text]));
  const rows = findMany(
    db,
    (places) => `SELECT session, max(deleted_at) AS at FROM deletions WHERE session IN (${places}) GROUP BY session`,
    [],
    [...texts.keys()],
  );
  return new Map(rows.map((row) => [texts.get(String(row.session)) as string, Number(row.at)]));
}

/** Deletions of sessions whose lines may still be in the files of a data folder. */
export function deletionsFor(db: Database, folder: string, limit: number): readonly Deletion[] {
  const rows = db.all(
    `SELECT id, session, keeps_sums FROM deletions WHERE id > coalesce((SELECT position FROM clean_folders WHERE folder = ?), 0)
     ORDER BY id LIMIT ?`,
    ...[folder, limit],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    session: String(row.session),
    keepsSums: Number(row.keeps_sums) === 1,
  }));
}

export function filesCleaned(db: Database, folder: string, upTo: number): void {
  db.run(
    "INSERT INTO clean_folders (folder, position) VALUES (?, ?) ON CONFLICT (folder) DO UPDATE SET position = excluded.position",
    ...[folder, upTo],
  );
}
