import { callKeyText, threadKeyText } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";
import { isReusableId } from "./locate-call.ts";

/** When a thread's first request was seen: what it already carried then, it did not do itself. */
export type ThreadStart = (record: CallRecord) => number | undefined;

/** What two records must share to be one call seen from two threads; undefined while the result is not known. */
export function forkKey(record: CallRecord): string | undefined {
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
 * Links what a fork or a resumed session carried over to where it was done. Takes all records with the same {@link forkKey};
 * the verdict does not depend on which of them arrived first.
 */
export function linkForks(twins: readonly CallRecord[], threadStart: ThreadStart): readonly CallRecord[] {
  if (twins.length < 2) return twins;
  const carried = new Set(twins.filter((record) => isCarried(record, threadStart)));
  if (carried.size === 0 && !twins.some((record) => copyTime(record) !== undefined)) return twins;
  const original = [...twins].sort(
    (a, b) =>
      Number(carried.has(a)) - Number(carried.has(b)) ||
      a.first_at - b.first_at ||
      (callKeyText(a.key) < callKeyText(b.key) ? -1 : 1),
  )[0] as CallRecord;
  return twins.map((record) => {
    const elsewhere = threadKeyText(record.key) !== threadKeyText(original.key);
    return elsewhere && (carried.has(record) || isCopy(record, original)) ? inherit(record, original) : record;
  });
}

/** Clients that fork a session copy the lines of its transcript as they are, but for the session's id: the same result at the very same moment. */
function isCopy(record: CallRecord, original: CallRecord): boolean {
  const at = copyTime(record);
  return at !== undefined && at === copyTime(original);
}

/** When the result was written, for a call that a transcript shows and whose id is no counter: those come again by themselves. */
function copyTime({ key, facts, places, sources }: CallRecord): number | undefined {
  const inTranscript = sources.includes("transcript") && places.some((place) => place.startsWith("/"));
  return inTranscript && !isReusableId(key.tool_call_id) ? facts.wire_result?.at : undefined;
}

function inherit(record: CallRecord, original: CallRecord): CallRecord {
  return { ...record, inherited_from: callKeyText(original.key) };
}
