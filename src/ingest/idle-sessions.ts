import { getErrorSeverity, RETRY_ADVICE } from "../core/detect/index.ts";
import { ROOT_AGENT } from "../core/model/call-key.ts";
import type { CallRecord } from "../core/model/call-record.ts";
import type { CallObservation, Observation, OutcomeFacts, ResultFacts } from "../core/model/observation.ts";
import type { Store } from "../store/port.ts";

/** A session that says nothing for this long is taken to be over, until it says something again. */
export const IDLE_TIMEOUT_MS: number = 30 * 60 * 1000;
const BATCH_SIZE = 500;

/** What can be said of a call that nobody answered: it did not come to an end. Any real result takes it back. */
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

/** Marks calls without a result in sessions that have gone quiet. Returns how many. */
export async function closeIdleCalls(
  store: Pick<Store, "quietCalls">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
): Promise<number> {
  const open = await store.quietCalls(now - idleTimeoutMs, BATCH_SIZE);
  return await record(open.flatMap((call) => incompleteOf(call, now)));
}

/** Says of sessions that have gone quiet that they have: then their scores are told. Returns how many. */
export async function closeIdleSessions(
  store: Pick<Store, "quietSessions">,
  record: (observations: readonly Observation[]) => Promise<number>,
  now: number,
  idleTimeoutMs = IDLE_TIMEOUT_MS,
): Promise<number> {
  const idle = await store.quietSessions(now - idleTimeoutMs, BATCH_SIZE);
  return await record(
    idle.map(({ project, session_id, last_at, source }) => ({
      v: 1,
      kind: "session",
      event: "quiet",
      project,
      session_id,
      agent_id: ROOT_AGENT,
      source,
      // The silence began with the last word: saying so must not look like another one.
      occurred_at: last_at,
      seen_at: now,
      live: false,
    })),
  );
}

function incompleteOf({ key, places, sources, first_at }: CallRecord, now: number): readonly CallObservation[] {
  const [place] = places;
  const { occurrence: _computed, ...group } = key;
  return [
    {
      ...group,
      v: 1,
      kind: "call",
      source: sources[0] ?? "proxy",
      // When it happened is when the call was made: the silence since then is not an event.
      occurred_at: first_at,
      seen_at: now,
      live: false,
      place: place === undefined ? { kind: "newest" } : { kind: "known", place },
      result: INCOMPLETE,
    },
  ];
}
