import { callKeyText } from "../../core/model/call-key.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import { changedThreads, changesOf, type ForkCopy } from "../../core/model/changes.ts";
import { foldObservations, sessionKeyText } from "../../core/model/fold.ts";
import { orphanChanges } from "../../core/model/orphans.ts";
import { originalsOf, type SessionKey } from "../deletions.ts";
import { hashText } from "../hash-text.ts";
import type { Dialect } from "./dialect.ts";
import { loadCopies, loadForkCopies, loadSessions, type MutableLoaded, nothingLoaded } from "./load.ts";
import { relinkThreads } from "./relink-threads.ts";
import type { Work } from "./work.ts";
import { write } from "./write.ts";

/**
 * Unlinks up to 200 calls of other sessions from a deleted session; returns false without such calls. See
 * `orphanChanges`.
 */
export function* disinherit(dialect: Dialect, session: SessionKey, keepsSums: boolean): Work<boolean> {
  let { loaded, copies } = yield* loadAll(dialect, session);
  if (copies.length === 0) return false;
  if (dialect.lock !== undefined) {
    yield* dialect.lock([session, ...sessionsOf(copies.map(({ record }) => record))], []);
    // Reads again: another server may have written these sessions before the locks were granted.
    ({ loaded, copies } = yield* loadAll(dialect, session));
  }
  const changes = orphanChanges(copies, originalsOf(session).includes, keepsSums);
  yield* loadSessions(loaded, sessionsOf(changes.map(({ after }) => after)));
  // One session at a time, because each has its own health thresholds.
  for (const [text, calls] of Map.groupBy(changes, ({ after }) => sessionKeyText(after.key))) {
    const changed = { calls, removed: [], joined: [] };
    const { links } = yield* relinkThreads(changedThreads(changed, hashText), undefined, loaded.stamps);
    const { thresholds } = loaded.sessions.get(text) ?? {};
    const all = changesOf(loaded, foldObservations(loaded, []), changed, links, hashText, thresholds);
    yield* write(dialect, all, dialect.newStamp());
  }
  return true;
}

/** The calls that were carried over from a session, and their copies in other sessions. */
function* loadAll(
  dialect: Dialect,
  session: SessionKey,
): Work<{ readonly loaded: MutableLoaded; readonly copies: readonly ForkCopy[] }> {
  const originals = originalsOf(session);
  const loaded = nothingLoaded();
  const carried = (yield* loadCopies(dialect, loaded, originals)).filter(({ record }) =>
    originals.includes(record.inherited_from ?? ""),
  );
  const records = carried.map(({ record }) => record);
  const copies = new Map<string, ForkCopy>();
  for (const copy of [...carried, ...(yield* loadForkCopies(loaded, records))])
    copies.set(callKeyText(copy.record.key), copy);
  return { loaded, copies: [...copies.values()] };
}

function sessionsOf(records: readonly CallRecord[]): readonly SessionKey[] {
  const keys = records.map(({ key: { project, session_id } }) => ({ project, session_id }));
  return [...new Map(keys.map((key) => [sessionKeyText(key), key])).values()];
}
