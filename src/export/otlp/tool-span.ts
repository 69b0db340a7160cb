import { type Hasher, traceId } from "../../core/model/call-key.ts";
import type { ExportedCall } from "../exported-call.ts";
import { type AttributeValue, attributes, nanos, type OtlpAttribute } from "./otlp-json.ts";

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status: { readonly code: 0 | 1 | 2; readonly message?: string };
}

const STATUS = { ok: 1, failed: 2, unknown: 0 } as const;

/**
 * A call as `execute_tool` span of the GenAI conventions. Its id is a hash, so that a span that is sent twice is stored
 * once.
 */
export function toolSpan(
  call: ExportedCall,
  hash: Hasher,
  more: Readonly<Record<string, AttributeValue | undefined>> = {},
): OtlpSpan {
  const failed = call.status === "failed";
  return {
    traceId: traceId(call, hash),
    spanId: call.record_id,
    name: `execute_tool ${call.tool_name}`,
    kind: 1,
    startTimeUnixNano: nanos(call.started_at),
    endTimeUnixNano: nanos(Math.max(call.started_at, call.ended_at)),
    attributes: attributes({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": call.tool_name,
      "gen_ai.tool.call.id": call.tool_call_id,
      "gen_ai.tool.type": "function",
      "gen_ai.conversation.id": call.session_id,
      "session.id": call.session_id,
      "gen_ai.request.model": call.model,
      "gen_ai.provider.name": call.provider,
      "gen_ai.agent.id": call.agent_id,
      "error.type": failed ? (call.category ?? "error") : undefined,
      "gen_ai.tool.call.arguments": call.arguments,
      "gen_ai.tool.call.result": call.result,
      "toolmend.project": call.project,
      "toolmend.status": call.status,
      "toolmend.client": call.client,
      ...Object.fromEntries(Object.entries(call.metadata).map(([name, value]) => [`toolmend.${name}`, value])),
      ...more,
    }),
    status: {
      code: STATUS[call.status],
      ...(failed && call.status_message !== undefined && { message: call.status_message }),
    },
  };
}
