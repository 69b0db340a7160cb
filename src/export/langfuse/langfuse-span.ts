import type { Hasher } from "../../core/model/call-key.ts";
import type { ExportedCall } from "../exported-call.ts";
import { type OtlpSpan, toolSpan } from "../otlp/tool-span.ts";

export interface LangfuseLabels {
  readonly environment?: string;
  readonly release?: string;
}

const LEVEL = { ok: "DEFAULT", failed: "ERROR", unknown: "WARNING" } as const;

/** The span that every collector gets, with the attributes that Langfuse reads first. */
export function langfuseSpan(call: ExportedCall, hash: Hasher, { environment, release }: LangfuseLabels): OtlpSpan {
  const metadata = Object.entries(call.metadata).map(([name, value]) => [
    `langfuse.observation.metadata.${name}`,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return toolSpan(call, hash, {
    "langfuse.trace.name": `${call.client ?? "agent"}-session`,
    "langfuse.trace.tags": call.client === undefined ? ["toolmend"] : ["toolmend", call.client],
    "langfuse.observation.type": "tool",
    "langfuse.observation.level": LEVEL[call.status],
    "langfuse.observation.status_message": call.status === "failed" ? call.status_message : undefined,
    "langfuse.observation.input": call.arguments,
    "langfuse.observation.output": call.result,
    "langfuse.environment": environment,
    "langfuse.release": release,
    ...Object.fromEntries(metadata),
  });
}
