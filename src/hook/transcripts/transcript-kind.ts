import { type Fields, isObject } from "../../core/wire/json.ts";
import { ClaudeCodeReader } from "./claude-code.ts";
import { CodexReader } from "./codex.ts";
import { isBareMeta } from "./codex-thread.ts";
import { ToolmendEventsReader } from "./toolmend-events.ts";
import type { ReaderMemory, ReadingContext, TranscriptReader } from "./transcript-reader.ts";

type ReaderClass = new (context: ReadingContext, memory?: ReaderMemory) => TranscriptReader;

const READERS = {
  "claude-code": ClaudeCodeReader,
  codex: CodexReader,
  toolmend: ToolmendEventsReader,
} as const satisfies Readonly<Record<string, ReaderClass>>;

/** Supported transcript formats. */
export type TranscriptKind = keyof typeof READERS;
export const TRANSCRIPT_KINDS: readonly TranscriptKind[] = Object.keys(READERS) as TranscriptKind[];

export function createReader(kind: TranscriptKind, context: ReadingContext, memory?: ReaderMemory): TranscriptReader {
  return new READERS[kind](context, memory);
}

/** Detects the format from the fields of a line; undefined if they are ambiguous. */
export function kindOfLine(line: Fields): TranscriptKind | undefined {
  if (isBareMeta(line)) return "codex";
  if (typeof line.type !== "string") return undefined;
  if (line.v === 1 && typeof line.event_id === "string") return "toolmend";
  if (line.type === "session_meta" && isObject(line.payload)) return "codex";
  if (typeof line.sessionId === "string" || typeof line.leafUuid === "string") return "claude-code";
  return line.type === "file-history-snapshot" && isObject(line.snapshot) ? "claude-code" : undefined;
}
