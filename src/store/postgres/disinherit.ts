import { randomInt } from "node:crypto";
import { callKeyText } from "../../core/model/call-key.ts";
import type { CallRecord } from "../../core/model/call-record.ts";
import { changedThreads, changesOf, type ForkCopy } from "../../core/model/changes.ts";
import { foldObservations, sessionKeyText } from "../../core/model/fold.ts";
import { orphanChanges } from "../../core/model/orphans.ts";
import { originalsOf, type SessionKey } from "../deletions.ts";
import { hashText } from "../hash-text.ts";
import type { Queries } from "./database.ts";
import { loadCopies, loadForkCopies, loadSessions, nothingLoaded } from "./load.ts";
import { relinked } from "./load-window.ts";
import { lockAll } from "./locks.ts";
import { write } from "./write.ts";

/**
 * Unlinks up to 200 calls of other sessions from a deleted session; returns false without such calls. See
 * `orphanChanges`.
 */
export async function disinherit(db: Queries, session: SessionKey, keepsSums: boolean): Promise<boolean> {
  const originals = originalsOf(session);
  const loadAll = async () => {
    const loaded = nothingLoaded();
    const copies = new Map<string, ForkCopy>();
    const carried = (await loadCopies(db, loaded, originals)).filter(({ record }) =>
      originals.includes(record.inherited_from ?? ""),
    );
    const records = carried.map(({ record }) => record);
    for (const copy of [...carried, ...(await loadForkCopies(db, loaded, records))])
      copies.set(callKeyText(copy.record.key), copy);
    return { loaded, copies: [...copies.values()] };
  };
  const first = await loadAll();
  if (first.copies.length === 0) return false;
  await lockAll(db, [session, ...keysOf(first.copies.map(({ record }) => record))], []);
  // Read again: another server may have written these sessions before the locks were granted.
  const { loaded, copies } = await loadAll();
  const changes = orphanChanges(copies, originals.includes, keepsSums);
  await loadSessions(db, loaded, keysOf(changes.map(({ after }) => after)));
  // One session at a time, because each has its own health thresholds.
  for (const [text, calls] of Map.groupBy(changes, ({ after }) => sessionKeyText(after.key))) {
    const changed = { calls, removed: [], joined: [] };
    const { links } = await relinked(db, changedThreads(changed, hashText), () => undefined);
    const { thresholds } = loaded.sessions.get(text) ?? {};
    const all = changesOf(loaded, foldObservations(loaded, []), changed, links, hashText, thresholds);
    await write(db, all, randomInt(2 ** 47));
  }
  return true;
}

function keysOf(records: readonly CallRecord[]): readonly { readonly project: string; readonly session_id: string }[] {
  const keys = records.map(({ key: { project, session_id } }) => ({ project, session_id }));
  return [...new Map(keys.map((key) => [sessionKeyText(key), key])).values()];
}
