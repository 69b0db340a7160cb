import type { HealthThresholds } from "../score/health.ts";
import type { SessionAggregates } from "../score/scores.ts";
import type { Counts } from "./counts.ts";
import type { Fact } from "./facts.ts";
import { pickFact, pickLatest } from "./facts.ts";
import { keysOf } from "./narrow.ts";
import type { Observation, PromptObservation, Source } from "./observation.ts";
import { firstWords } from "./session-name.ts";
import type { TokenUsage } from "./token-usage.ts";

export type { Health } from "../score/health.ts";

/** Counts of the calls of a session, tool or hour by outcome. */
export interface Tally {
  readonly calls: number;
  readonly ok: number;
  readonly failed: number;
  readonly unknown: number;
  readonly soft: number;
  /** Failures with a later successful retry. */
  readonly recovered: number;
  /** Failures explained by an earlier root failure. */
  readonly follow_on: number;
  /** Calls that retry a failed one, successful or not. */
  readonly retries: number;
  /** Root failures without a successful retry that are not excused. */
  readonly unrecovered: number;
  /** Failures refused at a gate or cancelled. Rankings and rate health ignore them. */
  readonly excused: number;
}

export const EMPTY_TALLY: Tally = {
  calls: 0,
  ok: 0,
  failed: 0,
  unknown: 0,
  soft: 0,
  recovered: 0,
  follow_on: 0,
  retries: 0,
  unrecovered: 0,
  excused: 0,
};

export const TALLY_FIELDS: readonly (keyof Tally)[] = keysOf(EMPTY_TALLY);

export function addTally(a: Tally, b: Tally, times = 1): Tally {
  return {
    calls: a.calls + times * b.calls,
    ok: a.ok + times * b.ok,
    failed: a.failed + times * b.failed,
    unknown: a.unknown + times * b.unknown,
    soft: a.soft + times * b.soft,
    recovered: a.recovered + times * b.recovered,
    follow_on: a.follow_on + times * b.follow_on,
    retries: a.retries + times * b.retries,
    unrecovered: a.unrecovered + times * b.unrecovered,
    excused: a.excused + times * b.excused,
  };
}

/** failed / (ok + failed); null without any known status. */
export function failureRate(tally: Tally): number | null {
  const classified = tally.ok + tally.failed;
  return classified === 0 ? null : tally.failed / classified;
}

/** The merged state of one session. */
export interface SessionRecord {
  readonly kind: "session-record";
  readonly project: string;
  readonly session_id: string;
  readonly started_at: number;
  readonly last_at: number;
  readonly sources: readonly Source[];
  readonly client?: Fact<string>;
  readonly provider?: Fact<string>;
  /** The folder that the client first worked in, and its last branch. */
  readonly folder?: Fact<string>;
  readonly branch?: Fact<string>;
  /** The first words of the first prompt; only if capture stores prompts. */
  readonly task?: Fact<string>;
  /** The model of the session's last response. */
  readonly model_used?: Fact<string>;
  readonly requests: number;
  readonly tally: Tally;
  /**
   * Calls that wait for a result, as long as no call has one; absent otherwise. Older versions do not count them, which
   * would make a lasting count wrong.
   */
  readonly pending?: number;
  /** Failures by category. */
  readonly categories: Counts;
  /** Failures by severity. */
  readonly severities: Counts;
  /** Tokens of all its responses; absent if none reported any. */
  readonly usage?: TokenUsage;
  /** Absent without a loop. */
  readonly loops?: LoopCounts;
  /** The last end of a turn and of the session that the client reported. */
  readonly stopped_at?: number;
  readonly ended_at?: number;
  /** No activity was observed up to this time, for at least the idle timeout. */
  readonly idle_at?: number;
  /** The session with its calls, if the proxy recorded them under another id; see `client-calls.ts`. */
  readonly joined_to?: string;
  /** Settings of its health by rate, if they are not the defaults. */
  readonly thresholds?: HealthThresholds;
}

/** The counts from which a session is scored. */
export function sessionAggregatesOf({ tally, pending = 0, categories }: SessionRecord): SessionAggregates {
  return { ...tally, pending, categories };
}

/** Loops of a session; see docs/loops.md. */
export interface LoopCounts {
  readonly found: number;
  /** Those that a later call ended. */
  readonly ended: number;
  /** Calls that brought nothing new, from the third of each loop. */
  readonly calls: number;
}

/** Whether the last calls of a session are a loop, and it may still go on. */
export function isLooping(session: SessionRecord): boolean {
  const { loops } = session;
  return loops !== undefined && loops.found > loops.ended && (endedAt(session) ?? -1) < session.last_at;
}

/** Entries with 0 are removed. */
export function addCount(counts: Counts, name: string, times: number): Counts {
  const { [name]: inherited, ...others } = counts;
  const known = Object.hasOwn(counts, name) ? (inherited ?? 0) : 0;
  return known + times === 0 ? others : { ...others, [name]: known + times };
}

/** The latest stop, end or idle timeout, when scores were emitted. */
export function scoredAt({ stopped_at, ended_at, idle_at }: SessionRecord): number | undefined {
  const latest = Math.max(stopped_at ?? -1, ended_at ?? -1, idle_at ?? -1);
  return latest === -1 ? undefined : latest;
}

/** The latest end reported by the client, or idle timeout. Later activity reopens the session. */
export function endedAt({ ended_at, idle_at }: SessionRecord): number | undefined {
  const latest = Math.max(ended_at ?? -1, idle_at ?? -1);
  return latest === -1 ? undefined : latest;
}

/** Whether all its calls are recorded in another session. */
export function isJoined({ joined_to, tally }: SessionRecord): boolean {
  return joined_to !== undefined && tally.calls === 0;
}

/** Whether no activity followed the last stop, end or idle timeout. Later activity reopens the session. */
export function isFinished(session: SessionRecord): boolean {
  return (scoredAt(session) ?? -1) >= session.last_at;
}

/** The highest severity of its failures; undefined without failures. */
export function worstSeverity({ severities }: SessionRecord): number | undefined {
  const all = Object.keys(severities).map(Number);
  return all.length === 0 ? undefined : Math.max(...all);
}

/** A session while a batch is folded. All other code uses {@link SessionRecord}. */
export type MutableSession = { -readonly [K in keyof SessionRecord]: SessionRecord[K] };

/** Creates a session from its first observation. */
export function sessionOf(observation: Observation): MutableSession {
  const { project, session_id, occurred_at: at, source } = observation;
  const session: MutableSession = {
    kind: "session-record",
    project,
    session_id,
    started_at: at,
    last_at: at,
    sources: SINGLE_SOURCE[source],
    requests: 0,
    tally: EMPTY_TALLY,
    categories: {},
    severities: {},
  };
  addToSession(session, observation);
  return session;
}

const SINGLE_SOURCE: Readonly<Record<Source, readonly Source[]>> = {
  proxy: ["proxy"],
  library: ["library"],
  transcript: ["transcript"],
  hook: ["hook"],
  mcp: ["mcp"],
};

/** Merges an observation, in any order. Does not count: counts are derived from the changes of calls and requests. */
export function addToSession(session: MutableSession, observation: Observation): void {
  const { occurred_at: at, source, client, provider, model, kind } = observation;
  if (at < session.started_at) session.started_at = at;
  if (at > session.last_at) session.last_at = at;
  if (!session.sources.includes(source)) session.sources = [...session.sources, source].sort();
  // The model of a request may differ from the one that responds, and a history contains calls of earlier models.
  const rank = kind === "request" ? 1 : 2;
  const isPast = kind === "call" && observation.place.kind === "history";
  if (client !== undefined) session.client = pickFact(session.client, { value: client, rank: 1, at });
  if (provider !== undefined) session.provider = pickLatest(session.provider, { value: provider, rank: 1, at });
  if (model !== undefined && !isPast) session.model_used = pickLatest(session.model_used, { value: model, rank, at });
  if (kind === "prompt") addTask(session, observation);
  if (kind !== "session") return;
  const { folder, branch } = observation;
  if (folder !== undefined) session.folder = pickFact(session.folder, { value: folder, rank: 1, at });
  if (branch !== undefined) session.branch = pickLatest(session.branch, { value: branch, rank: 1, at });
  if (observation.event === "started") return;
  const field = TIME_FIELDS[observation.event];
  session[field] = Math.max(session[field] ?? 0, at);
}

function addTask(session: MutableSession, { text, occurred_at: at }: PromptObservation): void {
  const task = firstWords(text ?? "");
  if (task !== "") session.task = pickFact(session.task, { value: task, rank: 1, at });
}

const TIME_FIELDS = { stopped: "stopped_at", ended: "ended_at", idle: "idle_at" } as const;
