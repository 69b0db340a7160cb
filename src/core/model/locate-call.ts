import type { GroupKey } from "./call-key.ts";
import type { CallRecord } from "./call-record.ts";
import type { Fact } from "./facts.ts";
import { locationKey, mergeObservation, mergeRecords, recordOf } from "./merge.ts";
import type { CallObservation } from "./observation.ts";

/**
 * Merges an observation into its record within the group of calls that share its id, or adds a record.
 * The group is renumbered, so `occurrence` does not depend on the order of arrival.
 */
export function assignToCall(group: readonly CallRecord[], observation: CallObservation): readonly CallRecord[] {
  const at = findRecord(group, observation);
  const known = group[at];
  if (known === undefined)
    return insert(group, recordOf(observation, { ...groupKeyOf(observation), occurrence: group.length }));
  const merged = mergeObservation(known, observation);
  return group.length === 1 ? [merged] : insertJoined(group.toSpliced(at, 1), merged);
}

function groupKeyOf(observation: CallObservation): GroupKey {
  const { project, session_id, agent_id, tool_call_id } = observation;
  return { project, session_id, agent_id, tool_call_id };
}

function findRecord(group: readonly CallRecord[], observation: CallObservation): number {
  const [first] = group;
  if (first === undefined) return -1;
  const place = locationKey(observation.place);
  if (place === undefined) return newestFor(group, observation);
  const known = group.findIndex((record) => record.places.includes(place));
  if (known !== -1) return known;
  const candidate = recordOf(observation, first.key);
  return group.findIndex((record) => sameCall(record, candidate));
}

/** A hook event has no history: it belongs to the last call that had started when the hook ran. */
function newestFor(group: readonly CallRecord[], observation: CallObservation): number {
  const begun = group.filter((record) => record.first_at <= observation.occurred_at);
  return begun.length === 0 ? 0 : begun.length - 1;
}

/** A late observation may show that two records are one call. They are joined, as in any other order of arrival. */
function insertJoined(others: readonly CallRecord[], merged: CallRecord): readonly CallRecord[] {
  const at = others.findIndex((other) => sameCall(other, merged));
  const duplicate = others[at];
  if (duplicate === undefined) return insert(others, merged);
  return insert(others.toSpliced(at, 1), mergeRecords(merged, duplicate));
}

/** Whether two partial records are one call. A shared random id is sufficient; a counter id needs further evidence. */
export function sameCall(a: CallRecord, b: CallRecord): boolean {
  if (!couldBeSame(a, b)) return false;
  if (!isReusableId(a.key.tool_call_id)) return true;
  if (a.places.length === 0 || b.places.length === 0) return true;
  if (a.places.some((place) => b.places.includes(place))) return true;
  if (a.facts.wire_result !== undefined && b.facts.wire_result !== undefined) return true;
  return haveSameNumber(a, b) || haveSameNumber(b, a) || isCarriedOver(a, b) || isCarriedOver(b, a);
}

/**
 * Whether a compaction carried a call over: a response made it, its own conversation did not continue, and a later
 * conversation contains the same call with a result.
 */
function isCarriedOver(made: CallRecord, carried: CallRecord): boolean {
  const { response_id, name, arguments: args } = made.facts;
  const { facts, first_history_at: carriedAt } = carried;
  if (response_id === undefined || made.first_history_at !== undefined || carriedAt === undefined) return false;
  return (
    facts.response_id === undefined &&
    facts.wire_result !== undefined &&
    carriedAt >= response_id.at &&
    name !== undefined &&
    name.value === facts.name?.value &&
    args?.value.fingerprint !== undefined &&
    args.value.fingerprint === facts.arguments?.value.fingerprint
  );
}

/**
 * A transcript counts within the thread, a history within its conversation. Without a compaction both numbers are
 * equal.
 */
function haveSameNumber(exact: CallRecord, local: CallRecord): boolean {
  return exact.places.some((place) => place.startsWith("/") && local.places.some((other) => other.endsWith(place)));
}

/** Whether no fact that both records have contradicts that they are one call. */
function couldBeSame(a: CallRecord, b: CallRecord): boolean {
  if (haveDistinctPlaces(a, b)) return false;
  if (differ(a.facts.response_id, b.facts.response_id)) return false;
  if (differ(a.facts.client_name, b.facts.client_name)) return false;
  if (differ(a.facts.client_arguments, b.facts.client_arguments)) return false;
  // A response makes a new call: one that an earlier request's history contains is another call.
  if (isInEarlierHistory(a, b) || isInEarlierHistory(b, a)) return false;
  return !isReusableId(a.key.tool_call_id) || !differ(a.facts.wire_result, b.facts.wire_result);
}

/** Two places in one conversation belong to two calls. */
function haveDistinctPlaces(a: CallRecord, b: CallRecord): boolean {
  const [only] = a.places;
  // The usual case, compared without new objects: for a reused id, every pair of its calls is compared.
  if (only !== undefined && a.places.length === 1)
    return b.places.some((place) => place !== only && isInConversationOf(only, place));
  const conversations = new Set(a.places.map(conversationOf));
  return b.places.some((place) => conversations.has(conversationOf(place)) && !a.places.includes(place));
}

function conversationOf(place: string): string {
  return place.slice(0, place.lastIndexOf("/"));
}

function isInConversationOf(place: string, other: string): boolean {
  const end = place.lastIndexOf("/");
  return end === other.lastIndexOf("/") && other.startsWith(place.slice(0, end));
}

function isInEarlierHistory(old: CallRecord, fresh: CallRecord): boolean {
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

/** Whether a server reuses such ids: a counter, with or without a prefix (`call_0`, `functions.bash:1`, `7`). */
export function isReusableId(id: string): boolean {
  // The tool name may contain digits, which do not make the id random.
  if (/^functions\.[^:]*:\d{1,4}$/.test(id)) return true;
  const counter = /(?:^|[_:.-])\d{1,4}$/.exec(id);
  return counter !== null && !/\d/.test(id.slice(0, counter.index));
}

/** Adds a record to a group that is in order, and renumbers the records behind it. */
function insert(group: readonly CallRecord[], record: CallRecord): readonly CallRecord[] {
  let at = group.length;
  while (at > 0 && compareCalls(group[at - 1] as CallRecord, record) > 0) at -= 1;
  return group.toSpliced(at, 0, record).map((one, occurrence) => numbered(one, occurrence));
}

function numbered(record: CallRecord, occurrence: number): CallRecord {
  return record.key.occurrence === occurrence ? record : { ...record, key: { ...record.key, occurrence } };
}

function compareCalls(a: CallRecord, b: CallRecord): number {
  return a.first_at - b.first_at || lowestN(a) - lowestN(b) || comparePlaces(a, b);
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
