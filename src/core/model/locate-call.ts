import type { GroupKey } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";
import type { Fact } from "./facts.ts";
import { locationKey, mergeObservation, mergeRecords, recordOf } from "./merge.ts";
import type { CallObservation } from "./observation.ts";

/**
 * Adds an observation to the group of calls that share its id: to the record it belongs to, or as a new one.
 * The result is numbered anew, so `occurrence` does not depend on the order of arrival.
 */
export function assignToCall(group: readonly CallRecord[], observation: CallObservation): readonly CallRecord[] {
  const at = findRecord(group, observation);
  if (at === -1)
    return number([...group, recordOf(observation, { ...groupKeyOf(observation), occurrence: group.length })]);
  const merged = mergeObservation(group[at] as CallRecord, observation);
  const next = group.map((record, index) => (index === at ? merged : record));
  return next.length === 1 ? next : number(joinTwins(next, at));
}

function groupKeyOf(observation: CallObservation): GroupKey {
  const { project, session_id, agent_id, tool_call_id } = observation;
  return { project, session_id, agent_id, tool_call_id };
}

function findRecord(group: readonly CallRecord[], observation: CallObservation): number {
  if (group.length === 0) return -1;
  if (observation.place.kind === "newest") return newestFor(group, observation);
  const place = locationKey(observation.place) as string;
  const known = group.findIndex((record) => record.places.includes(place));
  if (known !== -1) return known;
  const candidate = recordOf(observation, (group[0] as CallRecord).key);
  return group.findIndex((record) => sameCall(record, candidate));
}

/** A hook has no history: it joins the last call that had begun when it fired. */
function newestFor(group: readonly CallRecord[], observation: CallObservation): number {
  const begun = group.filter((record) => record.first_at <= observation.occurred_at);
  return begun.length === 0 ? 0 : begun.length - 1;
}

/** What arrives late may show that two records are one call: then they meet, as they would have in any other order. */
function joinTwins(group: readonly CallRecord[], at: number): readonly CallRecord[] {
  const merged = group[at] as CallRecord;
  const twin = group.findIndex((other, index) => index !== at && sameCall(other, merged));
  if (twin === -1) return group;
  const joined = mergeRecords(merged, group[twin] as CallRecord);
  return group.filter((_, index) => index !== twin && index !== at).concat(joined);
}

/** Are these two partial records one call? A random id says so by itself; a counter needs a reason. */
export function sameCall(a: CallRecord, b: CallRecord): boolean {
  if (!couldBeSame(a, b)) return false;
  if (!isReusableId(a.key.tool_call_id)) return true;
  if (a.places.length === 0 || b.places.length === 0) return true;
  if (a.places.some((place) => b.places.includes(place))) return true;
  if (a.facts.wire_result !== undefined && b.facts.wire_result !== undefined) return true;
  return countedAlike(a, b) || countedAlike(b, a);
}

/** A transcript counts through the whole thread, a history through its conversation: without a compaction the same number. */
function countedAlike(exact: CallRecord, local: CallRecord): boolean {
  return exact.places.some((place) => place.startsWith("/") && local.places.some((other) => other.endsWith(place)));
}

/** Could these two partial records be one call? No, when anything both know speaks against it. */
function couldBeSame(a: CallRecord, b: CallRecord): boolean {
  if (standApart(a, b)) return false;
  if (differ(a.facts.response_id, b.facts.response_id)) return false;
  if (differ(a.facts.client_name, b.facts.client_name)) return false;
  if (differ(a.facts.client_arguments, b.facts.client_arguments)) return false;
  // A response is news: a call that stood in the history of an earlier request is another one.
  if (answeredBefore(a, b) || answeredBefore(b, a)) return false;
  return !isReusableId(a.key.tool_call_id) || !differ(a.facts.wire_result, b.facts.wire_result);
}

/** Two places of one conversation are two calls. */
function standApart(a: CallRecord, b: CallRecord): boolean {
  const conversations = new Set(a.places.map(conversationOf));
  return b.places.some((place) => conversations.has(conversationOf(place)) && !a.places.includes(place));
}

function conversationOf(place: string): string {
  return place.slice(0, place.lastIndexOf("/"));
}

function answeredBefore(old: CallRecord, fresh: CallRecord): boolean {
  const madeAt = fresh.facts.response_id?.at;
  return (
    isReusableId(old.key.tool_call_id) &&
    madeAt !== undefined &&
    old.first_history_at !== undefined &&
    old.first_history_at < madeAt
  );
}

function differ(a: Fact<string> | undefined, b: Fact<string> | undefined): boolean {
  return a !== undefined && b !== undefined && a.value !== b.value;
}

/** Ids that a server hands out again and again: a counter, perhaps behind a name (`call_0`, `functions.bash:1`, `7`). */
export function isReusableId(id: string): boolean {
  // Here the name stands between: digits in it say nothing about the number behind it.
  if (/^functions\.[^:]*:\d{1,4}$/.test(id)) return true;
  const counter = /(?:^|[_:.-])\d{1,4}$/.exec(id);
  return counter !== null && !/\d/.test(id.slice(0, counter.index));
}

function number(group: readonly CallRecord[]): readonly CallRecord[] {
  const sorted = [...group].sort((a, b) => a.first_at - b.first_at || lowestN(a) - lowestN(b) || comparePlaces(a, b));
  return sorted.map((record, occurrence) =>
    record.key.occurrence === occurrence ? record : { ...record, key: { ...record.key, occurrence } },
  );
}

function lowestN(record: CallRecord): number {
  return Math.min(
    ...record.places.map((place) => Number(place.slice(place.lastIndexOf("/") + 1))),
    Number.MAX_SAFE_INTEGER,
  );
}

function comparePlaces(a: CallRecord, b: CallRecord): number {
  const [left, right] = [a.places.join(), b.places.join()];
  return left < right ? -1 : left > right ? 1 : 0;
}
