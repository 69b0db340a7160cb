import { computeAggregates, type Move, sessionHour } from "../../core/model/aggregates.ts";
import {
  type CallKey,
  callKeyText,
  groupKeyText,
  recordId,
  threadKeyText,
  traceId,
} from "../../core/model/call-key.ts";
import type { CallLinks } from "../../core/model/call-links.ts";
import { type CallRecord, isCounted, recordStatus, toolName } from "../../core/model/call-record.ts";
import { callChangesOf, changedThreads, changesOf, type ForkCopy } from "../../core/model/changes.ts";
import {
  foldObservations,
  type Loaded,
  leakKeyText,
  requestKeyText,
  sessionKeyText,
  settledRecords,
} from "../../core/model/fold.ts";
import type { LeakObservation, Observation, SuspensionObservation } from "../../core/model/observation.ts";
import { type PromptRecord, promptKeyText } from "../../core/model/prompt-record.ts";
import type { RequestRecord } from "../../core/model/request-record.ts";
import type { OriginDelta } from "../../core/model/rollup.ts";
import { addTally, EMPTY_TALLY, endedAt, failureRate, type SessionRecord } from "../../core/model/session-record.ts";
import { compareOrder, orderOf } from "../../core/score/chain-call.ts";
import { findDominantFailureMode } from "../../core/score/dominant-failure.ts";
import { breakdownRows } from "../breakdown-rows.ts";
import { countedCalls } from "../counted-call.ts";
import { NOTHING_REMOVED, withoutDeleted } from "../deletions.ts";
import { hashText } from "../hash-text.ts";
import { countedLeaks, leakRow, originRow, suspensionRow } from "../leak-rows.ts";
import { DEFAULT_CALLS, MAX_CALLS_PER_SESSION, NAME_TTL_MS } from "../limits.ts";
import { type OutboxEntry, outboxEntries } from "../outbox-entries.ts";
import type { Applied, Batch, EventLine, Range, SessionRow, Store, Waiting } from "../port.ts";
import { readLines } from "../read-lines.ts";
import { callRow, promptRow, sessionRow, sessionScores } from "../session-row.ts";
import { storedCallIds, storedTurn, toCallOrigins, toPendingRepairedCall } from "../stored-turn.ts";
import { matches, sessionOrder } from "./match-session.ts";
import { MemoryFigures } from "./memory-figures.ts";
import { MemoryOutbox } from "./memory-outbox.ts";
import { MemoryThreads } from "./memory-threads.ts";

/** A store that forgets: for tests, and for reports straight from files. */
export function createMemoryStore(): Store & {
  readonly records: () => readonly CallRecord[];
  readonly linksOf: (record: CallRecord) => CallLinks | undefined;
} {
  const groups = new Map<string, readonly CallRecord[]>();
  const sessions = new Map<string, SessionRecord>();
  const threads = new Map<string, number>();
  const requests = new Map<string, RequestRecord>();
  const leaks = new Map<string, LeakObservation>();
  const suspensions = new Map<string, SuspensionObservation>();
  const origins = new Map<string, OriginDelta>();
  const links = new Map<string, CallLinks>();
  const prompts = new Map<string, PromptRecord>();
  const promptGroups = new Map<string, string[]>();
  const chains = new MemoryThreads(hashText);
  const figures = new MemoryFigures();
  const outbox = new MemoryOutbox();
  const positions = new Map<string, string>();
  const cursors = new Map<string, number>();
  const deletedAt = new Map<string, number>();
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
  const setLinks = (record: CallRecord, next: CallLinks | undefined): void => {
    if (next === undefined) links.delete(callKeyText(record.key));
    else links.set(callKeyText(record.key), next);
    chains.set(record, next);
  };
  const rememberPrompt = ({ key, facts }: CallRecord): void => {
    if (facts.prompt === undefined) return;
    const name = promptKeyText({ ...key, prompt: facts.prompt.value });
    const known = promptGroups.get(name) ?? [];
    promptGroups.set(name, known);
    if (!known.includes(groupKeyText(key))) known.push(groupKeyText(key));
  };
  const remove = (removed: CallKey): void => {
    const key = groupKeyText(removed);
    groups.set(
      key,
      (groups.get(key) ?? []).filter((one) => callKeyText(one.key) !== callKeyText(removed)),
    );
  };
  const twinsOf = (settled: readonly CallRecord[]): readonly ForkCopy[] =>
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
    const { observations: all, rejected } = readLines(batch.lines);
    const observations = withoutDeleted(all, deletedAt, (group) => (groups.get(group)?.length ?? 0) > 0);
    const loaded: Loaded = {
      groups,
      sessions,
      threads,
      requests,
      names: namesFor(observations),
      leaks: new Set(leaks.keys()),
      suspensions: new Set(suspensions.keys()),
      links,
      prompts,
      promptGroups,
    };
    const folded = foldObservations(loaded, observations);
    const calls = callChangesOf(folded, twinsOf(settledRecords(folded)), batch.live);
    const linked = changedThreads(calls, hashText).flatMap((change) => chains.relink(change));
    const changes = changesOf(loaded, folded, calls, linked, hashText, batch.thresholds);
    for (const { before } of calls.calls) if (before !== undefined) chains.remove(before);
    for (const record of calls.joined) chains.remove(record);
    for (const key of changes.removed) {
      remove(key);
      links.delete(callKeyText(key));
    }
    for (const { record, links: next } of changes.written) {
      replace(record);
      setLinks(record, next);
      rememberPrompt(record);
    }
    for (const { record, after } of changes.relinked) setLinks(record, after);
    for (const prompt of changes.prompts) prompts.set(promptKeyText(prompt), prompt);
    figures.move(changes);
    figures.moveSessions(changes.sessionHours);
    for (const session of changes.sessions) sessions.set(sessionKeyText(session), session);
    for (const [key, at] of changes.threads) threads.set(key, at);
    for (const leak of changes.leaks) leaks.set(leakKeyText(leak), leak);
    for (const refusal of changes.suspensions) suspensions.set(requestKeyText(refusal), refusal);
    for (const request of changes.requests) requests.set(requestKeyText(request), request);
    for (const { key, tally } of changes.origins) {
      const text = Object.values(key).join("\u0000");
      origins.set(text, { key, tally: addTally(origins.get(text)?.tally ?? EMPTY_TALLY, tally) });
    }
    outbox.put(outboxEntries(changes, observations));
    for (const event of changes.events) events.push({ id: events.length + 1, line: JSON.stringify(event) });
    positions.set(batch.journal, batch.position);
    return {
      observations: all.length,
      refused: all.length - observations.length,
      rejected,
      counted: countedCalls(changes),
      leaks: countedLeaks(changes, batch.live),
      last_event: events.length,
    };
  };

  const originsIn = (range: Range): readonly OriginDelta[] =>
    [...origins.values()].filter(
      ({ key }) =>
        (range.project === undefined || key.project === range.project) &&
        (range.since === undefined || key.hour >= range.since - (range.since % 3_600_000)) &&
        (range.until === undefined || key.hour < range.until),
    );
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

  const callsOf = (session: string): readonly CallRecord[] =>
    records().filter(({ key }) => sessionKeyText(key) === session);
  const linksOf = ({ key }: CallRecord): CallLinks | undefined => links.get(callKeyText(key));
  const forget = (session: string): void => {
    for (const record of callsOf(session)) {
      chains.remove(record);
      links.delete(callKeyText(record.key));
      groups.delete(groupKeyText(record.key));
    }
    for (const map of [threads, prompts, promptGroups])
      for (const key of map.keys()) if (key.startsWith(`${session}\u0000`)) map.delete(key);
    for (const [key, request] of requests) if (sessionKeyText(request) === session) requests.delete(key);
    for (const [key, leak] of leaks) if (sessionKeyText(leak) === session) leaks.delete(key);
    figures.forgetFacets(session);
    sessions.delete(session);
  };

  const rowOf = (session: SessionRecord): SessionRow => sessionRow(session, figures.workflow(session));
  const waiting = (entry: OutboxEntry): Waiting | undefined => {
    const session = sessions.get(sessionKeyText(entry.key));
    if (session === undefined) return undefined;
    if (entry.kind === "session") return { kind: "session", session: rowOf(session), scores: sessionScores(session) };
    const { key, id } = entry;
    const record = groups.get(groupKeyText(key))?.find((one) => callKeyText(one.key) === callKeyText(key));
    if (record === undefined || !isCounted(record)) return undefined;
    return {
      kind: "call",
      project: key.project,
      session_id: key.session_id,
      call: callRow(id, record, linksOf(record)),
    };
  };

  return {
    records,
    linksOf,
    async exportTo(targets) {
      outbox.targets = targets;
    },
    claimDue: async (target, now, leaseUntil, limit) => outbox.claimDue(target, now, leaseUntil, limit, waiting),
    markSent: async (target, sent) => outbox.markSent(target, sent),
    dropExpired: async (target, queuedBefore) => outbox.giveUp(target, queuedBefore),
    backlog: async () => outbox.backlog(),
    async backfill(target, { since = 0, until = Number.POSITIVE_INFINITY, now, force: again = false }) {
      const found = [...sessions.values()].filter(({ last_at }) => last_at >= since && last_at < until);
      const entries = found.flatMap((session): readonly OutboxEntry[] => [
        ...callsOf(sessionKeyText(session))
          .filter(isCounted)
          .map(({ key }) => ({ kind: "call", id: recordId(key, hashText), key, due_at: now }) as const),
        { kind: "session", id: traceId(session, hashText), key: session, due_at: now },
      ]);
      return { sessions: found.length, items: outbox.put(entries, [target], again), next_cursor: null };
    },
    apply: async (batch) => apply(batch),
    appliedPosition: async (journal) => positions.get(journal),
    quietCalls: async (before, limit) =>
      records()
        .filter((record) => recordStatus(record) === "pending" && !isDiscarded(record))
        .filter(({ key, first_at }) => {
          const session = sessions.get(sessionKeyText(key));
          return (session?.last_at ?? before) < before || (session?.ended_at ?? -1) >= first_at;
        })
        .slice(0, limit),
    quietSessions: async (before, limit) =>
      [...sessions.values()]
        .filter((session) => session.last_at < before && (endedAt(session) ?? -1) < session.last_at)
        .sort((a, b) => a.last_at - b.last_at)
        .slice(0, limit)
        .map(({ project, session_id, last_at, sources }) => ({
          project,
          session_id,
          last_at,
          source: sources[0] ?? "proxy",
        })),
    async deleteSession(project, sessionId, at) {
      const key = sessionKeyText({ project, session_id: sessionId });
      if (!sessions.has(key)) return NOTHING_REMOVED;
      deletedAt.set(key, at);
      figures.moveSessions([sessionHour(sessions.get(key) as SessionRecord, -1)]);
      const moves = callsOf(key).map((record): Move => ({ record, links: linksOf(record), times: -1 }));
      figures.move({ ...computeAggregates(moves), facets: [] });
      forget(key);
      return { ...NOTHING_REMOVED, sessions: 1, calls: moves.length };
    },
    async deleteBefore(before, limit, at) {
      const old = [...sessions.values()].filter((session) => session.last_at < before);
      const first = old.sort((a, b) => a.last_at - b.last_at).slice(0, limit);
      let calls = 0;
      for (const session of first) {
        const key = sessionKeyText(session);
        calls += callsOf(key).length;
        forget(key);
        deletedAt.set(key, at);
      }
      return { ...NOTHING_REMOVED, sessions: first.length, calls };
    },
    // Nothing of it is ever written to a file, or left half done.
    finishDeletions: async () => NOTHING_REMOVED,
    scrub: async () => undefined,
    deletions: async () => [],
    filesCleaned: async () => undefined,
    cursor: async (name) => cursors.get(name) ?? 0,
    async moveCursor(name, position) {
      cursors.set(name, position);
    },
    async summary(range) {
      const tally = figures.total(range);
      const found = sessionsIn(range);
      const totals = figures.sessionTotals(range);
      const pending = openIn(range);
      return {
        ...tally,
        failure_rate: failureRate(tally),
        pending: pending.filter((record) => !isDiscarded(record)).length,
        discarded: pending.filter(isDiscarded).length,
        sessions: totals.sessions,
        requests: totals.requests,
        last_at: found.length === 0 ? null : Math.max(...found.map((session) => session.last_at)),
      };
    },
    async breakdown(by, query) {
      if (by !== "session") return figures.breakdown(by, query);
      return breakdownRows(
        sessionsIn(query).map(({ tally, session_id, categories }) => ({
          ...tally,
          key: session_id,
          phase: "",
          category: findDominantFailureMode(categories) ?? "",
        })),
      );
    },
    series: async (query) => figures.series(query),
    toolModel: async (query) => figures.toolModel(query),
    fingerprints: async (query) => figures.fingerprints(query),
    sessions: async (query) =>
      sessionsIn(query)
        .filter((session) => matches(session, query, (kind) => figures.facets(session, kind)))
        .sort(sessionOrder(query.sort ?? "recent"))
        .slice(query.offset ?? 0, (query.offset ?? 0) + (query.limit ?? 100))
        .map(rowOf),
    unhealthySessions: async (range) => figures.sessionTotals(range).unhealthy,
    async sessionDetail(project, sessionId, page = {}) {
      const key = sessionKeyText({ project, session_id: sessionId });
      const session = sessions.get(key);
      if (session === undefined) return undefined;
      const all = callsOf(key)
        .map((record) => ({ record, id: recordId(record.key, hashText) }))
        .sort((a, b) => compareOrder(orderOf(a.record, a.id), orderOf(b.record, b.id)));
      const offset = page.offset ?? 0;
      return {
        session: rowOf(session),
        scores: sessionScores(session),
        prompts: [...prompts.values()]
          .filter((prompt) => sessionKeyText(prompt) === key)
          .sort((a, b) => a.first_at - b.first_at || (a.prompt < b.prompt ? -1 : 1))
          .map(promptRow),
        calls: all
          .slice(offset, offset + Math.min(page.limit ?? DEFAULT_CALLS, MAX_CALLS_PER_SESSION))
          .map(({ id, record }) => callRow(id, record, linksOf(record))),
        total: all.length,
        offset,
      };
    },
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
        const own = originsIn(range).filter(({ key }) => key.origin === origin);
        const tallies = own.map(({ key: { phase }, tally }) => ({ phase, ...tally }));
        return originRow(origin, tallies, open.length - discarded, discarded);
      }),
    pendingRepairedCalls: async (since, limit) =>
      openIn({ since })
        .toSorted((a, b) => b.first_at - a.first_at)
        .flatMap((record) => toPendingRepairedCall(record))
        .slice(0, limit),
    recoveredCalls: async (project, ids) => {
      const ours = records().filter(({ key, facts }) => key.project === project && facts.origin?.value === "recovered");
      const found = new Set(ours.map(({ key }) => key.tool_call_id));
      return ids.filter((id) => found.has(id));
    },
    madeCalls: async (project, ids) =>
      toCallOrigins(records().filter(({ key }) => key.project === project && ids.includes(key.tool_call_id))),
    async threadOfResponse({ project, kind, key }) {
      const found = [...requests.values()].filter(
        ({ project: own, response }) => own === project && response?.stored_response?.[`${kind}_key`] === key,
      );
      const [last] = found.sort((a, b) => (b.response?.occurred_at ?? 0) - (a.response?.occurred_at ?? 0));
      if (last === undefined) return undefined;
      const ids = storedCallIds(last);
      const thread = threadKeyText(last);
      const calls = records().filter((one) => threadKeyText(one.key) === thread && ids.includes(one.key.tool_call_id));
      return storedTurn(last, calls);
    },
    events: async (after, limit) => events.filter(({ id }) => id > after).slice(0, limit),
    lastEvent: async () => events.length,
    close: async () => undefined,
  };
}
