import { threadKeyText } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";
import type { CallChange, ForkCopy } from "./changes.ts";
import { forkKey, linkForks } from "./fork.ts";

/** Replaces the key of an original whose sums stay: the call still counts nowhere, and no longer names the deleted session. */
const REMOVED_ORIGINAL = "removed";

/**
 * Computes changes of calls that were carried over from a deleted session. The first remaining record of a call becomes the original, as if
 * the deleted session had never been recorded. If sums keep the original (`keepsSums`), copies stay uncounted: else the call would
 * count twice.
 *
 * @param twins the carried calls, and every other remaining record of the same calls
 * @param isDeleted whether a call's key, as text, is one of the deleted session
 */
export function orphanChanges(
  twins: readonly ForkCopy[],
  isDeleted: (key: string) => boolean,
  keepsSums: boolean,
): readonly CallChange[] {
  const isOrphan = ({ inherited_from: original }: CallRecord): boolean => original !== undefined && isDeleted(original);
  if (keepsSums) {
    return twins
      .filter(({ record }) => isOrphan(record))
      .map(({ record }) => ({
        kind: "enriched",
        before: record,
        after: { ...record, inherited_from: REMOVED_ORIGINAL },
        counts: false,
      }));
  }
  const starts = new Map(twins.map(({ record, thread_start }) => [threadKeyText(record.key), thread_start]));
  const changes: CallChange[] = [];
  for (const same of Map.groupBy(twins, ({ record }) => forkKey(record)).values()) {
    const before = same.map(({ record }) => record);
    const after = linkForks(
      before.map((record) => (isOrphan(record) ? withoutOriginal(record) : record)),
      (record) => starts.get(threadKeyText(record.key)),
    );
    for (const [at, record] of after.entries()) {
      const was = before[at] as CallRecord;
      if (was.inherited_from !== record.inherited_from)
        changes.push({ kind: "rejudged", before: was, after: record, counts: false });
    }
  }
  return changes;
}

function withoutOriginal({ inherited_from: _deleted, ...record }: CallRecord): CallRecord {
  return record;
}
