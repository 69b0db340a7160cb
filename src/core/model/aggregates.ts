import { LOOP_LEVELS } from "../loop/loop-signal.ts";
import { sessionHealth } from "../score/health.ts";
import type { CallLinks } from "./call-links.ts";
import { type CallRecord, isCounted, recordStatus, settledAt, toolName, workflowOf } from "./call-record.ts";
import { type Folded, type Loaded, sessionKeyText } from "./fold.ts";
import {
  type DurationKey,
  durationKeyOf,
  type FingerprintFacetKey,
  type FingerprintKey,
  failureOf,
  fingerprintFacetOf,
  fingerprintKeyOf,
  HOUR,
  hourOf,
  ONE_OK,
  type OriginDelta,
  type OriginKey,
  originKeyOf,
  type RollupDelta,
  type RollupKey,
  rollupKeyOf,
  type TotalKey,
  tallyOf,
  totalKeyOf,
  type WorkflowKey,
  workflowKeyOf,
} from "./rollup.ts";
import { addCount, EMPTY_TALLY, isJoined, type SessionRecord, TALLY_FIELDS, type Tally } from "./session-record.ts";
import { addTokenUsage } from "./token-usage.ts";
import type { UsageChange } from "./usage-record.ts";

/** A call to add to the aggregates, or to subtract from them. */
export interface TallyChange {
  readonly record: CallRecord;
  readonly links: CallLinks | undefined;
  readonly times: 1 | -1;
}

export interface Count<K> {
  readonly key: K;
  readonly count: number;
}

type CallFacet = "tool" | "model" | "workflow" | "category" | "severity";

/** A value of a session's calls that the session list can be filtered by; its count is the number of such calls. */
export interface FacetKey {
  readonly project: string;
  readonly session_id: string;
  /** `word`: a word of the session's name, with a count of 1. */
  readonly kind: CallFacet | "word";
  readonly value: string;
}

/**
 * When a failure first and last occurred, with a sample of its text. When calls are removed, stores recompute it from
 * the remaining ones.
 */
export interface FingerprintTimes {
  readonly project: string;
  readonly fingerprint: string;
  readonly category: string;
  readonly first_at: number;
  readonly last_at: number;
  readonly sample: string;
}

/** The differences that a batch makes to all aggregates over calls. */
export interface AggregateDeltas {
  readonly rollups: readonly RollupDelta[];
  readonly origins: readonly OriginDelta[];
  readonly totals: readonly { readonly key: TotalKey; readonly tally: Tally }[];
  readonly workflows: readonly { readonly key: WorkflowKey; readonly tally: Tally }[];
  readonly durations: readonly Count<DurationKey>[];
  readonly fingerprints: readonly Count<FingerprintKey>[];
  readonly fingerprintFacets: readonly Count<FingerprintFacetKey>[];
  readonly fingerprintTimes: readonly FingerprintTimes[];
  readonly facets: readonly Count<FacetKey>[];
}

export function computeAggregates(moves: readonly TallyChange[]): AggregateDeltas {
  const [rollups, workflows] = [new Tallies<RollupKey>(), new Tallies<WorkflowKey>()];
  const origins = new Tallies<OriginKey>();
  const totals = new Tallies<TotalKey>();
  const [durations, fingerprints, facets] = [new Sums<DurationKey>(), new Sums<FingerprintKey>(), new Sums<FacetKey>()];
  const fingerprintFacets = new Sums<FingerprintFacetKey>();
  const seen = new Map<string, FingerprintTimes>();
  for (const { record, links, times } of moves) {
    if (!isCounted(record)) continue;
    const tally = tallyOf(record, links);
    // Runs for every call and aggregate. So key texts are joined from few parts, and a key object is created only for a
    // new text.
    const { key, facts } = record;
    const { phase, category } = failureOf(record);
    const hourPrefix = `${key.project}\u0000${hourOf(record)}\u0000`;
    const tool = toolName(record);
    const failure = `\u0000${phase}\u0000${category}`;
    const model = facts.model?.value ?? "";
    rollups.add(
      `${hourPrefix}${facts.provider?.value ?? ""}\u0000${model}\u0000${tool}${failure}`,
      rollupKeyOf,
      record,
      tally,
      times,
    );
    origins.add(`${hourPrefix}${facts.origin?.value === "recovered"}\u0000${phase}`, originKeyOf, record, tally, times);
    totals.add(hourPrefix + failure, totalKeyOf, record, tally, times);
    workflows.add(`${hourPrefix}${workflowOf(record) ?? ""}${failure}`, workflowKeyOf, record, tally, times);
    durations.add(durationKeyOf(record), times);
    const fingerprint = fingerprintKeyOf(record);
    if (fingerprint !== undefined) {
      fingerprints.add(fingerprint, times);
      fingerprintFacets.add(fingerprintFacetOf(record, fingerprint), times);
      if (times === 1) addFingerprintTimes(seen, record, fingerprint);
    }
    const session = sessionKeyText(key);
    for (const kind of FACETS) {
      const value = facetOf(record, kind);
      if (value === undefined || value === "") continue;
      const text = `${session}\u0000${kind}\u0000${value}`;
      if (!facets.move(text, times))
        facets.set(text, { project: key.project, session_id: key.session_id, kind, value }, times);
    }
  }
  return {
    origins: origins.changes(),
    rollups: rollups.changes(),
    totals: totals.changes(),
    workflows: workflows.changes(),
    durations: durations.changes(),
    fingerprints: fingerprints.changes(),
    fingerprintFacets: fingerprintFacets.changes(),
    fingerprintTimes: [...seen.values()],
    facets: facets.changes(),
  };
}

/**
 * The number of sessions whose last activity was in an hour, of their requests, and of those that are unhealthy
 * (`session_health`).
 */
export interface SessionHour {
  readonly key: { readonly project: string; readonly hour: number };
  readonly tally: { readonly sessions: number; readonly requests: number; readonly unhealthy: number };
}

export function sessionHour(session: SessionRecord, times: 1 | -1): SessionHour {
  const { project, last_at, requests, tally } = session;
  const key = { project, hour: last_at - (last_at % HOUR) };
  const isUnhealthy = sessionHealth(tally) === "unhealthy";
  return {
    key,
    tally: {
      sessions: times * Number(!isJoined(session)),
      requests: times * requests,
      unhealthy: times * Number(isUnhealthy),
    },
  };
}

export function addSessionHours(a: SessionHour["tally"], b: SessionHour["tally"]): SessionHour["tally"] {
  return { sessions: a.sessions + b.sessions, requests: a.requests + b.requests, unhealthy: a.unhealthy + b.unhealthy };
}

/** The differences that a batch makes to the hours of its sessions. */
export function sessionHours(loaded: Loaded, sessions: readonly SessionRecord[]): readonly SessionHour[] {
  const hours = new Map<string, SessionHour>();
  const add = ({ key, tally }: SessionHour): void => {
    const text = textOf(key);
    const known = hours.get(text)?.tally;
    hours.set(text, { key, tally: known === undefined ? tally : addSessionHours(known, tally) });
  };
  for (const after of sessions) {
    const before = loaded.sessions.get(sessionKeyText(after));
    if (before !== undefined) add(sessionHour(before, -1));
    add(sessionHour(after, 1));
  }
  return [...hours.values()].filter(
    ({ tally }) => tally.sessions !== 0 || tally.requests !== 0 || tally.unhealthy !== 0,
  );
}

/** The sessions of a batch, with the batch's calls and requests counted. */
export function countSessions(
  loaded: Loaded,
  folded: Folded,
  moves: readonly TallyChange[],
  usages: readonly UsageChange[],
): readonly SessionRecord[] {
  const sessions = new Map(folded.sessions);
  for (const [key, own] of Map.groupBy(moves, ({ record }) => sessionKeyText(record.key))) {
    const session = sessions.get(key) ?? loaded.sessions.get(key);
    if (session !== undefined) sessions.set(key, countSession(session, own));
  }
  for (const [key, joined_to] of folded.joinedSessions) {
    const session = sessions.get(key) ?? loaded.sessions.get(key);
    if (session !== undefined && joined_to < (session.joined_to ?? "\uffff"))
      sessions.set(key, { ...session, joined_to });
  }
  for (const [key, request] of folded.requests) {
    const session = sessions.get(sessionKeyText(request));
    if (session === undefined || loaded.requests.has(key)) continue;
    sessions.set(sessionKeyText(request), { ...session, requests: session.requests + 1 });
  }
  for (const { before, after } of usages) {
    const key = sessionKeyText(after);
    const session = sessions.get(key) ?? loaded.sessions.get(key);
    if (session === undefined) continue;
    const earlier = addTokenUsage(session.usage ?? {}, before?.usage ?? {}, -1);
    sessions.set(sessionKeyText(after), { ...session, usage: addTokenUsage(earlier, after.usage) });
  }
  return [...sessions.values()];
}

/** Adds calls to a session's counts, or subtracts them. */
export function countSession(session: SessionRecord, moves: readonly TallyChange[]): SessionRecord {
  const tally = { ...session.tally };
  let counted = session;
  let pending = session.pending ?? 0;
  for (const { record, links, times } of moves) {
    if (isWaiting(record)) pending += times;
    if (!isCounted(record)) continue;
    const one = tallyOf(record, links);
    addTo(tally, one, times);
    if (one.failed > 0) counted = withFailure(counted, record, times);
    if (links?.loop !== undefined || links?.loop_end !== undefined) counted = withLoop(counted, links, times);
  }
  const { pending: _before, ...rest } = counted;
  return pending > 0 && tally.calls === 0 ? { ...rest, tally, pending } : { ...rest, tally };
}

function isWaiting(record: CallRecord): boolean {
  return recordStatus(record) === "pending" && record.inherited_from === undefined;
}

function withLoop({ loops, ...session }: SessionRecord, { loop, loop_end }: CallLinks, times: 1 | -1): SessionRecord {
  const found = (loops?.found ?? 0) + times * Number(loop?.level === LOOP_LEVELS.loop);
  const ended = (loops?.ended ?? 0) + times * Number(loop_end !== undefined);
  const calls = (loops?.calls ?? 0) + times * Number(loop !== undefined && loop.run >= LOOP_LEVELS.loop);
  return found === 0 && ended === 0 && calls === 0 ? session : { ...session, loops: { found, ended, calls } };
}

function withFailure(session: SessionRecord, record: CallRecord, times: 1 | -1): SessionRecord {
  const category = record.facts.result?.value.outcome.category ?? "failed";
  return {
    ...session,
    categories: addCount(session.categories, category, times),
    severities: addCount(session.severities, severityOf(record) ?? "0.5", times),
  };
}

const FACETS = ["tool", "model", "workflow", "category", "severity"] as const satisfies readonly CallFacet[];

function facetOf(record: CallRecord, kind: CallFacet): string | undefined {
  switch (kind) {
    case "tool":
      return toolName(record);
    case "model":
      return record.facts.model?.value;
    case "workflow":
      return workflowOf(record);
    case "category":
      return failureOf(record).category;
    case "severity":
      return severityOf(record);
  }
}

function severityOf(record: CallRecord): string | undefined {
  const outcome = record.facts.result?.value.outcome;
  return outcome?.status === "failed" ? String(outcome.severity ?? 0.5) : undefined;
}

/** In characters. */
export const SAMPLE_LENGTH = 300;

function addFingerprintTimes(seen: Map<string, FingerprintTimes>, record: CallRecord, key: FingerprintKey): void {
  const { project, fingerprint, category } = key;
  const at = settledAt(record) ?? record.first_at;
  const text = `${project}\u0000${fingerprint}`;
  const known = seen.get(text);
  const outcome = record.facts.result?.value.outcome;
  const sample = (outcome?.excerpt ?? outcome?.status_message ?? "").slice(0, SAMPLE_LENGTH);
  const earlier = known === undefined || at < known.first_at || known.sample === "";
  seen.set(text, {
    project,
    fingerprint,
    category,
    first_at: Math.min(at, known?.first_at ?? at),
    last_at: Math.max(at, known?.last_at ?? at),
    sample: earlier && sample !== "" ? sample : (known?.sample ?? ""),
  });
}

/** Counts by key. A sum of 0 is not a change. */
class Sums<K extends object> {
  readonly #sums = new Map<string, { readonly key: K; count: number }>();

  add(key: K | undefined, times: number): void {
    if (key === undefined) return;
    const text = textOf(key);
    if (!this.move(text, times)) this.set(text, key, times);
  }

  /** Returns false if the key is new. */
  move(text: string, times: number): boolean {
    const sum = this.#sums.get(text);
    if (sum !== undefined) sum.count += times;
    return sum !== undefined;
  }

  set(text: string, key: K, count: number): void {
    this.#sums.set(text, { key, count });
  }

  changes(): readonly Count<K>[] {
    return [...this.#sums.values()].filter(({ count }) => count !== 0);
  }
}

/** Tallies by key. */
class Tallies<K extends object> {
  readonly #sums = new Map<string, { readonly key: K; readonly tally: Record<keyof Tally, number> }>();

  /** `text` identifies the key; the key object is created once. */
  add(text: string, keyOf: (record: CallRecord) => K, record: CallRecord, tally: Tally, times: number): void {
    let sum = this.#sums.get(text);
    if (sum === undefined) {
      sum = { key: keyOf(record), tally: { ...EMPTY_TALLY } };
      this.#sums.set(text, sum);
    }
    addTo(sum.tally, tally, times);
  }

  changes(): readonly { readonly key: K; readonly tally: Tally }[] {
    return [...this.#sums.values()].filter(({ tally }) => isChange(tally));
  }
}

function addTo(sum: Record<keyof Tally, number>, tally: Tally, times: number): void {
  if (tally !== ONE_OK) {
    for (const name of TALLY_FIELDS) sum[name] += times * tally[name];
    return;
  }
  sum.calls += times;
  sum.ok += times;
}

/** The text of a flat key. */
export function textOf<K extends object>(key: K): string {
  let text = "";
  for (const name in key) text += `${key[name]}\u0000`;
  return text;
}

function isChange(tally: Tally): boolean {
  return TALLY_FIELDS.some((name) => tally[name] !== 0);
}
