import type {
  CallLocation,
  CallObservation,
  LeakObservation,
  ObservationBase,
  OutcomeFacts,
  RequestObservation,
  ResponseObservation,
  SuspensionObservation,
} from "../../src/core/model/observation.ts";

/** Noon of an arbitrary day: far from midnight, so that hours and days do not split by accident. */
export const NOON = Date.UTC(2026, 2, 10, 12);

export const OK: OutcomeFacts = { status: "ok", flag: "ok", reported: "ok", soft: false, confidence: 1, rule: "flag" };
export const FAILED: OutcomeFacts = {
  status: "failed",
  flag: "failed",
  reported: "failed",
  soft: false,
  confidence: 1,
  rule: "flag",
  phase: "run",
  category: "exit_code",
  severity: 0.8,
  retryable: "after-change",
};
export const UNKNOWN: OutcomeFacts = {
  status: "unknown",
  flag: "absent",
  reported: "unknown",
  soft: false,
  confidence: 0,
  rule: "none",
};

/** An observation of a call, with defaults for every field that does not matter. */
export function callObservation(
  fields: Partial<CallObservation> & { readonly place?: CallLocation } = {},
): CallObservation {
  return {
    v: 1,
    kind: "call",
    project: "default",
    session_id: "s1",
    agent_id: "root",
    source: "proxy",
    occurred_at: NOON,
    seen_at: NOON,
    live: true,
    tool_call_id: "toolu_aaaaaaaaaaaa",
    place: { kind: "history", conversation: "c1", n: 0 },
    name: "Bash",
    ...fields,
  };
}

export function result(text: string, outcome: OutcomeFacts = OK): CallObservation["result"] & object {
  return { hash: `h:${text}`, size_bytes: text.length, outcome };
}

export function args(text: string): CallObservation["arguments"] & object {
  return { fingerprint: `a:${text}`, keys: {}, resources: [], size_bytes: text.length };
}

/** What the observations of one exchange share. */
const EXCHANGE: ObservationBase & { readonly request_id: string } = {
  ...{ v: 1, project: "default", session_id: "s1", agent_id: "root", source: "proxy", live: true, request_id: "r1" },
  ...{ occurred_at: NOON, seen_at: NOON },
};

export function requestObservation(fields: Partial<RequestObservation> = {}): RequestObservation {
  return {
    ...EXCHANGE,
    kind: "request",
    streaming: false,
    size_bytes: 100,
    message_count: 1,
    tool_count: 1,
    ...fields,
  };
}

export function responseObservation(fields: Partial<ResponseObservation> = {}): ResponseObservation {
  return {
    ...EXCHANGE,
    kind: "response",
    http_status: 200,
    ended: "complete",
    size_bytes: 100,
    duration_ms: 10,
    tool_call_ids: [],
    ...fields,
  };
}

export function leakObservation(fields: Partial<LeakObservation> = {}): LeakObservation {
  return {
    ...EXCHANGE,
    kind: "leak",
    result: "recovered",
    format: "hermes-json",
    repairs: ["cleaned-name"],
    parsed: 2,
    dropped: 1,
    tool_names: ["Bash"],
    tool_call_ids: ["toolu_1"],
    ...fields,
  };
}

export function suspensionObservation(fields: Partial<SuspensionObservation> = {}): SuspensionObservation {
  return {
    ...EXCHANGE,
    kind: "suspension",
    provider: "openai",
    model: "m",
    http_status: 400,
    tool_call_ids: ["call_1"],
    message: "unknown id",
    ...fields,
  };
}

export function lines(...observations: readonly object[]): string {
  return observations.map((observation) => `${JSON.stringify(observation)}\n`).join("");
}

/** The n-th call of a thread: settled, in its own turn, named `toolu_` plus a letter. */
export function settledCall(
  n: number,
  name: string,
  outcome = OK,
  fields: Partial<CallObservation> = {},
): CallObservation {
  const id = `toolu_${String.fromCharCode(97 + n)}aaaaaaaaaaa`;
  return callObservation({
    tool_call_id: id,
    name,
    occurred_at: NOON + n * 1000,
    turn: id,
    turn_index: 0,
    result: result(id, outcome),
    ...fields,
  });
}
