import type { Observation } from "../../core/model/observation.ts";
import type { RawCallObservation } from "../../ingest/observe/observe-call.ts";

/** What a line of a transcript tells: a call with its texts, or something that never had any. */
export type RawTranscriptObservation =
  | { readonly kind: "call"; readonly call: RawCallObservation }
  | { readonly kind: "observation"; readonly observation: Observation };

export function rawCall(call: RawCallObservation): RawTranscriptObservation {
  return { kind: "call", call };
}

/** What every sighting of one reading shares. */
export interface ReadingContext {
  readonly project: string;
  /** When we learn of it, in ms. */
  readonly seenAt: number;
  /** Did something that happened at this time happen while we were watching? Import says no to all. */
  readonly isLive: (occurredAt: number) => boolean;
  /** For lines without a time of their own, such as the time of the file. */
  readonly fallbackTime: number;
}

/** What a reader must remember to go on in the middle of a file. Plain JSON, and nothing of any text. */
export type ReaderMemory = { readonly [name: string]: unknown };

/**
 * Reads one transcript, line by line. Everything it needs is in the lines before and in its memory: the same lines always
 * give the same sightings.
 */
export interface TranscriptReader {
  /** A look at the bytes of a line: can it hold anything of interest? Most of a transcript cannot, and is never parsed. */
  isRelevant(line: Buffer): boolean;
  push(line: { readonly [name: string]: unknown }): readonly RawTranscriptObservation[];
  /** Calls whose results have not come: a call is told with its result, or at the end without. */
  open(): readonly RawTranscriptObservation[];
  /** Whether reading can go on from behind the last line with nothing but the memory: no call of the last turn waits for its result. */
  readonly isSettled: boolean;
  /** Whether the last line began a turn: then reading can go on from before it, with the memory from before it. */
  readonly startedTurn: boolean;
  memory(): ReaderMemory;
}
