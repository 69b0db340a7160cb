import { callKeyText } from "../../core/model/call-key.ts";
import { changedThreads, changesOf, type ForkCopy } from "../../core/model/changes.ts";
import { foldObservations, sessionKeyText } from "../../core/model/fold.ts";
import { orphanChanges } from "../../core/model/orphans.ts";
import { LINK_COLUMNS } from "../columns.ts";
import { originalsOf, type SessionKey } from "../deletions.ts";
import { hashText } from "../hash-text.ts";
import type { Database } from "./database.ts";
import { loadForkCopies, loadRow, loadSession, nothingLoaded, threadStart } from "./load.ts";
import { ThreadTailCache } from "./thread-tail-cache.ts";
import { write } from "./write.ts";

const COPIES_PER_SLICE = 200;

/**
 * Unlinks up to 200 calls of other sessions from a deleted session; returns false without such calls. See
 * `orphanChanges`.
 */
export function disinherit(db: Database, session: SessionKey, keepsSums: boolean): boolean {
  const loaded = nothingLoaded();
  const originals = originalsOf(session);
  const rows = db.all(
    `SELECT record, ${LINK_COLUMNS.join(", ")} FROM calls WHERE inherited_from >= ? AND inherited_from < ? LIMIT ${COPIES_PER_SLICE}`,
    ...[originals.from, originals.until],
  );
  const copies = rows
    .map((row) => loadRow(loaded, row))
    .filter(({ inherited_from }) => originals.includes(inherited_from ?? ""));
  if (copies.length === 0) return false;
  const related = new Map<string, ForkCopy>();
  for (const record of copies)
    related.set(callKeyText(record.key), { record, thread_start: threadStart(db, record.key) });
  for (const copy of loadForkCopies(db, loaded, copies)) related.set(callKeyText(copy.record.key), copy);
  const changes = orphanChanges([...related.values()], originals.includes, keepsSums);
  // One session at a time, because each has its own health thresholds.
  for (const [text, calls] of Map.groupBy(changes, ({ after }) => sessionKeyText(after.key))) {
    for (const { after } of calls) loadSession(db, loaded, after.key);
    const changed = { calls, removed: [], joined: [] };
    const tails = new ThreadTailCache();
    const links = changedThreads(changed, hashText).flatMap((change) => tails.relinked(db, change));
    const { thresholds } = loaded.sessions.get(text) ?? {};
    write(db, changesOf(loaded, foldObservations(loaded, []), changed, links, hashText, thresholds));
  }
  return true;
}
