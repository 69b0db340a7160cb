import { type CallKey, callKeyText, type Hasher, threadKeyText } from "./call-key.ts";
import { type CallRecord, isSettled, recordStatus } from "./call-record.ts";
import { sameValue } from "./facts.ts";
import { type Folded, type Loaded, sessionKeyText } from "./fold.ts";
import { linkForks, twinKey } from "./fork.ts";
import type { LeakObservation, SuspensionObservation } from "./observation.ts";
import type { RequestRecord } from "./request-record.ts";
import { type OriginDelta, originOf, type RollupDelta, rollupOf, tallyOf } from "./rollup.ts";
import {
  leakSeen,
  repairSuspended,
  requestRecorded,
  responseRecorded,
  type SessionEvent,
  sessionStarted,
  toolCallRecorded,
  toolCallRequested,
} from "./session-event.ts";
import { addTally, NO_CALLS, type SessionRecord, type Tally } from "./session-record.ts";

/** A record found in another thread, with the start of that thread. */
export interface Twin {
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

/** Everything a store writes for a batch, and everything others are told about it. */
export interface Changes {
  readonly calls: readonly CallChange[];
  /** Keys under which nothing stands any more: two records turned out to be one. */
  readonly removed: readonly CallKey[];
  readonly sessions: readonly SessionRecord[];
  readonly threads: ReadonlyMap<string, number>;
  readonly requests: readonly RequestRecord[];
  readonly leaks: readonly LeakObservation[];
  readonly suspensions: readonly SuspensionObservation[];
  readonly rollups: readonly RollupDelta[];
  readonly origins: readonly OriginDelta[];
  readonly events: readonly SessionEvent[];
}

/** Turns a folded batch into changes: forks linked, counters decided, rollups as differences, events as lines. */
export function changesOf(
  loaded: Loaded,
  folded: Folded,
  twins: readonly Twin[],
  live: boolean,
  hash: Hasher,
): Changes {
  const linked = linkAll(folded, twins);
  const calls: CallChange[] = [];
  const removed: CallKey[] = [];
  const joined: CallRecord[] = [];
  for (const group of folded.groups.values()) {
    const gone = new Set(group.before);
    for (const record of group.after) {
      const after = linked.get(callKeyText(record.key)) ?? record;
      const before = earlierForm(gone, record);
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
  const requests = [...folded.requests.values()];
  return {
    calls,
    removed,
    sessions: countSessions(loaded, folded, calls, joined),
    threads: new Map([...folded.threads].filter(([key, start]) => loaded.threads.get(key) !== start)),
    requests,
    leaks: [...folded.leaks.values()],
    suspensions: [...folded.suspensions.values()],
    rollups: differences(calls, joined, rollupOf),
    origins: differences(calls, joined, originOf),
    events: eventsOf(loaded, folded, calls, hash),
  };
}

/** The record this one was before the batch. By where it was seen, not by its number: a late observation may renumber a group. */
function earlierForm(before: ReadonlySet<CallRecord>, after: CallRecord): CallRecord | undefined {
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
function linkAll(folded: Folded, twins: readonly Twin[]): ReadonlyMap<string, CallRecord> {
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
    const key = twinKey(record);
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

function countSessions(
  loaded: Loaded,
  folded: Folded,
  calls: readonly CallChange[],
  joined: readonly CallRecord[],
): readonly SessionRecord[] {
  const sessions = new Map(folded.sessions);
  const move = (record: CallRecord | undefined, times: number): void => {
    if (record === undefined) return;
    const key = sessionKeyText(record.key);
    const session = sessions.get(key) ?? loaded.sessions.get(key);
    if (session !== undefined)
      sessions.set(key, { ...session, tally: addTally(session.tally, tallyOf(record), times) });
  };
  for (const change of calls) {
    move(change.before, -1);
    move(change.after, 1);
  }
  for (const record of joined) move(record, -1);
  for (const [key, request] of folded.requests) {
    const session = sessions.get(sessionKeyText(request));
    if (session === undefined || loaded.requests.has(key)) continue;
    sessions.set(sessionKeyText(request), { ...session, requests: session.requests + 1 });
  }
  return [...sessions.values()];
}

function differences<D extends { readonly key: object; readonly tally: Tally }>(
  calls: readonly CallChange[],
  joined: readonly CallRecord[],
  deltaOf: (record: CallRecord) => D | undefined,
): readonly D[] {
  const sums = new Map<string, D>();
  const add = (record: CallRecord | undefined, times: number): void => {
    const delta = record === undefined ? undefined : deltaOf(record);
    if (delta === undefined) return;
    const key = Object.values(delta.key).join("\u0000");
    const sum = sums.get(key);
    sums.set(key, { ...delta, tally: addTally(sum?.tally ?? NO_CALLS, delta.tally, times) });
  };
  for (const change of calls) {
    add(change.before, -1);
    add(change.after, 1);
  }
  for (const record of joined) add(record, -1);
  return [...sums.values()].filter(({ tally }) => Object.values(tally).some((count) => count !== 0));
}

function eventsOf(loaded: Loaded, folded: Folded, calls: readonly CallChange[], hash: Hasher): readonly SessionEvent[] {
  const events: (SessionEvent | undefined)[] = [];
  for (const [key, session] of folded.sessions)
    if (!loaded.sessions.has(key)) events.push(sessionStarted(session, hash));
  for (const [key, record] of folded.requests) {
    const known = loaded.requests.get(key);
    if (known?.request === undefined) events.push(requestRecorded(record, hash));
    if (known?.response === undefined) events.push(responseRecorded(record, hash));
  }
  for (const { before, after, kind } of calls) {
    if (after.inherited_from !== undefined) continue;
    if (before === undefined) events.push(toolCallRequested(after, hash));
    if (kind === "settled" || kind === "rejudged") events.push(toolCallRecorded(after, hash));
  }
  for (const leak of folded.leaks.values()) events.push(leakSeen(leak, hash));
  for (const refusal of folded.suspensions.values()) events.push(repairSuspended(refusal, hash));
  return events.filter((event) => event !== undefined);
}
