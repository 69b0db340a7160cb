import { type CallKey, recordId, traceId } from "../core/model/call-key.ts";
import { type CallRecord, isCounted } from "../core/model/call-record.ts";
import type { Changes } from "../core/model/changes.ts";
import { sessionKeyText } from "../core/model/fold.ts";
import type { Observation } from "../core/model/observation.ts";
import { hashText } from "./hash-text.ts";

/** A call or session to export. */
export type OutboxEntry =
  | { readonly kind: "call"; readonly id: string; readonly key: CallKey; readonly due_at: number }
  | {
      readonly kind: "session";
      readonly id: string;
      readonly key: { readonly project: string; readonly session_id: string };
      readonly due_at: number;
    };

/** A call is exported when it has not changed for this long. */
export const EXPORT_DELAY_MS = 10_000;

/** The entries that a batch adds to the outbox. Imports add none: users export the past with a backfill. */
export function outboxEntries(changes: Changes, observations: readonly Observation[]): readonly OutboxEntry[] {
  const live = new Map<string, number>();
  for (const observation of observations) {
    if (!observation.live) continue;
    const key = sessionKeyText(observation);
    live.set(key, Math.max(live.get(key) ?? 0, observation.seen_at));
  }
  const entries: OutboxEntry[] = [];
  const call = (record: CallRecord): void => {
    const seenAt = live.get(sessionKeyText(record.key));
    if (seenAt === undefined || !isCounted(record)) return;
    const id = recordId(record.key, hashText);
    entries.push({ kind: "call", id, key: record.key, due_at: seenAt + EXPORT_DELAY_MS });
  };
  for (const { record } of changes.written) call(record);
  for (const { record } of changes.relinked) call(record);
  for (const session of changes.sessions) {
    const seenAt = live.get(sessionKeyText(session));
    if (seenAt === undefined) continue;
    const { project, session_id } = session;
    const id = traceId(session, hashText);
    entries.push({ kind: "session", id, key: { project, session_id }, due_at: seenAt + EXPORT_DELAY_MS });
  }
  return entries;
}
