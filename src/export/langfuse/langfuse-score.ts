import { type Hasher, traceId } from "../../core/model/call-key.ts";
import type { ExportedCall, ExportedScore, ExportedSession } from "../exported-call.ts";

/** The body of `POST /api/public/scores`. */
export interface LangfuseScore {
  readonly id: string;
  readonly name: string;
  readonly value: number | string;
  readonly dataType: ExportedScore["data_type"];
  readonly traceId: string;
  readonly observationId?: string;
  readonly comment?: string;
  readonly environment?: string;
}

/** A session's scores belong to its trace; a call's to its observation too. */
export function langfuseScore(
  about: ExportedCall | ExportedSession,
  score: ExportedScore,
  hash: Hasher,
  environment?: string,
): LangfuseScore {
  const call = "record_id" in about ? about : undefined;
  return {
    id: score.id,
    name: score.name,
    value: score.value,
    dataType: score.data_type,
    traceId: traceId(about, hash),
    ...(call !== undefined && { observationId: call.record_id }),
    ...(call?.status_message !== undefined && call.status === "failed" && { comment: call.status_message }),
    ...(environment !== undefined && { environment }),
  };
}
