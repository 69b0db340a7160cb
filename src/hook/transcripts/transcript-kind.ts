import { type Fields, isObject } from "../../core/wire/json.ts";
import { ClaudeCodeReader } from "./claude-code.ts";
import type { ReaderMemory, ReadingContext, TranscriptReader } from "./transcript-reader.ts";

export const TRANSCRIPT_KINDS = ["claude-code"] as const;
export type TranscriptKind = (typeof TRANSCRIPT_KINDS)[number];

type ReaderClass = new (context: ReadingContext, memory?: ReaderMemory) => TranscriptReader;

const READERS: Readonly<Record<TranscriptKind, ReaderClass>> = {
  "claude-code": ClaudeCodeReader,
};

export function createReader(kind: TranscriptKind, context: ReadingContext, memory?: ReaderMemory): TranscriptReader {
  return new READERS[kind](context, memory);
}

/** Whose transcript a line is from, by what it says; undefined when it could be anybody's. */
export function kindOfLine(line: Fields): TranscriptKind | undefined {
  if (typeof line.type !== "string") return undefined;
  if (typeof line.sessionId === "string" || typeof line.leafUuid === "string") return "claude-code";
  return line.type === "file-history-snapshot" && isObject(line.snapshot) ? "claude-code" : undefined;
}
