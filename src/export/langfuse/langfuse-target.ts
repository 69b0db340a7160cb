import { type Hasher, traceId } from "../../core/model/call-key.ts";
import type { ExportedCall, ExportedScore, ExportedSession, ExportTarget } from "../export-target.ts";
import { type OtlpSender, type OtlpSpan, toolSpan, traceRequest } from "../otlp/otlp-json.ts";
import { type Destination, deleteAt, postJson } from "../post.ts";

export interface LangfuseSettings extends LangfuseLabels {
  readonly host: string;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly timeoutMs: number;
}

/** Sends spans by OpenTelemetry and scores by REST, the two APIs of Langfuse that are not deprecated. */
export function langfuseTarget(settings: LangfuseSettings, sender: OtlpSender, hash: Hasher): ExportTarget {
  const { publicKey, secretKey, timeoutMs } = settings;
  const host = settings.host.replace(/\/+$/, "");
  const headers = {
    authorization: `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString("base64")}`,
    "x-langfuse-sdk-name": "toolmend",
    "x-langfuse-sdk-version": sender.version,
    "x-langfuse-public-key": publicKey,
    // Without it, spans are processed with a delay of minutes.
    "x-langfuse-ingestion-version": "4",
  };
  const to = (path: string): Destination => ({ url: `${host}/api/public${path}`, headers, timeoutMs });
  return {
    name: "langfuse",
    spanBatchSize: 100,
    replacesSpans: true,
    // The API accepts a single score.
    scoreBatchSize: 1,
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

/** The body of `POST /api/public/scores`. */
export interface LangfuseScore {
  readonly id: string;
  readonly name: string;
  readonly value: number | string;
  readonly dataType: ExportedScore["data_type"];
  readonly traceId: string;
  readonly observationId?: string;
  readonly comment?: string;
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
  readonly environment?: string;
}

/** Scores of a session belong to its trace, scores of a call also to its observation. */
export function langfuseScore(
  about: ExportedCall | ExportedSession,
  score: ExportedScore,
  hash: Hasher,
  environment?: string,
): LangfuseScore {
  const call = "record_id" in about ? about : undefined;
  const workflow = call?.metadata.workflow;
  return {
    id: score.id,
    name: score.name,
    value: score.value,
    dataType: score.data_type,
    traceId: traceId(about, hash),
    ...(call !== undefined && { observationId: call.record_id }),
    ...(call?.status_message !== undefined && call.status === "failed" && { comment: call.status_message }),
    // Langfuse groups scores by their own metadata, not by that of their observation.
    ...(workflow !== undefined && { metadata: { workflow } }),
    ...(environment !== undefined && { environment }),
  };
}

export interface LangfuseLabels {
  readonly environment?: string;
  readonly release?: string;
}

const LEVEL = { ok: "DEFAULT", failed: "ERROR", unknown: "WARNING" } as const;

/** The OTLP span of a call, plus the attributes that take precedence in Langfuse. */
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
