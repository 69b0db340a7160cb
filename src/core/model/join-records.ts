import { callKeyText, groupKeyText } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";
import type { FoldedGroup, Loaded } from "./fold.ts";

/**
 * The records of a batch, and stored records that may belong together with them, by time. Empty if `isUnjoined` returns
 * false for all of them, which is true for nearly every batch.
 */
export function recordsToJoin(
  groups: ReadonlyMap<string, FoldedGroup>,
  stored: readonly CallRecord[],
  isUnjoined: (record: CallRecord) => boolean,
): readonly CallRecord[] {
  if (!stored.some(isUnjoined) && ![...groups.values()].some(({ after }) => after.some(isUnjoined))) return [];
  const records = new Map<string, CallRecord>();
  for (const record of stored) records.set(callKeyText(record.key), record);
  for (const { before, after } of groups.values()) {
    for (const record of before) records.delete(callKeyText(record.key));
    for (const record of after) records.set(callKeyText(record.key), record);
  }
  return [...records.values()].sort(byTime);
}

/** Replaces a record of a batch or of the store; removes it if `next` is undefined. */
export function replaceRecord(
  groups: Map<string, FoldedGroup>,
  loaded: Pick<Loaded, "groups">,
  record: CallRecord,
  next: CallRecord | undefined,
  settledLive: boolean,
): void {
  const text = groupKeyText(record.key);
  const before = groups.get(text)?.before ?? loaded.groups.get(text) ?? [record];
  const after = groups.get(text)?.after ?? before;
  const { occurrence } = record.key;
  groups.set(text, {
    before,
    after: after.flatMap((one) => (one.key.occurrence !== occurrence ? [one] : next === undefined ? [] : [next])),
    settledLive: settledLive || groups.get(text)?.settledLive === true,
  });
}

function byTime(a: CallRecord, b: CallRecord): number {
  return (
    a.first_at - b.first_at ||
    (a.facts.turn_index?.value ?? 0) - (b.facts.turn_index?.value ?? 0) ||
    (callKeyText(a.key) < callKeyText(b.key) ? -1 : 1)
  );
}
