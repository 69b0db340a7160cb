import type { Observation, ObservationBase, UsageObservation } from "../../core/model/observation.ts";
import { folderName } from "../../core/model/session-name.ts";
import type { RawCallObservation } from "../../ingest/observe/observe-call.ts";

/** What a reader found in a transcript: a call with its text, or an observation without text. */
export type RawTranscriptObservation =
  | { readonly kind: "call"; readonly call: RawCallObservation }
  | { readonly kind: "observation"; readonly observation: Observation };

export function rawCall(call: RawCallObservation): RawTranscriptObservation {
  return { kind: "call", call };
}

export function rawObservation(observation: Observation): RawTranscriptObservation {
  return { kind: "observation", observation };
}

export function usageObservation(
  base: ObservationBase,
  reported: Pick<UsageObservation, "usage" | "response_id" | "turn" | "model">,
): RawTranscriptObservation {
  return rawObservation({ ...base, ...reported, kind: "usage" });
}

/** Reports where a session works. Returns nothing if the transcript does not contain it. */
export function folderObservation(
  base: ObservationBase,
  path: string | undefined,
  branch: string | undefined,
): readonly RawTranscriptObservation[] {
  const folder = folderName(path ?? "");
  if (folder === undefined && branch === undefined) return [];
  const names = { ...(folder !== undefined && { folder }), ...(branch !== undefined && { branch }) };
  return [{ kind: "observation", observation: { ...base, kind: "session", event: "started", ...names } }];
}

/** Values shared by all observations of one run over a file. */
export interface ReadingContext {
  readonly project: string;
  /** When the file is read, in ms. */
  readonly seenAt: number;
  /** Whether Toolmend was running at that time. Always false for imports. */
  readonly isLive: (occurredAt: number) => boolean;
  /** Time for lines without a timestamp, such as the file's modification time. */
  readonly fallbackTime: number;
}

/** State that a reader needs to resume in the middle of a file. Plain JSON without any text of the transcript. */
export type ReaderMemory = object;

/**
 * Reads one transcript line by line. Deterministic: the same lines and memory always give the same observations.
 */
export interface TranscriptReader {
  /** Prefilter on the raw bytes. Most lines of a transcript are irrelevant and never parsed. */
  isRelevant(line: Buffer): boolean;
  push(line: { readonly [name: string]: unknown }): readonly RawTranscriptObservation[];
  /** Returns calls without a result so far. A call is emitted with its result, or at the end without one. */
  open(): readonly RawTranscriptObservation[];
  /** Whether the memory suffices to resume after the last line: every call of the last turn has its result. */
  readonly isSettled: boolean;
  /** Whether the last line started a turn. Then reading can resume before that line, with the memory before it. */
  readonly startedTurn: boolean;
  memory(): ReaderMemory;
}
