import { type Hasher, traceId } from "../../core/model/call-key.ts";
import type { ExportedCall, ExportedScore, ExportedSession, ExportTarget } from "../export-target.ts";
import { postJson } from "../post.ts";
import { attributes, logsRequest, nanos, type OtlpSender, traceRequest } from "./otlp-json.ts";
import { rootSpanId, toSpan } from "./spans.ts";

export interface OtlpSettings {
  readonly tracesUrl: string;
  readonly logsUrl: string;
  readonly tracesHeaders: Readonly<Record<string, string>>;
  readonly logsHeaders: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/**
 * Sends spans, and scores as evaluation events, to any OpenTelemetry collector. A span is final there: a second one
 * with the same id would be stored beside the first. Later changes are sent as events, of which the last observed
 * counts.
 */
export function otlpTarget(
  settings: OtlpSettings,
  sender: OtlpSender,
  hash: Hasher,
  now: () => number = Date.now,
): ExportTarget {
  const { tracesUrl, logsUrl, tracesHeaders, logsHeaders, timeoutMs } = settings;
  return {
    name: "otlp",
    destination: [...new Set([tracesUrl, logsUrl])].join(" "),
    spanBatchSize: 200,
    scoreBatchSize: 500,
    sendSpans: (spans) =>
      postJson(
        { url: tracesUrl, headers: tracesHeaders, timeoutMs },
        traceRequest(
          sender,
          spans.map((about) => toSpan(about, hash)),
        ),
      ),
    sendScores: (scores) =>
      postJson(
        { url: logsUrl, headers: logsHeaders, timeoutMs },
        logsRequest(
          sender,
          scores.map(({ about, score }) => evaluationLog(about, score, hash, now())),
        ),
      ),
  };
}

const INFO = 9;

/** A score as the evaluation event of the GenAI conventions. */
export function evaluationLog(
  about: ExportedCall | ExportedSession,
  { id, name, value }: ExportedScore,
  hash: Hasher,
  observedAt: number,
): object {
  const call = about.kind === "call" ? about : undefined;
  const at = nanos(about.kind === "call" ? about.ended_at : about.at);
  return {
    timeUnixNano: at,
    observedTimeUnixNano: nanos(observedAt),
    severityNumber: INFO,
    severityText: "INFO",
    eventName: "gen_ai.evaluation.result",
    traceId: traceId(about, hash),
    spanId: call === undefined ? rootSpanId(about, hash) : call.record_id,
    body: { stringValue: `${name}=${value}` },
    attributes: attributes({
      "gen_ai.evaluation.name": name,
      ...(typeof value === "number"
        ? { "gen_ai.evaluation.score.value": value }
        : { "gen_ai.evaluation.score.label": value }),
      "gen_ai.conversation.id": about.session_id,
      "gen_ai.tool.call.id": call?.tool_call_id,
      "gen_ai.tool.name": call?.tool_name,
      "toolmend.score.id": id,
      "toolmend.project": about.project,
      "toolmend.workflow": about.metadata.workflow,
    }),
  };
}
