import { callKeyText, threadKeyText } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";

/** When a thread's first request was seen: what it already carried then, it did not do itself. */
export type ThreadStart = (record: CallRecord) => number | undefined;

/** What two records must share to be one call seen from two threads; undefined while the result is not known. */
export function twinKey(record: CallRecord): string | undefined {
  const { name, client_arguments, wire_result } = record.facts;
  if (wire_result === undefined) return undefined;
  const { project, tool_call_id } = record.key;
  return [project, tool_call_id, name?.value, client_arguments?.value, wire_result.value].join("\u0000");
}

/** Stood in the history of its thread's first request, and was not made in this thread. */
export function isCarried(record: CallRecord, threadStart: ThreadStart): boolean {
  return (
    record.facts.response_id === undefined &&
    record.first_history_at !== undefined &&
    record.first_history_at === threadStart(record)
  );
}

/**
 * Links what a fork or a resumed session carried over to where it was done. Takes all records with the same {@link twinKey};
 * the verdict does not depend on which of them arrived first.
 */
export function linkForks(twins: readonly CallRecord[], threadStart: ThreadStart): readonly CallRecord[] {
  if (twins.length < 2) return twins;
  const carried = new Set(twins.filter((record) => isCarried(record, threadStart)));
  if (carried.size === 0) return twins;
  const original = [...twins].sort(
    (a, b) =>
      Number(carried.has(a)) - Number(carried.has(b)) ||
      a.first_at - b.first_at ||
      (callKeyText(a.key) < callKeyText(b.key) ? -1 : 1),
  )[0] as CallRecord;
  return twins.map((record) => {
    const elsewhere = threadKeyText(record.key) !== threadKeyText(original.key);
    return carried.has(record) && elsewhere ? inherit(record, original) : record;
  });
}

function inherit(record: CallRecord, original: CallRecord): CallRecord {
  return { ...record, inherited_from: callKeyText(original.key) };
}
