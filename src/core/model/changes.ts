import type { HealthThresholds } from "../score/health.ts";
import {
  type AggregateDeltas,
  computeAggregates,
  countSessions,
  type Move,
  type SessionHour,
  sessionHours,
} from "./aggregates.ts";
import { type CallKey, callKeyText, type Hasher, threadKeyText } from "./call-key.ts";
import type { CallLinks } from "./call-links.ts";
import { type CallRecord, isCounted, isSettled, recordStatus } from "./call-record.ts";
import { sameValue } from "./facts.ts";
import { type Folded, type Loaded, sessionKeyText } from "./fold.ts";
import { forkKey, linkForks } from "./fork.ts";
import type { LeakObservation, SuspensionObservation } from "./observation.ts";
import type { PromptRecord } from "./prompt-record.ts";
import type { RequestRecord } from "./request-record.ts";
import {
  leakEvent,
  repairSuspended,
  requestRecorded,
  responseRecorded,
  type SessionEvent,
  sessionEnded,
  sessionScored,
  sessionStarted,
  toolCallLinked,
  toolCallRecorded,
  toolCallRequested,
} from "./session-event.ts";
import { endedAt, isFinished, type SessionRecord, scoredAt } from "./session-record.ts";
import { type LinkChange, type ThreadChange, threadChanges } from "./thread-change.ts";

/** A record found in another thread, with the start of that thread. */
export interface ForkCopy {
  readonly record: CallRecord;
  readonly thread_start: number | undefined;
}

export type CallChangeKind = "inserted" | "settled" | "rejudged" | "enriched";

/** What became of one call in one batch. */
export interface CallChange {
  readonly kind: CallChangeKind;
  readonly before: CallRecord | undefined;
  readonly after: CallRecord;
  /** Live counters move for this change. */
  readonly counts: boolean;
}

/** What became of the calls of a batch, before links are known. */
export interface CallChanges {
  readonly calls: readonly CallChange[];
  /** Keys under which nothing stands any more: two records turned out to be one. */
  readonly removed: readonly CallKey[];
  /** Records that became part of another one. */
  readonly joined: readonly CallRecord[];
}

/** A call and the links it has now. */
export interface WrittenCall {
  readonly record: CallRecord;
  readonly links: CallLinks | undefined;
}

/** Everything a store writes for a batch, and everything others are told about it. */
export interface Changes extends AggregateDeltas {
  readonly calls: readonly CallChange[];
  readonly removed: readonly CallKey[];
  /** The calls of `calls`, with their links. */
  readonly written: readonly WrittenCall[];
  /** Calls of which the links alone are new. */
  readonly relinked: readonly LinkChange[];
  /** Sessions, requests and prompts are those that are not as they were. */
  readonly sessions: readonly SessionRecord[];
  readonly sessionHours: readonly SessionHour[];
  readonly threads: ReadonlyMap<string, number>;
  readonly requests: readonly RequestRecord[];
  readonly leaks: readonly LeakObservation[];
  readonly suspensions: readonly SuspensionObservation[];
  readonly prompts: readonly PromptRecord[];
  readonly events: readonly SessionEvent[];
}

/** First step: which calls a batch changed, with forks linked and counters decided. */
export function callChangesOf(folded: Folded, twins: readonly ForkCopy[], live: boolean): CallChanges {
  const linked = linkAll(folded, twins);
  const calls: CallChange[] = [];
  const removed: CallKey[] = [];
  const joined: CallRecord[] = [];
  for (const group of folded.groups.values()) {
    const gone = new Set(group.before);
    for (const record of group.after) {
      const after = linked.get(callKeyText(record.key)) ?? record;
      const before = previousRecord(gone, record);
      if (before !== undefined) gone.delete(before);
      if (before === undefined || !sameValue(before, after)) {
        calls.push(changeOf(before, after, live && group.settledLive, linked));
      }
    }
    joined.push(...gone);
    const keys = new Set(group.after.map(({ key }) => key.occurrence));
    removed.push(...group.before.map(({ key }) => key).filter(({ occurrence }) => !keys.has(occurrence)));
  }
  for (const { record } of twins) {
    const after = linked.get(callKeyText(record.key));
    if (after !== undefined && after.inherited_from !== record.inherited_from && !inBatch(folded, record)) {
      calls.push(changeOf(record, after, false, linked));
    }
  }
  return { calls, removed, joined };
}

/** Which threads the second step needs to see, and from where. */
export function changedThreads({ calls, joined }: CallChanges, hash: Hasher): readonly ThreadChange[] {
  return threadChanges([...calls, ...joined.map((before) => ({ before, after: undefined }))], hash);
}

/** Second step: links are known; figures as differences, events as lines. */
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
  const moves: Move[] = [];
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
  const sessions = countSessions(loaded, folded, moves)
    .map((session) => judgedBy(session, thresholds))
    .filter((session) => !sameValue(loaded.sessions.get(sessionKeyText(session)), session));
  return {
    ...computeAggregates(moves),
    sessions,
    sessionHours: sessionHours(loaded, sessions),
    calls,
    removed,
    written,
    relinked: [...relinked.values()],
    threads: new Map([...folded.threads].filter(([key, start]) => loaded.threads.get(key) !== start)),
    requests: news(loaded.requests, folded.requests),
    leaks: [...folded.leaks.values()],
    suspensions: [...folded.suspensions.values()],
    prompts: news(loaded.prompts, folded.prompts),
    events: eventsOf(loaded, folded, { calls, written, relinked: [...relinked.values()] }, sessions, hash),
  };
}

/** What a merge leaves as it was is the very same object. */
function news<T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): readonly T[] {
  return [...after].filter(([key, value]) => before.get(key) !== value).map(([, value]) => value);
}

function judgedBy(session: SessionRecord, thresholds: HealthThresholds | undefined): SessionRecord {
  if (thresholds === undefined && session.thresholds === undefined) return session;
  const { thresholds: _earlier, ...rest } = session;
  return thresholds === undefined ? rest : { ...rest, thresholds };
}

/** The record this one was before the batch. By where it was seen, not by its number: a late observation may renumber a group. */
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

/** The records of this batch and their twins, by key, after forks were linked. Empty when nothing has a twin. */
function linkAll(folded: Folded, twins: readonly ForkCopy[]): ReadonlyMap<string, CallRecord> {
  if (twins.length === 0 && haveOwnIds(folded)) return new Map();
  const starts = new Map<string, number | undefined>();
  const byKey = new Map<string, CallRecord>();
  for (const { record, thread_start } of twins) {
    byKey.set(callKeyText(record.key), record);
    starts.set(threadKeyText(record.key), thread_start);
  }
  for (const [thread, start] of folded.threads) starts.set(thread, start);
  for (const group of folded.groups.values())
    for (const record of group.after) byKey.set(callKeyText(record.key), record);
  const byTwin = new Map<string, CallRecord[]>();
  for (const record of byKey.values()) {
    const key = forkKey(record);
    if (key === undefined) continue;
    const same = byTwin.get(key);
    if (same === undefined) byTwin.set(key, [record]);
    else same.push(record);
  }
  const linked = new Map<string, CallRecord>();
  for (const same of byTwin.values()) {
    if (same.length < 2) continue;
    for (const record of linkForks(same, (one) => starts.get(threadKeyText(one.key)))) {
      linked.set(callKeyText(record.key), record);
    }
  }
  return linked;
}

/** No id stands in two groups: then no call of the batch is another one seen from elsewhere. */
function haveOwnIds({ groups }: Folded): boolean {
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
  // What was only assumed moves no counter; what takes it back does.
  const told = (before === undefined || !isSettled(before)) && isSettled(after);
  const eligible = told && live && !after.counted && after.inherited_from === undefined;
  const heirCounted =
    eligible && [...linked.values()].some((one) => one.counted && one.inherited_from === callKeyText(after.key));
  return {
    kind: settles
      ? "settled"
      : before === undefined
        ? "inserted"
        : sameVerdict(before, after)
          ? "enriched"
          : "rejudged",
    before,
    after: eligible ? { ...after, counted: true } : after,
    counts: eligible && !heirCounted,
  };
}

function sameVerdict(a: CallRecord, b: CallRecord): boolean {
  return (
    a.inherited_from === b.inherited_from && sameValue(a.facts.result?.value.outcome, b.facts.result?.value.outcome)
  );
}

function eventsOf(
  loaded: Loaded,
  folded: Folded,
  { calls, written, relinked }: Pick<Changes, "calls" | "written" | "relinked">,
  sessions: readonly SessionRecord[],
  hash: Hasher,
): readonly SessionEvent[] {
  const events: (SessionEvent | undefined)[] = [];
  for (const [key, session] of folded.sessions)
    if (!loaded.sessions.has(key)) events.push(sessionStarted(session, hash));
  for (const [key, record] of folded.requests) {
    const known = loaded.requests.get(key);
    if (known?.request === undefined) events.push(requestRecorded(record, hash));
    if (known?.response === undefined) events.push(responseRecorded(record, hash));
  }
  for (let at = 0; at < calls.length; at += 1) {
    const { before, after, kind } = calls[at] as CallChange;
    if (after.inherited_from !== undefined) continue;
    if (before === undefined) events.push(toolCallRequested(after, hash));
    if (kind === "settled" || kind === "rejudged") events.push(toolCallRecorded(after, written[at]?.links, hash));
  }
  for (const { record, before, after } of relinked) {
    if (!equalExceptPosition(before, after)) events.push(toolCallLinked(record, after, hash));
  }
  for (const leak of folded.leaks.values()) events.push(leakEvent(leak, hash));
  for (const refusal of folded.suspensions.values()) events.push(repairSuspended(refusal, hash));
  for (const session of sessions) {
    const before = loaded.sessions.get(sessionKeyText(session));
    if (isFinished(session) && !shouldEmitScores(session, before)) events.push(sessionScored(session, hash));
    const end = endedAt(session);
    if (end !== undefined && (before === undefined || end !== endedAt(before)))
      events.push(sessionEnded(session, hash));
  }
  return events.filter((event) => event !== undefined);
}

/** The silence after a stop changes no score. */
function shouldEmitScores(session: SessionRecord, before: SessionRecord | undefined): boolean {
  if (before === undefined || !isFinished(before) || scoredAt(before) !== scoredAt(session)) return false;
  const told = ({ tally, categories, severities, thresholds }: SessionRecord): unknown[] => [
    ...[tally, categories, severities, thresholds ?? null],
  ];
  return sameValue(told(before), told(session));
}

/** Renumbering is no news: a call that turned up late moves all behind it by one. */
function equalExceptPosition(a: CallLinks | undefined, b: CallLinks | undefined): boolean {
  return a !== undefined && b !== undefined && sameValue({ ...a, position: 0 }, { ...b, position: 0 });
}
