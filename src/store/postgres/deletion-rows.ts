import { sessionKeyText } from "../../core/model/fold.ts";
import type { Deletion } from "../deletion-port.ts";
import { type SessionKey, sessionHash } from "../deletions.ts";
import type { Queries } from "./database.ts";
import { type PendingDeletion, pendingOf } from "./delete.ts";

/** Deletions of some sessions. */
export interface KnownDeletions {
  /** When each session was last deleted, by session key. */
  readonly times: ReadonlyMap<string, number>;
  /** Unfinished deletions. */
  readonly pending: readonly PendingDeletion[];
}

export async function knownDeletions(db: Queries, sessions: Iterable<SessionKey>): Promise<KnownDeletions> {
  const texts = new Map([...sessions].map((key) => [sessionHash(key), sessionKeyText(key)]));
  const rows = await db.all(
    "SELECT id, session, deleted_at, keeps_sums, project, session_id FROM deletions WHERE session IN (SELECT unnest(?::text[]))",
    [...texts.keys()],
  );
  const times = new Map<string, number>();
  for (const row of rows) {
    const text = texts.get(String(row.session)) as string;
    times.set(text, Math.max(times.get(text) ?? 0, Number(row.deleted_at)));
  }
  return { times, pending: rows.filter(({ session_id }) => session_id !== null).map(pendingOf) };
}

/** Deletions of sessions whose lines may still be in the files of a data folder. */
export async function deletionsFor(db: Queries, folder: string, limit: number): Promise<readonly Deletion[]> {
  const rows = await db.all(
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

export async function filesCleaned(db: Queries, folder: string, upTo: number): Promise<void> {
  await db.all(
    "INSERT INTO clean_folders (folder, position) VALUES (?, ?) ON CONFLICT (folder) DO UPDATE SET position = excluded.position",
    ...[folder, upTo],
  );
}
