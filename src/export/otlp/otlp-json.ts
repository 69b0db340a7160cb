import { type Hasher, traceId } from "../../core/model/call-key.ts";
import type { ExportedCall } from "../export-target.ts";

/** The subset of opentelemetry-proto's JSON mapping that Toolmend writes. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly OtlpValue[] } };

export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

export type AttributeValue = string | number | boolean | readonly string[];

/** Omits undefined values. 64-bit integers are strings in OTLP JSON. */
export function attributes(values: Readonly<Record<string, AttributeValue | undefined>>): readonly OtlpAttribute[] {
  const found: OtlpAttribute[] = [];
  for (const [key, value] of Object.entries(values))
    if (value !== undefined) found.push({ key, value: encoded(value) });
  return found;
}

function encoded(value: AttributeValue): OtlpValue {
  switch (typeof value) {
    case "string":
      return { stringValue: value };
    case "boolean":
      return { boolValue: value };
    case "number":
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return { arrayValue: { values: value.map((item) => ({ stringValue: item })) } };
  }
}

/** Converts milliseconds to the nanosecond strings of OTLP. */
export function nanos(ms: number): string {
  return `${Math.max(0, Math.round(ms))}000000`;
}

export interface OtlpScope {
  readonly name: string;
  readonly version: string;
}

/** The resource and scope version of every batch. */
export interface OtlpSender {
  readonly resource: Readonly<Record<string, AttributeValue>>;
  readonly version: string;
}

export function traceRequest(sender: OtlpSender, spans: readonly unknown[]): object {
  const scope: OtlpScope = { name: "toolmend", version: sender.version };
  return { resourceSpans: [{ resource: resourceOf(sender), scopeSpans: [{ scope, spans }] }] };
}

export function logsRequest(sender: OtlpSender, logRecords: readonly unknown[]): object {
  const scope: OtlpScope = { name: "toolmend", version: sender.version };
  return { resourceLogs: [{ resource: resourceOf(sender), scopeLogs: [{ scope, logRecords }] }] };
}

function resourceOf({ resource }: OtlpSender): { readonly attributes: readonly OtlpAttribute[] } {
  return { attributes: attributes(resource) };
}

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
