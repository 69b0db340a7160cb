import { type Hasher, traceId } from "../../core/model/call-key.ts";
import type { TokenUsage } from "../../core/model/token-usage.ts";
import type { Exported, ExportedCall, ExportedScore, ExportedSession, ExportTarget } from "../export-target.ts";
import { type AttributeValue, type OtlpSender, type OtlpSpan, traceRequest } from "../otlp/otlp-json.ts";
import { toSpan } from "../otlp/spans.ts";
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
    // A key belongs to a project.
    destination: `${host} ${publicKey}`,
    spanBatchSize: 100,
    replacesSpans: true,
    // The API accepts a single score.
    scoreBatchSize: 1,
    sendSpans: (spans) =>
      postJson(
        to("/otel/v1/traces"),
        traceRequest(
          sender,
          spans.map((about) => langfuseSpan(about, hash, settings)),
        ),
      ),
    async sendScores([first]) {
      if (first === undefined) return { kind: "accepted" };
      return await postJson(to("/scores"), langfuseScore(first.about, first.score, hash, settings.environment));
    },
    textOfScores: (about) => JSON.stringify(textOf(about)),
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
  const call = about.kind === "call" ? about : undefined;
  return {
    id: score.id,
    name: score.name,
    value: score.value,
    dataType: score.data_type,
    traceId: traceId(about, hash),
    ...(call !== undefined && { observationId: call.record_id }),
    ...textOf(about),
    ...(environment !== undefined && { environment }),
  };
}

/** The parts of a score that do not depend on its value. */
function textOf(about: ExportedCall | ExportedSession): Pick<LangfuseScore, "comment" | "metadata"> {
  const { workflow } = about.metadata;
  const comment = about.kind === "call" && about.status === "failed" ? about.status_message : undefined;
  return {
    ...(comment !== undefined && { comment }),
    // Langfuse groups scores by their own metadata, not by that of their observation.
    ...(workflow !== undefined && { metadata: { workflow } }),
  };
}

export interface LangfuseLabels {
  readonly environment?: string;
  readonly release?: string;
}

const LEVEL = { ok: "DEFAULT", failed: "ERROR", unknown: "WARNING" } as const;

/**
 * The OTLP span of a session, a response or a call, plus the attributes that take precedence in Langfuse. Its name is
 * what users filter by: the tool, the model, the client.
 */
export function langfuseSpan(about: Exported, hash: Hasher, { environment, release }: LangfuseLabels): OtlpSpan {
  const { client } = about;
  const span = toSpan(about, hash, {
    "langfuse.trace.name": `${client ?? "agent"}-session`,
    "langfuse.trace.tags": client === undefined ? ["toolmend"] : ["toolmend", client],
    "langfuse.environment": environment,
    "langfuse.release": release,
    ...observationAttributes(about),
  });
  return { ...span, name: nameOf(about) };
}

function nameOf(about: Exported): string {
  if (about.kind === "call") return about.tool_name;
  if (about.kind === "session") return about.client ?? "agent";
  return about.request_model ?? about.response_model ?? "response";
}

type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

function observationAttributes(about: Exported): Attributes {
  if (about.kind === "session")
    return {
      "langfuse.observation.type": "agent",
      "langfuse.observation.input": about.prompt,
      ...metadataAttributes(about.metadata),
    };
  if (about.kind === "response")
    return {
      "langfuse.observation.type": "generation",
      "langfuse.observation.level": about.failure === undefined ? "DEFAULT" : "ERROR",
      "langfuse.observation.status_message": about.failure,
      "langfuse.observation.model.name": about.response_model ?? about.request_model,
      "langfuse.observation.usage_details": usageDetails(about.usage),
      "langfuse.observation.completion_start_time": completionStart(about),
    };
  return {
    "langfuse.observation.type": "tool",
    "langfuse.observation.level": LEVEL[about.status],
    "langfuse.observation.status_message": about.status === "failed" ? about.status_message : undefined,
    "langfuse.observation.input": about.arguments,
    "langfuse.observation.output": about.result,
    ...metadataAttributes(about.metadata),
  };
}

function metadataAttributes(metadata: ExportedCall["metadata"]): Attributes {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [
      `langfuse.observation.metadata.${name}`,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** Langfuse adds up the parts and has a price for each, so a part must not also be included in its whole. */
function usageDetails(usage: TokenUsage | undefined): string | undefined {
  if (usage === undefined) return undefined;
  const { input_tokens: input, output_tokens: output, cached_tokens = 0, cache_write_tokens = 0 } = usage;
  const { reasoning_tokens = 0 } = usage;
  return JSON.stringify({
    ...(input !== undefined && { input: input - cached_tokens - cache_write_tokens }),
    ...(cached_tokens > 0 && { input_cache_read: cached_tokens }),
    ...(cache_write_tokens > 0 && { input_cache_creation: cache_write_tokens }),
    ...(output !== undefined && { output: output - reasoning_tokens }),
    ...(reasoning_tokens > 0 && { output_reasoning: reasoning_tokens }),
    ...(input !== undefined && output !== undefined && { total: input + output }),
  });
}

/** When the first byte arrived, which Langfuse shows as time to first token. */
function completionStart({
  started_at,
  first_byte_ms,
  streaming,
}: Extract<Exported, { kind: "response" }>): string | undefined {
  if (first_byte_ms === undefined || streaming !== true) return undefined;
  return JSON.stringify(new Date(started_at + first_byte_ms).toISOString());
}
