import { threadKeyText } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";
import type { CallChange, ForkCopy } from "./changes.ts";
import { forkKey, linkForks } from "./fork.ts";
import { present } from "./narrow.ts";

/**
 * Replaces the key of a deleted original that the aggregates still count: the copy stays uncounted and no longer refers
 * to the deleted session.
 */
const REMOVED_ORIGINAL = "removed";

/**
 * Computes the changes of calls that were carried over from a deleted session. The first remaining record of a call
 * becomes the original, as if the deleted session had never been recorded. If the aggregates keep counting the original
 * (`keepsSums`), copies stay uncounted: otherwise the call would be counted twice.
 *
 * @param copies the carried calls, and every other remaining record of the same calls
 * @param isDeleted whether a call's key, as text, is one of the deleted session
 */
export function orphanChanges(
  copies: readonly ForkCopy[],
  isDeleted: (key: string) => boolean,
  keepsSums: boolean,
): readonly CallChange[] {
  const isOrphan = ({ inherited_from: original }: CallRecord): boolean => original !== undefined && isDeleted(original);
  if (keepsSums) {
    return copies
      .filter(({ record }) => isOrphan(record))
      .map(({ record }) => ({
        kind: "enriched",
        before: record,
        after: { ...record, inherited_from: REMOVED_ORIGINAL },
        counts: false,
      }));
  }
  const starts = new Map(copies.map(({ record, thread_start }) => [threadKeyText(record.key), thread_start]));
  const changes: CallChange[] = [];
  for (const same of Map.groupBy(copies, ({ record }) => forkKey(record)).values()) {
    const before = same.map(({ record }) => record);
    const after = linkForks(
      before.map((record) => (isOrphan(record) ? withoutOriginal(record) : record)),
      (record) => starts.get(threadKeyText(record.key)),
    );
    for (const [at, record] of after.entries()) {
      const was = present(before[at]);
      if (was.inherited_from !== record.inherited_from)
        changes.push({ kind: "reclassified", before: was, after: record, counts: false });
    }
  }
  return changes;
}

function withoutOriginal({ inherited_from: _deleted, ...record }: CallRecord): CallRecord {
  return record;
}
