import { type CallKey, callKeyText, groupKeyText, threadKeyText } from "../../core/model/call-key.ts";
import { type CallRecord, recordStatus, toolName } from "../../core/model/call-record.ts";
import { changesOf, type Twin } from "../../core/model/changes.ts";
import {
  foldObservations,
  type Loaded,
  leakKeyText,
  requestKeyText,
  sessionKeyText,
  settledRecords,
} from "../../core/model/fold.ts";
import type { LeakObservation, Observation, SuspensionObservation } from "../../core/model/observation.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { OriginDelta, RollupDelta, RollupKey } from "../../core/model/rollup.ts";
import { addTally, failureRate, NO_CALLS, type SessionRecord } from "../../core/model/session-record.ts";
import { breakdownRows, sessionRow } from "../breakdown-rows.ts";
import { countedCalls } from "../counted-call.ts";
import { hashText } from "../hash-text.ts";
import { countedLeaks, leakRow } from "../leak-row.ts";
import { NAME_TTL_MS } from "../name-ttl.ts";
import { openMendedCall } from "../open-mended-call.ts";
import { originRow } from "../origin-row.ts";
import type { Applied, Batch, Breakdown, EventLine, Range, Store } from "../port.ts";
import { readLines } from "../read-lines.ts";
import { suspensionRow } from "../suspension-row.ts";

/** A store that forgets: for tests, and for reports straight from files. */
export function createMemoryStore(): Store & { readonly records: () => readonly CallRecord[] } {
  const groups = new Map<string, readonly CallRecord[]>();
  const sessions = new Map<string, SessionRecord>();
  const threads = new Map<string, number>();
  const requests = new Map<string, RequestRecord>();
  const leaks = new Map<string, LeakObservation>();
  const suspensions = new Map<string, SuspensionObservation>();
  const rollups = new Map<string, RollupDelta>();
  const origins = new Map<string, OriginDelta>();
  const positions = new Map<string, string>();
  const cursors = new Map<string, number>();
  const events: EventLine[] = [];

  const records = (): readonly CallRecord[] => [...groups.values()].flat();

  const replace = (record: CallRecord): void => {
    const key = groupKeyText(record.key);
    const others = (groups.get(key) ?? []).filter((one) => one.key.occurrence !== record.key.occurrence);
    groups.set(
      key,
      [...others, record].sort((a, b) => a.key.occurrence - b.key.occurrence),
    );
  };
  const remove = (removed: CallKey): void => {
    const key = groupKeyText(removed);
    groups.set(
      key,
      (groups.get(key) ?? []).filter((one) => callKeyText(one.key) !== callKeyText(removed)),
    );
  };
  const twinsOf = (settled: readonly CallRecord[]): readonly Twin[] =>
    records()
      .filter((one) =>
        settled.some(
          ({ key, facts }) =>
            one.key.project === key.project &&
            one.key.tool_call_id === key.tool_call_id &&
            one.facts.wire_result?.value === facts.wire_result?.value &&
            threadKeyText(one.key) !== threadKeyText(key),
        ),
      )
      .map((record) => ({ record, thread_start: threads.get(threadKeyText(record.key)) }));

  const namesFor = (observations: readonly Observation[]): ReadonlyMap<string, string> => {
    const names = new Map<string, string>();
    for (const one of observations) {
      if (one.kind !== "call" || one.name !== undefined || groups.has(groupKeyText(one))) continue;
      const [latest] = records()
        .filter(({ key }) => key.project === one.project && key.tool_call_id === one.tool_call_id)
        .filter(
          ({ facts, first_at: at }) =>
            facts.name !== undefined && at <= one.occurred_at && at >= one.occurred_at - NAME_TTL_MS,
        )
        .sort((a, b) => b.first_at - a.first_at);
      if (latest !== undefined) names.set(groupKeyText(one), toolName(latest));
    }
    return names;
  };
  const isDiscarded = ({ key, facts, places, first_history_at }: CallRecord): boolean =>
    facts.response_id !== undefined &&
    first_history_at === undefined &&
    [...requests.values()].some(
      ({ project, session_id, agent_id, request }) =>
        project === key.project &&
        session_id === key.session_id &&
        agent_id === key.agent_id &&
        request?.conversation !== undefined &&
        places.some((place) => place.startsWith(`${request.conversation}/`)) &&
        request.occurred_at > (facts.response_id?.at ?? 0),
    );

  const apply = (batch: Batch): Applied => {
    const { observations, rejected } = readLines(batch.lines);
    const loaded: Loaded = {
      groups,
      sessions,
      threads,
      requests,
      names: namesFor(observations),
      leaks: new Set(leaks.keys()),
      suspensions: new Set(suspensions.keys()),
    };
    const folded = foldObservations(loaded, observations);
    const changes = changesOf(loaded, folded, twinsOf(settledRecords(folded)), batch.live, hashText);
    for (const key of changes.removed) remove(key);
    for (const { after } of changes.calls) replace(after);
    for (const session of changes.sessions) sessions.set(sessionKeyText(session), session);
    for (const [key, at] of changes.threads) threads.set(key, at);
    for (const leak of changes.leaks) leaks.set(leakKeyText(leak), leak);
    for (const refusal of changes.suspensions) suspensions.set(requestKeyText(refusal), refusal);
    for (const request of changes.requests) requests.set(requestKeyText(request), request);
    for (const { key, tally } of changes.rollups) {
      const text = Object.values(key).join("\u0000");
      rollups.set(text, { key, tally: addTally(rollups.get(text)?.tally ?? NO_CALLS, tally) });
    }
    for (const { key, tally } of changes.origins) {
      const text = Object.values(key).join("\u0000");
      origins.set(text, { key, tally: addTally(origins.get(text)?.tally ?? NO_CALLS, tally) });
    }
    for (const event of changes.events) events.push({ id: events.length + 1, line: JSON.stringify(event) });
    positions.set(batch.journal, batch.position);
    return {
      observations: observations.length,
      rejected,
      counted: countedCalls(changes),
      leaks: countedLeaks(changes, batch.live),
      last_event: events.length,
    };
  };

  const within = <D extends RollupDelta | OriginDelta>(all: Iterable<D>, range: Range): readonly D[] =>
    [...all].filter(
      ({ key }) =>
        (range.project === undefined || key.project === range.project) &&
        (range.since === undefined || key.hour >= range.since - (range.since % 3_600_000)) &&
        (range.until === undefined || key.hour < range.until),
    );
  const rollupsIn = (range: Range): readonly RollupDelta[] => within(rollups.values(), range);
  const openIn = (range: Range): readonly CallRecord[] =>
    records().filter(
      (record) =>
        recordStatus(record) === "pending" &&
        (range.project === undefined || record.key.project === range.project) &&
        (range.since === undefined || record.first_at >= range.since) &&
        (range.until === undefined || record.first_at < range.until),
    );
  const sessionsIn = (range: Range): readonly SessionRecord[] =>
    [...sessions.values()]
      .filter(
        (session) =>
          (range.project === undefined || session.project === range.project) &&
          (range.since === undefined || session.last_at >= range.since) &&
          (range.until === undefined || session.last_at < range.until),
      )
      .sort((a, b) => b.last_at - a.last_at || (a.session_id < b.session_id ? -1 : 1));

  return {
    records,
    apply: async (batch) => apply(batch),
    appliedPosition: async (journal) => positions.get(journal),
    quietCalls: async (before, limit) =>
      records()
        .filter((record) => recordStatus(record) === "pending" && !isDiscarded(record))
        .filter(({ key }) => (sessions.get(sessionKeyText(key))?.last_at ?? before) < before)
        .slice(0, limit),
    cursor: async (name) => cursors.get(name) ?? 0,
    async moveCursor(name, position) {
      cursors.set(name, position);
    },
    async summary(range) {
      const tally = rollupsIn(range).reduce((sum, delta) => addTally(sum, delta.tally), NO_CALLS);
      const found = sessionsIn(range);
      const pending = openIn(range);
      return {
        ...tally,
        failure_rate: failureRate(tally),
        pending: pending.filter((record) => !isDiscarded(record)).length,
        discarded: pending.filter(isDiscarded).length,
        sessions: found.length,
        requests: found.reduce((sum, session) => sum + session.requests, 0),
        last_at: found.length === 0 ? null : Math.max(...found.map((session) => session.last_at)),
      };
    },
    async breakdown(by, range) {
      if (by === "session") {
        return breakdownRows(
          sessionsIn(range).map(({ tally, session_id }) => ({ ...tally, key: session_id, category: "" })),
        );
      }
      const sums = rollupsIn(range).map(({ key, tally }) => ({
        ...tally,
        key: keyOf(by, key),
        category: key.category,
      }));
      return breakdownRows(by === "category" || by === "phase" ? sums.filter((sum) => sum.key !== "") : sums);
    },
    sessions: async (query) =>
      sessionsIn(query)
        .slice(0, query.limit ?? 100)
        .map(sessionRow),
    leaks: async ({ project, since, until, limit }) =>
      [...leaks.values()]
        .filter((leak) => project === undefined || leak.project === project)
        .filter(({ occurred_at: at }) => at >= (since ?? 0) && at < (until ?? Number.POSITIVE_INFINITY))
        .sort((a, b) => b.occurred_at - a.occurred_at || (leakKeyText(a) < leakKeyText(b) ? -1 : 1))
        .slice(0, limit ?? 100)
        .map(leakRow),
    suspensions: async ({ project, since, until, limit }) =>
      [...suspensions.values()]
        .filter((refusal) => project === undefined || refusal.project === project)
        .filter(({ occurred_at: at }) => at >= (since ?? 0) && at < (until ?? Number.POSITIVE_INFINITY))
        .sort((a, b) => b.occurred_at - a.occurred_at || (a.request_id < b.request_id ? -1 : 1))
        .slice(0, limit ?? 100)
        .map(suspensionRow),
    originOutcomes: async (range) =>
      (["native", "recovered"] as const).map((origin) => {
        const open = openIn(range).filter(
          ({ facts }) => (facts.origin?.value === "recovered") === (origin === "recovered"),
        );
        const discarded = open.filter(isDiscarded).length;
        const own = within(origins.values(), range).filter(({ key }) => key.origin === origin);
        const tallies = own.map(({ key: { phase }, tally }) => ({ phase, ...tally }));
        return originRow(origin, tallies, open.length - discarded, discarded);
      }),
    openMendedCalls: async (since, limit) =>
      openIn({ since })
        .toSorted((a, b) => b.first_at - a.first_at)
        .flatMap((record) => openMendedCall(record))
        .slice(0, limit),
    recoveredCalls: async (project, ids) => {
      const ours = records().filter(({ key, facts }) => key.project === project && facts.origin?.value === "recovered");
      const found = new Set(ours.map(({ key }) => key.tool_call_id));
      return ids.filter((id) => found.has(id));
    },
    events: async (after, limit) => events.filter(({ id }) => id > after).slice(0, limit),
    lastEvent: async () => events.length,
    close: async () => undefined,
  };
}

function keyOf(by: Exclude<Breakdown, "session">, key: RollupKey): string {
  switch (by) {
    case "tool":
      return key.tool_name;
    case "model":
      return key.model_name === "" ? "unknown" : key.model_name;
    case "provider":
      return key.provider === "" ? "unknown" : key.provider;
    case "category":
      return key.category;
    case "phase":
      return key.phase;
    case "day":
      return new Date(key.hour).toISOString().slice(0, 10);
  }
}
