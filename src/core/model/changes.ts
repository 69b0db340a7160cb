import { type HealthThresholds, hasNoKnownStatus } from "../score/health.ts";
import {
  type AggregateDeltas,
  computeAggregates,
  countSessions,
  type SessionHour,
  sessionHours,
  type TallyChange,
} from "./aggregates.ts";
import { type CallKey, callKeyText, type Hasher, threadKeyText } from "./call-key.ts";
import type { CallLinks } from "./call-links.ts";
import { type CallRecord, isCounted, isSettled, recordStatus } from "./call-record.ts";
import { sameValue } from "./facts.ts";
import { type Folded, type Loaded, sessionKeyText } from "./fold.ts";
import { forkKey, linkForks } from "./fork.ts";
import { addLoopEvents } from "./loop-event.ts";
import type { CallRepairFacts, LeakObservation, SuspensionObservation } from "./observation.ts";
import type { PromptRecord } from "./prompt-record.ts";
import type { RequestRecord } from "./request-record.ts";
import {
  callRepairEvent,
  leakEvent,
  repairSuspended,
  requestRecorded,
  responseRecorded,
  type SessionEvent,
  secondChanceEvent,
  sessionEnded,
  sessionScored,
  sessionStarted,
  toolCallLinked,
  toolCallRecorded,
  toolCallRequested,
} from "./session-event.ts";
import { wordChanges } from "./session-name.ts";
import { endedAt, isFinished, type SessionRecord, scoredAt, sessionAggregatesOf } from "./session-record.ts";
import { type LinkChange, type ThreadChange, threadChanges } from "./thread-change.ts";
import { isWrapperOnly } from "./unjoined.ts";
import { changesOfTokens, type TokenDelta, type UsageChange } from "./usage-record.ts";

/** A record found in another thread, with the start of that thread. */
export interface ForkCopy {
  readonly record: CallRecord;
  readonly thread_start: number | undefined;
}

export type CallChangeKind = "inserted" | "settled" | "reclassified" | "enriched";

/** The change of one call by one batch. */
export interface CallChange {
  readonly kind: CallChangeKind;
  readonly before: CallRecord | undefined;
  readonly after: CallRecord;
  /** Whether live counters are incremented. */
  readonly counts: boolean;
}

/** The changes of calls by one batch, before links are computed. */
export interface CallChanges {
  readonly calls: readonly CallChange[];
  /** Keys without a record since two records were joined. */
  readonly removed: readonly CallKey[];
  /** Records that were merged into another one. */
  readonly joined: readonly CallRecord[];
}

/** A call with its current links. */
export interface WrittenCall {
  readonly record: CallRecord;
  readonly links: CallLinks | undefined;
}

/** Everything a store writes and emits for a batch. */
export interface Changes extends AggregateDeltas {
  readonly calls: readonly CallChange[];
  readonly removed: readonly CallKey[];
  /** The calls of `calls`, with their links. */
  readonly written: readonly WrittenCall[];
  /** Calls of which only the links changed. */
  readonly relinked: readonly LinkChange[];
  /** Only sessions, requests and prompts that changed. */
  readonly sessions: readonly SessionRecord[];
  readonly sessionHours: readonly SessionHour[];
  readonly threads: ReadonlyMap<string, number>;
  readonly requests: readonly RequestRecord[];
  readonly leaks: readonly LeakObservation[];
  readonly suspensions: readonly SuspensionObservation[];
  readonly prompts: readonly PromptRecord[];
  readonly usages: readonly UsageChange[];
  readonly tokens: readonly TokenDelta[];
  readonly events: readonly SessionEvent[];
}

/**
 * First step: computes which calls a batch changed, links fork copies to their originals, and decides which calls to
 * count.
 */
export function callChangesOf(folded: Folded, copies: readonly ForkCopy[], live: boolean): CallChanges {
  const linked = linkForkCopies(folded, copies);
  const calls: CallChange[] = [];
  const removed: CallKey[] = [];
  const joined: CallRecord[] = [];
  for (const group of folded.groups.values()) {
    const unmatched = new Set(group.before);
    for (const record of group.after) {
      const after = linked.get(callKeyText(record.key)) ?? record;
      const before = previousRecord(unmatched, record);
      if (before !== undefined) unmatched.delete(before);
      if (before === undefined || !sameValue(before, after)) {
        calls.push(changeOf(before, after, live && group.settledLive, linked));
      }
    }
    joined.push(...unmatched);
    const keys = new Set(group.after.map(({ key }) => key.occurrence));
    removed.push(...group.before.map(({ key }) => key).filter(({ occurrence }) => !keys.has(occurrence)));
  }
  for (const { record } of copies) {
    const after = linked.get(callKeyText(record.key));
    if (after !== undefined && after.inherited_from !== record.inherited_from && !inBatch(folded, record)) {
      calls.push(changeOf(record, after, false, linked));
    }
  }
  return { calls, removed, joined };
}

/** The parts of threads that must be relinked before the second step. */
export function changedThreads({ calls, joined }: CallChanges, hash: Hasher): readonly ThreadChange[] {
  return threadChanges([...calls, ...joined.map((before) => ({ before, after: undefined }))], hash);
}

/** Second step, with links: computes the differences of aggregates, and the events. */
export function changesOf(
  loaded: Loaded,
  folded: Folded,
  { calls, removed, joined }: CallChanges,
  linkChanges: readonly LinkChange[],
  hash: Hasher,
  thresholds?: HealthThresholds,
): Changes {
  const relinked = new Map(linkChanges.map((change) => [callKeyText(change.record.key), change]));
  const known = (record: CallRecord): CallLinks | undefined => loaded.links.get(callKeyText(record.key));
  const moves: TallyChange[] = [];
  const written: WrittenCall[] = [];
  for (const { before, after } of calls) {
    const key = callKeyText(after.key);
    const links = isCounted(after) ? (relinked.get(key)?.after ?? known(after)) : undefined;
    relinked.delete(key);
    if (before !== undefined) moves.push({ record: before, links: known(before), times: -1 });
    moves.push({ record: after, links, times: 1 });
    written.push({ record: after, links });
  }
  for (const record of joined) moves.push({ record, links: known(record), times: -1 });
  for (const { record, before, after } of relinked.values()) {
    moves.push({ record, links: before, times: -1 }, { record, links: after, times: 1 });
  }
  const usages = usageChanges(loaded, folded);
  const sessions = countSessions(loaded, folded, moves, usages)
    .map((session) => withThresholds(session, thresholds))
    .filter((session) => !sameValue(loaded.sessions.get(sessionKeyText(session)), session));
  const aggregates = computeAggregates(moves);
  const words = sessions.flatMap((after) => wordChanges(loaded.sessions.get(sessionKeyText(after)), after));
  return {
    ...aggregates,
    facets: words.length === 0 ? aggregates.facets : [...aggregates.facets, ...words],
    sessions,
    sessionHours: sessionHours(loaded, sessions),
    calls,
    removed,
    written,
    relinked: [...relinked.values()],
    threads: new Map([...folded.threads].filter(([key, start]) => loaded.threads.get(key) !== start)),
    requests: changedValues(loaded.requests, folded.requests),
    leaks: [...folded.leaks.values()],
    suspensions: [...folded.suspensions.values()],
    prompts: changedValues(loaded.prompts, folded.prompts),
    usages,
    tokens: changesOfTokens(usages),
    events: eventsOf(loaded, folded, { calls, written, relinked: [...relinked.values()] }, sessions, hash),
  };
}

/** Compares by identity: a merge that changes nothing returns the same object. */
function changedValues<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): readonly T[] {
  return [...after].filter(([key, value]) => before.get(key) !== value).map(([, value]) => value);
}

function usageChanges(loaded: Loaded, { usages, liveUsages }: Folded): readonly UsageChange[] {
  return [...usages].flatMap(([key, after]) => {
    const before = loaded.usages.get(key);
    return before === after ? [] : [{ before, after, live: liveUsages.has(key) }];
  });
}

function withThresholds(session: SessionRecord, thresholds: HealthThresholds | undefined): SessionRecord {
  if (thresholds === undefined && session.thresholds === undefined) return session;
  const { thresholds: _earlier, ...rest } = session;
  return thresholds === undefined ? rest : { ...rest, thresholds };
}

/** The record before the batch. Matched by place, not by `occurrence`: a late observation may renumber a group. */
function previousRecord(before: ReadonlySet<CallRecord>, after: CallRecord): CallRecord | undefined {
  for (const record of before) {
    if (record === after || record.places.some((place) => after.places.includes(place))) return record;
  }
  for (const record of before) if (record.places.length === 0) return record;
  return undefined;
}

function inBatch(folded: Folded, record: CallRecord): boolean {
  const key = callKeyText(record.key);
  for (const group of folded.groups.values()) {
    if (group.after.some((other) => callKeyText(other.key) === key)) return true;
  }
  return false;
}

/**
 * The records of this batch and their copies in other threads, by key, linked to their originals. Empty if there are no
 * copies.
 */
function linkForkCopies(folded: Folded, copies: readonly ForkCopy[]): ReadonlyMap<string, CallRecord> {
  if (copies.length === 0 && hasUniqueIds(folded)) return new Map();
  const starts = new Map<string, number | undefined>();
  const byKey = new Map<string, CallRecord>();
  for (const { record, thread_start } of copies) {
    byKey.set(callKeyText(record.key), record);
    starts.set(threadKeyText(record.key), thread_start);
  }
  for (const [thread, start] of folded.threads) starts.set(thread, start);
  for (const group of folded.groups.values())
    for (const record of group.after) byKey.set(callKeyText(record.key), record);
  const byForkKey = new Map<string, CallRecord[]>();
  for (const record of byKey.values()) {
    const key = forkKey(record);
    if (key === undefined) continue;
    const same = byForkKey.get(key);
    if (same === undefined) byForkKey.set(key, [record]);
    else same.push(record);
  }
  const linked = new Map<string, CallRecord>();
  for (const same of byForkKey.values()) {
    if (same.length < 2) continue;
    for (const record of linkForks(same, (one) => starts.get(threadKeyText(one.key)))) {
      linked.set(callKeyText(record.key), record);
    }
  }
  return linked;
}

/** Whether every call id occurs in one group only: then the batch itself contains no fork copies. */
function hasUniqueIds({ groups }: Folded): boolean {
  const ids = new Set<string>();
  for (const { after } of groups.values()) {
    const [first] = after;
    if (first === undefined) continue;
    if (ids.has(first.key.tool_call_id)) return false;
    ids.add(first.key.tool_call_id);
  }
  return true;
}

function changeOf(
  before: CallRecord | undefined,
  after: CallRecord,
  live: boolean,
  linked: ReadonlyMap<string, CallRecord>,
): CallChange {
  const was = before === undefined ? "pending" : recordStatus(before);
  const is = recordStatus(after);
  const settles = was === "pending" && is !== "pending";
  // An assumed result is counted too: a tool that never returns must show in the counters. They cannot go back, so a
  // late result does not change them.
  const reports = before !== undefined && !isSettled(before) && isSettled(after);
  const eligible = (settles || reports) && live && !after.counted && after.inherited_from === undefined;
  const isCopyCounted =
    eligible && [...linked.values()].some((one) => one.counted && one.inherited_from === callKeyText(after.key));
  return {
    kind: settles
      ? "settled"
      : before === undefined
        ? "inserted"
        : hasSameOutcome(before, after)
          ? "enriched"
          : "reclassified",
    before,
    after: eligible ? { ...after, counted: true } : after,
    counts: eligible && !isCopyCounted,
  };
}

function hasSameOutcome(a: CallRecord, b: CallRecord): boolean {
  return (
    a.inherited_from === b.inherited_from && sameValue(a.facts.result?.value.outcome, b.facts.result?.value.outcome)
  );
}

function eventsOf(
  loaded: Loaded,
  folded: Folded,
  changes: Pick<Changes, "calls" | "written" | "relinked">,
  sessions: readonly SessionRecord[],
  hash: Hasher,
): readonly SessionEvent[] {
  const events: (SessionEvent | undefined)[] = [];
  for (const [key, session] of folded.sessions)
    if (!loaded.sessions.has(key)) events.push(sessionStarted(session, hash));
  for (const [key, record] of folded.requests) {
    const known = loaded.requests.get(key);
    if (known?.request === undefined) events.push(requestRecorded(record, hash));
    if (known?.response === undefined) events.push(responseRecorded(record, hash), secondChanceEvent(record, hash));
  }
  addCallEvents(events, changes, ({ key }) => loaded.links.get(callKeyText(key)), hash);
  for (const leak of folded.leaks.values()) events.push(leakEvent(leak, hash));
  for (const suspension of folded.suspensions.values()) events.push(repairSuspended(suspension, hash));
  for (const session of sessions) {
    const before = loaded.sessions.get(sessionKeyText(session));
    if (isFinished(session) && !hasSameScores(session, before)) events.push(sessionScored(session, hash));
    const end = endedAt(session);
    if (end !== undefined && (before === undefined || end !== endedAt(before)))
      events.push(sessionEnded(session, hash));
  }
  return events.filter((event) => event !== undefined);
}

/**
 * What repair did to a call, if a batch was the first to report it. A call that only a wrapper of an MCP server
 * reported waits for the model's side: it may become part of another record, which would report it again.
 */
export function newCallRepair(before: CallRecord | undefined, after: CallRecord): CallRepairFacts | undefined {
  const reported = (record: CallRecord): CallRepairFacts | undefined =>
    isWrapperOnly(record) ? undefined : record.facts.call_repair?.value;
  return before === undefined || reported(before) === undefined ? reported(after) : undefined;
}

function addCallEvents(
  events: (SessionEvent | undefined)[],
  { calls, written, relinked }: Pick<Changes, "calls" | "written" | "relinked">,
  loadedLinks: (record: CallRecord) => CallLinks | undefined,
  hash: Hasher,
): void {
  for (const [at, { before, after, kind }] of calls.entries()) {
    if (after.inherited_from !== undefined) continue;
    if (before === undefined) events.push(toolCallRequested(after, hash));
    const repair = newCallRepair(before, after);
    if (repair !== undefined) events.push(callRepairEvent(after, repair, hash));
    if (kind === "settled" || kind === "reclassified") events.push(toolCallRecorded(after, written[at]?.links, hash));
  }
  for (const { record, before, after } of relinked) {
    if (!equalExceptPosition(before, after)) events.push(toolCallLinked(record, after, hash));
  }
  for (const { record, links } of written) addLoopEvents(events, record, loadedLinks(record), links, hash);
  for (const { record, before, after } of relinked) addLoopEvents(events, record, before, after, hash);
}

/** Prevents a second `session_scored` when a stopped session becomes idle: its scores are the same. */
function hasSameScores(session: SessionRecord, before: SessionRecord | undefined): boolean {
  if (before === undefined || !isFinished(before) || scoredAt(before) !== scoredAt(session)) return false;
  const inputs = (of: SessionRecord): unknown[] => [
    ...[of.tally, of.categories, of.severities, of.thresholds ?? null, hasNoKnownStatus(sessionAggregatesOf(of))],
  ];
  return sameValue(inputs(before), inputs(session));
}

/** A late call shifts the positions of all later ones; that alone is not worth an event for each. */
function equalExceptPosition(a: CallLinks | undefined, b: CallLinks | undefined): boolean {
  return a !== undefined && b !== undefined && sameValue({ ...a, position: 0 }, { ...b, position: 0 });
}
