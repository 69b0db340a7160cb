import type { Fact } from "./facts.ts";
import { pickFact, pickLatest } from "./facts.ts";
import type { Observation, Source } from "./observation.ts";

/** How the calls of a session, tool or hour came out. */
export interface Tally {
  readonly calls: number;
  readonly ok: number;
  readonly failed: number;
  readonly unknown: number;
  readonly soft: number;
}

export const NO_CALLS: Tally = { calls: 0, ok: 0, failed: 0, unknown: 0, soft: 0 };

export function addTally(a: Tally, b: Tally, times = 1): Tally {
  return {
    calls: a.calls + times * b.calls,
    ok: a.ok + times * b.ok,
    failed: a.failed + times * b.failed,
    unknown: a.unknown + times * b.unknown,
    soft: a.soft + times * b.soft,
  };
}

/** failed / (ok + failed); null when there is no verdict at all, because no data is not health. */
export function failureRate(tally: Tally): number | null {
  const judged = tally.ok + tally.failed;
  return judged === 0 ? null : tally.failed / judged;
}

export type Health = "healthy" | "degraded" | "unhealthy" | "insufficient";

/** By the number of failures: none, one or two, three and more. Calls without any verdict say nothing. */
export function healthOf(tally: Tally): Health {
  if (tally.calls > 0 && tally.ok + tally.failed === 0) return "insufficient";
  if (tally.failed === 0) return "healthy";
  return tally.failed <= 2 ? "degraded" : "unhealthy";
}

/** One conversation of one client, as known so far. */
export interface SessionRecord {
  readonly kind: "session-record";
  readonly project: string;
  readonly session_id: string;
  readonly started_at: number;
  readonly last_at: number;
  readonly sources: readonly Source[];
  readonly client?: Fact<string>;
  readonly provider?: Fact<string>;
  /** The model of the session's last answer. */
  readonly model_used?: Fact<string>;
  readonly requests: number;
  readonly tally: Tally;
}

/** What one observation says about its session; merged like every other fact. */
export function sessionOf(observation: Observation): SessionRecord {
  const at = observation.occurred_at;
  // The model a request asks for is only a guess at the one that answers.
  const rank = observation.kind === "request" ? 1 : 2;
  const fact = (value: string | undefined, atRank = rank): Fact<string> | undefined =>
    value === undefined ? undefined : { value, rank: atRank, at };
  const client = fact(observation.client, 1);
  const provider = fact(observation.provider, 1);
  const model =
    observation.kind === "call" && observation.place.kind === "history" ? undefined : fact(observation.model);
  return {
    kind: "session-record",
    project: observation.project,
    session_id: observation.session_id,
    started_at: at,
    last_at: at,
    sources: [observation.source],
    ...(client && { client }),
    ...(provider && { provider }),
    ...(model && { model_used: model }),
    requests: 0,
    tally: NO_CALLS,
  };
}

/** Joins what two observations say of one session. Counts are kept apart: they follow the changes of calls and requests. */
export function mergeSessions(a: SessionRecord, b: SessionRecord): SessionRecord {
  const client = pickFact(a.client, b.client);
  const provider = pickLatest(a.provider, b.provider);
  const model = pickLatest(a.model_used, b.model_used);
  return {
    ...a,
    started_at: Math.min(a.started_at, b.started_at),
    last_at: Math.max(a.last_at, b.last_at),
    sources: [...new Set([...a.sources, ...b.sources])].sort(),
    ...(client && { client }),
    ...(provider && { provider }),
    ...(model && { model_used: model }),
  };
}
