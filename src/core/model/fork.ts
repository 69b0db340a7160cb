import { callKeyText, threadKeyText } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";
import { isReusableId } from "./locate-call.ts";

/** The time of a thread's first request. Calls in the history of that request were made in another thread. */
export type ThreadStart = (record: CallRecord) => number | undefined;

/** Equal for records of one call in two threads; undefined until the result is known. */
export function forkKey(record: CallRecord): string | undefined {
  const { name, client_arguments, wire_result } = record.facts;
  if (wire_result === undefined) return undefined;
  const { project, tool_call_id } = record.key;
  return [project, tool_call_id, name?.value, client_arguments?.value, wire_result.value].join("\u0000");
}

/** Whether a call was in the history of its thread's first request and was not made in this thread. */
export function isCarried(record: CallRecord, threadStart: ThreadStart): boolean {
  return (
    record.facts.response_id === undefined &&
    record.first_history_at !== undefined &&
    record.first_history_at === threadStart(record)
  );
}

/**
 * Links calls that a fork or a resumed session carried over to their originals. Takes all records with the same
 * {@link forkKey}; the result does not depend on their order of arrival.
 */
export function linkForks(copies: readonly CallRecord[], threadStart: ThreadStart): readonly CallRecord[] {
  if (copies.length < 2) return copies;
  const carried = new Set(copies.filter((record) => isCarried(record, threadStart)));
  if (carried.size === 0 && !copies.some((record) => copyTime(record) !== undefined)) return copies;
  const [original] = [...copies].sort(
    (a, b) =>
      Number(carried.has(a)) - Number(carried.has(b)) ||
      a.first_at - b.first_at ||
      (callKeyText(a.key) < callKeyText(b.key) ? -1 : 1),
  );
  if (original === undefined) return copies;
  return copies.map((record) => {
    const elsewhere = threadKeyText(record.key) !== threadKeyText(original.key);
    return elsewhere && (carried.has(record) || isCopy(record, original)) ? inherit(record, original) : record;
  });
}

/**
 * A client that forks a session copies its transcript lines and replaces the session id only, so result and time are
 * the same.
 */
function isCopy(record: CallRecord, original: CallRecord): boolean {
  const at = copyTime(record);
  return at !== undefined && at === copyTime(original);
}

/** The time of the result, for calls of transcripts. Undefined for counter ids, which repeat without a fork. */
function copyTime({ key, facts, places, sources }: CallRecord): number | undefined {
  const inTranscript = sources.includes("transcript") && places.some((place) => place.startsWith("/"));
  return inTranscript && !isReusableId(key.tool_call_id) ? facts.wire_result?.at : undefined;
}

function inherit(record: CallRecord, original: CallRecord): CallRecord {
  return { ...record, inherited_from: callKeyText(original.key) };
}
