import { canonicalText, sameValue } from "./facts.ts";
import type { RequestObservation, ResponseObservation } from "./observation.ts";

/** One exchange with an upstream: the request, and the response once it has ended. */
export interface RequestRecord {
  readonly kind: "request-record";
  readonly project: string;
  readonly request_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly request?: RequestObservation;
  readonly response?: ResponseObservation;
}

export function requestRecordOf(observation: RequestObservation | ResponseObservation): RequestRecord {
  const { project, request_id, session_id, agent_id } = observation;
  return {
    kind: "request-record",
    project,
    request_id,
    session_id,
    agent_id,
    ...(observation.kind === "request" ? { request: observation } : { response: observation }),
  };
}

export function mergeRequests(a: RequestRecord, b: RequestRecord): RequestRecord {
  const request = smaller(a.request, b.request);
  const response = smaller(a.response, b.response);
  if (request === a.request && response === a.response) return a;
  return { ...a, ...(request && { request }), ...(response && { response }) };
}

/**
 * Two different requests or responses should not share a random id. If they do, the choice must not depend on their
 * order.
 */
function smaller<T>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return sameValue(a, b) || canonicalText(a) <= canonicalText(b) ? a : b;
}
