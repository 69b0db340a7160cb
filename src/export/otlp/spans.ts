import { type Hasher, spanId, traceId } from "../../core/model/call-key.ts";
import type { TokenUsage } from "../../core/model/token-usage.ts";
import type { Exported, ExportedCall, ExportedResponse, ExportedSession } from "../export-target.ts";
import { type AttributeValue, attributes, nanos, type OtlpSpan } from "./otlp-json.ts";

// Spans of the GenAI conventions: github.com/open-telemetry/semantic-conventions-genai. A session is `invoke_agent`,
// with
// `chat` and `execute_tool` below it. Ids are hashes, so that a span that is sent twice is stored once.

type More = Readonly<Record<string, AttributeValue | undefined>>;

/** The attributes that every span of a session has. */
function spanOf(
  about: Exported,
  hash: Hasher,
  span: Pick<OtlpSpan, "spanId" | "name" | "kind" | "status"> & { readonly start: number; readonly end: number },
  values: More,
): OtlpSpan {
  const { start, end, ...rest } = span;
  return {
    traceId: traceId(about, hash),
    ...(about.kind !== "session" && { parentSpanId: rootSpanId(about, hash) }),
    ...rest,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(Math.max(start, end)),
    attributes: attributes({
      "gen_ai.conversation.id": about.session_id,
      "session.id": about.session_id,
      "toolmend.project": about.project,
      "toolmend.client": about.client,
      ...values,
    }),
  };
}

/** The span of a session, which is the parent of its other spans. */
export function rootSpanId(session: { readonly project: string; readonly session_id: string }, hash: Hasher): string {
  return spanId(session, "root", hash);
}

export function toSpan(about: Exported, hash: Hasher, more: More = {}): OtlpSpan {
  switch (about.kind) {
    case "call":
      return toolSpan(about, hash, more);
    case "response":
      return chatSpan(about, hash, more);
    default:
      return agentSpan(about, hash, more);
  }
}

const STATUS = { ok: 1, failed: 2, unknown: 0 } as const;

function toolSpan(call: ExportedCall, hash: Hasher, more: More): OtlpSpan {
  const failed = call.status === "failed";
  const message = failed ? call.status_message : undefined;
  return spanOf(
    call,
    hash,
    {
      spanId: call.record_id,
      name: `execute_tool ${call.tool_name}`,
      kind: 1,
      start: call.started_at,
      end: call.ended_at,
      status: { code: STATUS[call.status], ...(message !== undefined && { message }) },
    },
    {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.tool_name,
      "gen_ai.tool.call.id": call.tool_call_id,
      "gen_ai.tool.type": "function",
      "gen_ai.request.model": call.model,
      "gen_ai.provider.name": call.provider,
      "gen_ai.agent.id": call.agent_id,
      "error.type": failed ? (call.category ?? "error") : undefined,
      "gen_ai.tool.call.arguments": call.arguments,
      "gen_ai.tool.call.result": call.result,
      "toolmend.status": call.status,
      ...ownAttributes(call.metadata),
      ...more,
    },
  );
}

function chatSpan(response: ExportedResponse, hash: Hasher, more: More): OtlpSpan {
  const { failure, first_byte_ms, stop_reason, streaming } = response;
  const model = response.request_model ?? response.response_model;
  return spanOf(
    response,
    hash,
    {
      spanId: spanId(response, response.response, hash),
      name: model === undefined ? "chat" : `chat ${model}`,
      kind: 3,
      start: response.started_at,
      end: response.ended_at,
      status: { code: failure === undefined ? 0 : 2 },
    },
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": response.provider ?? UNKNOWN_PROVIDER,
      "gen_ai.request.model": model,
      "gen_ai.request.stream": streaming === true ? true : undefined,
      "gen_ai.response.model": response.response_model,
      "gen_ai.response.id": response.response_id,
      "gen_ai.response.finish_reasons": stop_reason === undefined ? undefined : [stop_reason],
      "gen_ai.response.time_to_first_chunk":
        streaming === true && first_byte_ms !== undefined ? first_byte_ms / 1000 : undefined,
      "gen_ai.agent.id": response.agent_id,
      ...usageAttributes(response.usage),
      "error.type": failure,
      "toolmend.request_id": response.request_id,
      ...more,
    },
  );
}

function agentSpan(session: ExportedSession, hash: Hasher, more: More): OtlpSpan {
  const { client } = session;
  return spanOf(
    session,
    hash,
    {
      spanId: rootSpanId(session, hash),
      name: client === undefined ? "invoke_agent" : `invoke_agent ${client}`,
      kind: 1,
      start: session.started_at,
      end: session.at,
      status: { code: 0 },
    },
    {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": client,
      "gen_ai.provider.name": session.provider ?? UNKNOWN_PROVIDER,
      "gen_ai.request.model": session.model,
      ...usageAttributes(session.usage),
      "gen_ai.input.messages": session.prompt === undefined ? undefined : inputMessages(session.prompt),
      ...ownAttributes(session.metadata),
      ...more,
    },
  );
}

/** The conventions require a provider; hooks and some transcripts do not report it. */
const UNKNOWN_PROVIDER = "unknown";

function ownAttributes(metadata: ExportedCall["metadata"]): More {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`toolmend.${name}`, value]));
}

/** As in the conventions, cached and written input is part of the input, and reasoning part of the output. */
function usageAttributes(usage: TokenUsage | undefined): More {
  return {
    "gen_ai.usage.input_tokens": usage?.input_tokens,
    "gen_ai.usage.output_tokens": usage?.output_tokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cached_tokens,
    "gen_ai.usage.cache_creation.input_tokens": usage?.cache_write_tokens,
    "gen_ai.usage.reasoning.output_tokens": usage?.reasoning_tokens,
  };
}

/** Attributes cannot contain objects, so the conventions represent messages as JSON. */
function inputMessages(prompt: string): string {
  return JSON.stringify([{ role: "user", parts: [{ type: "text", content: prompt }] }]);
}
