import { getErrorSeverity, RETRY_ADVICE } from "../core/detect/index.ts";
import { ROOT_AGENT } from "../core/model/call-key.ts";
import type { CallRecord } from "../core/model/call-record.ts";
import type { CallObservation, Observation, OutcomeFacts, ResultFacts, Source } from "../core/model/observation.ts";
import type { Store } from "../store/port.ts";

/** Idle time after which a session counts as ended. New activity reopens it. */
export const IDLE_TIMEOUT_MS: number = 30 * 60 * 1000;
const BATCH_SIZE = 500;

/** Provisional outcome of a call without a result; a real result replaces it. */
export const INCOMPLETE: ResultFacts = {
  hash: "",
  size_bytes: 0,
  provisional: true,
  outcome: {
    status: "failed",
    flag: "absent",
    reported: "unknown",
    soft: false,
    confidence: 0.5,
    rule: "no-result",
    phase: "run",
    category: "incomplete",
    severity: getErrorSeverity("incomplete"),
    retryable: RETRY_ADVICE.incomplete,
  } satisfies OutcomeFacts,
};

/**
 * Marks open calls of idle sessions as incomplete. Returns how many.
 *
 * @param startedAt start of the server, since when transcripts have been followed live; absent if none is
 */
export async function closeIdleCalls(
  store: Pick<Store, "idleCalls">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
  startedAt = Number.POSITIVE_INFINITY,
): Promise<number> {
  const open = await store.idleCalls(now - idleTimeoutMs, BATCH_SIZE);
  return await record(open.flatMap((call) => incompleteOf(call, now, startedAt)));
}

/** Ends idle sessions, which emits their scores. Returns how many. */
export async function closeIdleSessions(
  store: Pick<Store, "idleSessions">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
  startedAt = Number.POSITIVE_INFINITY,
): Promise<number> {
  const idle = await store.idleSessions(now - idleTimeoutMs, BATCH_SIZE);
  return await record(
    idle.map(({ project, session_id, last_at, source }) => ({
      v: 1,
      kind: "session",
      event: "idle",
      project,
      session_id,
      agent_id: ROOT_AGENT,
      source,
      // The time of the last activity: the end of a session must not count as new activity.
      occurred_at: last_at,
      seen_at: now,
      live: isLive([source], last_at, startedAt),
    })),
  );
}

function incompleteOf(
  { key, places, sources, first_at }: CallRecord,
  now: number,
  startedAt: number,
): readonly CallObservation[] {
  const [place] = places;
  const { occurrence: _computed, ...group } = key;
  return [
    {
      ...group,
      v: 1,
      kind: "call",
      source: sources[0] ?? "proxy",
      // The time of the call, because becoming idle is not an event with its own time.
      occurred_at: first_at,
      seen_at: now,
      live: isLive(sources, first_at, startedAt),
      place: place === undefined ? { kind: "newest" } : { kind: "known", place },
      result: INCOMPLETE,
    },
  ];
}

/** Whether a source reported it when it happened. Then idle calls are counted and exported too. */
function isLive(sources: readonly Source[], at: number, startedAt: number): boolean {
  return at >= startedAt || sources.some((source) => source !== "transcript");
}

/** Periodic maintenance: closes the open calls of idle sessions, then the sessions. */
export async function sweepStore(
  store: Pick<Store, "idleCalls" | "idleSessions">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  { idleTimeoutMs, startedAt }: { readonly idleTimeoutMs?: number | undefined; readonly startedAt: number },
): Promise<void> {
  await closeIdleCalls(store, record, now, idleTimeoutMs, startedAt);
  await closeIdleSessions(store, record, now, idleTimeoutMs, startedAt);
}
