import type { ResponseObservation } from "../core/model/observation.ts";
import type { RequestRecord } from "../core/model/request-record.ts";
import type { UsageRecord } from "../core/model/usage-record.ts";
import { omitUndefined } from "../core/wire/json.ts";
import type { ResponseFacts } from "./outbox-port.ts";

/**
 * Joins what is known about one response: its usage, from any source, and its exchange, from the proxy. Returns
 * undefined if neither is known.
 */
export function responseFacts(
  usage: UsageRecord | undefined,
  exchange: RequestRecord | undefined,
): ResponseFacts | undefined {
  const { request, response } = exchange ?? {};
  const endedAt = response?.occurred_at ?? usage?.at;
  const agent = usage?.agent_id.value ?? exchange?.agent_id;
  if (endedAt === undefined || agent === undefined) return undefined;
  const startedAt = request?.occurred_at ?? endedAt - (response?.duration_ms ?? 0);
  return {
    agent_id: agent,
    started_at: Math.min(startedAt, endedAt),
    ended_at: endedAt,
    ...omitUndefined({
      client: response?.client ?? request?.client,
      provider: usage?.provider?.value ?? response?.provider ?? request?.provider,
      request_model: request?.model,
      response_model: usage?.model?.value ?? response?.model,
      response_id: response?.response_id,
      request_id: usage?.request_id?.value ?? exchange?.request_id,
      streaming: request?.streaming,
      first_byte_ms: response?.first_byte_ms,
      stop_reason: response?.stop_reason,
      failure: failureOf(response),
      usage: usage?.usage,
    }),
  };
}

function failureOf(response: ResponseObservation | undefined): string | undefined {
  if (response === undefined) return undefined;
  if (response.http_status >= 400) return String(response.http_status);
  return response.ended === "complete" ? undefined : response.ended;
}
