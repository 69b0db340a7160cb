import { groupKeyText } from "./call-key.ts";
import { type CallRecord, toolName } from "./call-record.ts";
import { type Folded, type Loaded, sessionKeyText } from "./fold.ts";
import { recordsToJoin, replaceRecord } from "./join-records.ts";
import { isReusableId } from "./locate-call.ts";
import { mergeRecords } from "./merge.ts";
import { hasTokens } from "./token-usage.ts";
import { sendsNoSessionId, unjoined } from "./unjoined.ts";
import { USAGE_RANK, type UsageRecord, usageKeyText } from "./usage-record.ts";

/** Maximum time between the two recordings of a call whose id could repeat. */
const MAX_DISTANCE_MS = 10 * 60 * 1000;

/**
 * Merges calls from the transcripts and hooks of clients that send no session id with the calls that the proxy recorded
 * under a derived session, by their id. The call and session of the proxy remain. A call that could match two of the
 * proxy's stays separate.
 *
 * @param stored stored records that may belong together with records of the batch
 * @param usages stored usages that may belong together with usages of the batch
 */
export function joinClientCalls(
  folded: Folded,
  loaded: Pick<Loaded, "groups" | "sessions">,
  stored: readonly CallRecord[],
  usages: readonly UsageRecord[],
): Folded {
  const isReported = (record: CallRecord): boolean => unjoined(record) === 3 && record.inherited_from === undefined;
  const all = recordsToJoin(folded.groups, stored, isReported);
  const reported = all.filter(isReported);
  const joinedUsages = joinUsages(folded, loaded, usages);
  if (reported.length === 0) return { ...folded, usages: joinedUsages };
  const groups = new Map(folded.groups);
  const joinedSessions = new Map(folded.joinedSessions);
  const made = Map.groupBy(
    all.filter((record) => record.sources.includes("proxy") && record.inherited_from === undefined),
    ({ key }) => key.tool_call_id,
  );
  for (const call of reported) {
    const sameId = made.get(call.key.tool_call_id) ?? [];
    const [target, ...others] = sameId.filter((record) => isSameCall(record, call));
    if (target === undefined || others.length > 0) continue;
    const joined = mergeRecords(target, moved(call, target));
    sameId[sameId.indexOf(target)] = joined;
    replaceRecord(groups, loaded, target, joined, groups.get(groupKeyText(call.key))?.settledLive === true);
    replaceRecord(groups, loaded, call, undefined, false);
    noteJoin(joinedSessions, call, target);
  }
  return { ...folded, groups, joinedSessions, usages: joinedUsages };
}

/**
 * The call as part of a record of another session. Its prompt is stored with its own session. Its place is marked with
 * that session, so that the same call is recognized when it is reported again.
 */
function moved(call: CallRecord, { key }: CallRecord): CallRecord {
  const { prompt: _other, ...facts } = call.facts;
  return { ...call, key, facts, places: call.places.map((place) => placeOf(call, place)) };
}

function placeOf({ key }: CallRecord, place: string): string {
  return place.startsWith(`/${key.session_id}/`) ? place : `/${key.session_id}${place}`;
}

/** Whether a reported call is this call of the proxy, which has the same id. */
function isSameCall(made: CallRecord, call: CallRecord): boolean {
  const { project, session_id, tool_call_id: id } = call.key;
  if (made.key.project !== project || made.key.session_id === session_id) return false;
  return isGlobalId(id) || (isSimilar(made, call) && !isOfAnotherSession(made, call));
}

/** Whether the call was joined with that of another session of the client. */
function isOfAnotherSession({ places }: CallRecord, call: CallRecord): boolean {
  const own = call.places.map((place) => placeOf(call, place));
  return own.length > 0 && places.some((place) => place.startsWith("/") && !own.includes(place));
}

/** Whether tool and arguments are equal and the times fit; for reusable ids, also the result. */
function isSimilar(made: CallRecord, call: CallRecord): boolean {
  if (toolName(made) !== toolName(call) || Math.abs(made.first_at - call.first_at) > MAX_DISTANCE_MS) return false;
  const fingerprint = call.facts.arguments?.value.fingerprint;
  if (fingerprint === undefined || fingerprint !== made.facts.arguments?.value.fingerprint) return false;
  if (!isReusableId(call.key.tool_call_id)) return true;
  const text = call.facts.wire_result?.value;
  return text !== undefined && text === made.facts.wire_result?.value;
}

/**
 * An id with enough random characters to be unique: `call_` or `toolu_` and 24 of them, or a UUID. Letters after a
 * digit distinguish it from a name with a number.
 */
export function isGlobalId(id: string): boolean {
  const random = id.replace(/^[a-z]+[_-]/i, "").replaceAll("-", "");
  return /[A-Za-z0-9]{16}/.test(random) && /\d[A-Za-z]/.test(random);
}

function noteJoin(sessions: Map<string, string>, call: CallRecord, { key }: CallRecord): void {
  const text = sessionKeyText(call.key);
  const known = sessions.get(text);
  if (known === undefined || key.session_id < known) sessions.set(text, key.session_id);
}

/**
 * Omits tokens that a client reported for responses whose tokens the proxy recorded: those of a turn with the same
 * first call, and of responses without calls after it.
 */
function joinUsages(
  { usages, sessions }: Pick<Folded, "usages" | "sessions">,
  loaded: Pick<Loaded, "sessions">,
  stored: readonly UsageRecord[],
): Folded["usages"] {
  if (![...usages.values(), ...stored].some((record) => !isOfProxy(record))) return usages;
  const joined = new Map(usages);
  const known = new Map(stored.map((record) => [usageKeyText(record), record]));
  const all = new Map([...known, ...usages]);
  const clientOf = (record: UsageRecord): string | undefined => {
    const text = sessionKeyText(record);
    return (sessions.get(text) ?? loaded.sessions.get(text))?.client?.value;
  };
  const ofProxy = Map.groupBy([...all.values()].filter(isOfProxy), turnText);
  for (const [key, record] of all) {
    const turn = record.turn?.value;
    if (turn === undefined || !isGlobalId(turn) || isOfProxy(record)) continue;
    const other = ofProxy.get(turnText(record))?.find(({ session_id }) => session_id !== record.session_id);
    // Only the session of the batch was loaded.
    if (other === undefined || !sendsNoSessionId(clientOf(record) ?? clientOf(other))) continue;
    const before = known.get(key);
    if (before === undefined) joined.delete(key);
    else joined.set(key, hasTokens(before.usage) ? { ...before, usage: {} } : before);
  }
  return joined;
}

function turnText({ project, turn }: UsageRecord): string {
  return `${project}\u0000${turn?.value ?? ""}`;
}

function isOfProxy({ agent_id }: UsageRecord): boolean {
  return agent_id.rank === USAGE_RANK.proxy;
}
