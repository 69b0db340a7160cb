import type { Hasher } from "../../core/model/call-key.ts";
import type { ExportTarget } from "../export-target.ts";
import { type OtlpSender, traceRequest } from "../otlp/otlp-json.ts";
import { type Destination, deleteAt, postJson } from "../post.ts";
import { langfuseScore } from "./langfuse-score.ts";
import { type LangfuseLabels, langfuseSpan } from "./langfuse-span.ts";

export interface LangfuseSettings extends LangfuseLabels {
  readonly host: string;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly timeoutMs: number;
}

/** Spans by OpenTelemetry, scores by REST: the two doors of Langfuse that are not deprecated. */
export function langfuseTarget(settings: LangfuseSettings, sender: OtlpSender, hash: Hasher): ExportTarget {
  const { publicKey, secretKey, timeoutMs } = settings;
  const host = settings.host.replace(/\/+$/, "");
  const headers = {
    authorization: `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString("base64")}`,
    "x-langfuse-sdk-name": "toolmend",
    "x-langfuse-sdk-version": sender.version,
    "x-langfuse-public-key": publicKey,
  };
  const to = (path: string): Destination => ({ url: `${host}/api/public${path}`, headers, timeoutMs });
  return {
    name: "langfuse",
    spansAtOnce: 100,
    // The door takes one.
    scoresAtOnce: 1,
    sendSpans: (calls) =>
      postJson(
        to("/otel/v1/traces"),
        traceRequest(
          sender,
          calls.map((call) => langfuseSpan(call, hash, settings)),
        ),
      ),
    async sendScores([first]) {
      if (first === undefined) return { kind: "accepted" };
      return await postJson(to("/scores"), langfuseScore(first.about, first.score, hash, settings.environment));
    },
    withdrawScore: (id) => deleteAt(to(`/scores/${encodeURIComponent(id)}`)),
  };
}
