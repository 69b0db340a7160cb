import type { Observation } from "../../src/core/model/observation.ts";
import { type Backlog, BREAKDOWNS, type Store } from "../../src/store/port.ts";
import {
  args,
  callObservation,
  FAILED,
  leakObservation,
  NOON,
  OK,
  requestObservation,
  responseObservation,
  result,
  suspensionObservation,
  UNKNOWN,
} from "./observations.ts";

const OUTCOMES = [OK, FAILED, OK, UNKNOWN, { ...FAILED, fingerprint: "f1", excerpt: "no such file" }, OK, FAILED];

/** Calls of one session: failures, retries, two tools and models, a subagent, one call without a result. */
function sessionCalls(session_id: string, count: number): readonly Observation[] {
  return Array.from({ length: count }, (_, n) => {
    const call = {
      ...{ session_id, tool_call_id: `toolu_${session_id}_${n}`, agent_id: n % 5 === 4 ? "sub" : "root" },
      ...{ name: n % 3 === 0 ? "Bash" : "Edit", model: n % 4 === 0 ? "small" : "large", provider: "anthropic" },
      ...{ occurred_at: NOON + n * 60_000, seen_at: NOON + n * 60_000, turn: `t${n}`, prompt: `p${n % 2}` },
      ...{ arguments: args(`file ${n % 3}`), execution_time_ms: 10 * (n + 1) },
    };
    const outcome = OUTCOMES[n % OUTCOMES.length] ?? OK;
    return callObservation(n === count - 1 ? call : { ...call, result: result(`${session_id} ${n}`, outcome) });
  });
}

const base = { session_id: "leaky", request_id: "req-2", seen_at: NOON + 5000, occurred_at: NOON + 5000 };

/** What the release before recorded. Each list is one batch. */
export const BATCHES: readonly (readonly Observation[])[] = [
  [
    requestObservation({ session_id: "one", request_id: "req-1", conversation: "c1" }),
    ...sessionCalls("one", 30),
    responseObservation({ session_id: "one", request_id: "req-1", stored_response: { answer_key: "k1" } }),
  ],
  [...sessionCalls("two", 90)],
  [
    requestObservation({ ...base, conversation: "c2" }),
    leakObservation({ ...base }),
    suspensionObservation({ ...base }),
    callObservation({ ...base, tool_call_id: "toolu_mended", origin: "recovered", result: result("done") }),
  ],
];

/** What this release records afterwards: results and retries in the same threads, and a new session. */
export const NEXT_BATCH: readonly Observation[] = [
  callObservation({
    ...{ session_id: "one", tool_call_id: "toolu_one_29", occurred_at: NOON + 29 * 60_000 },
    result: result("late", FAILED),
  }),
  ...sessionCalls("two", 97).slice(89),
  ...sessionCalls("three", 4),
];

interface Answers {
  readonly [query: string]: unknown;
  readonly backlog: readonly Backlog[];
}

/** The answers to all queries. */
export async function answersOf(store: Store): Promise<Answers> {
  const sessions = await store.sessions({});
  return {
    summary: await store.summary({}),
    breakdowns: await Promise.all(BREAKDOWNS.map((by) => store.breakdown(by, {}))),
    series: await store.series({ step: "hour" }),
    toolModel: await store.toolModel({}),
    fingerprints: await store.fingerprints({}),
    sessions,
    unhealthy: await store.unhealthySessions({}),
    details: await Promise.all(sessions.map(({ session_id }) => store.sessionDetail("default", session_id))),
    leaks: await store.leaks({}),
    suspensions: await store.suspensions({}),
    origins: await store.originOutcomes({}),
    recovered: await store.recoveredCalls("default", ["toolu_mended", "toolu_one_1"]),
    thread: await store.threadOfResponse({ project: "default", kind: "answer", key: "k1" }),
    backlog: await store.backlog(),
    position: await store.appliedPosition("j1"),
    events: (await store.events(0, 10_000)).map(({ id, line }) => [id, JSON.parse(line) as object]),
  };
}
