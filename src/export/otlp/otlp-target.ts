import type { Hasher } from "../../core/model/call-key.ts";
import type { ExportTarget } from "../export-target.ts";
import { postJson } from "../post.ts";
import { evaluationLog } from "./evaluation-log.ts";
import { logsRequest, type OtlpSender, traceRequest } from "./otlp-json.ts";
import { toolSpan } from "./tool-span.ts";

export interface OtlpSettings {
  readonly tracesUrl: string;
  readonly logsUrl: string;
  readonly tracesHeaders: Readonly<Record<string, string>>;
  readonly logsHeaders: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Any OpenTelemetry collector: spans, and scores as evaluation events beside them. */
export function otlpTarget(settings: OtlpSettings, sender: OtlpSender, hash: Hasher): ExportTarget {
  const { tracesUrl, logsUrl, tracesHeaders, logsHeaders, timeoutMs } = settings;
  return {
    name: "otlp",
    spansAtOnce: 200,
    scoresAtOnce: 500,
    sendSpans: (calls) =>
      postJson(
        { url: tracesUrl, headers: tracesHeaders, timeoutMs },
        traceRequest(
          sender,
          calls.map((call) => toolSpan(call, hash)),
        ),
      ),
    sendScores: (scores) =>
      postJson(
        { url: logsUrl, headers: logsHeaders, timeoutMs },
        logsRequest(
          sender,
          scores.map(({ about, score }) => evaluationLog(about, score, hash)),
        ),
      ),
  };
}
