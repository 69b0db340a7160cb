import { AmazonFramer, parseAmazonMessage } from "./amazon-framer.ts";
import { ArrayFramer, parseElement } from "./array-framer.ts";
import { EventFramer, type Frame, parseFrame } from "./event-framer.ts";
import { LineFramer, parseLine } from "./line-framer.ts";
import type { Api } from "./turn.ts";

/** Splits a byte stream into frames. Joining the `raw` of all frames and of `end` reproduces the stream. */
export interface StreamFramer {
  push(chunk: Uint8Array): Frame[];
  /** Number of bytes buffered for an incomplete frame. */
  readonly bufferedBytes: number;
  /** Returns the bytes that are not a complete frame. */
  end(): Uint8Array;
}

interface FramingKind {
  readonly create: (limit?: number) => StreamFramer;
  /** Parses the bytes of one complete frame. */
  readonly parse: (raw: Uint8Array) => Frame;
}

/**
 * How the objects of a stream are separated: server-sent events, one object per line, elements of one array, or binary
 * messages of Amazon, which can only be read.
 */
export type Framing = "events" | "lines" | "array" | "amazon";

export const FRAMINGS: Readonly<Record<Framing, FramingKind>> = {
  events: { create: (limit) => new EventFramer(limit), parse: (raw) => parseFrame(raw) },
  lines: { create: (limit) => new LineFramer(limit), parse: parseLine },
  array: { create: (limit) => new ArrayFramer(limit), parse: parseElement },
  amazon: { create: (limit) => new AmazonFramer(limit), parse: parseAmazonMessage },
};

const EVENTS = /^text\/event-stream\b/i;
const LINES = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)\b/i;

const AMAZON = /^application\/vnd\.amazon\.eventstream\b/i;

/** Whether streams with this framing can be rewritten. */
export function isRepairable(framing: Framing | undefined): framing is Exclude<Framing, "amazon"> {
  return framing !== undefined && framing !== "amazon";
}

/** The framing of a stream with this content type; undefined for other bodies. */
export function framingOf(api: Api, contentType: string | undefined): Exclude<Framing, "array"> | undefined {
  const type = contentType ?? "";
  if (EVENTS.test(type)) return "events";
  if (api === "anthropic" && AMAZON.test(type)) return "amazon";
  return api === "ollama" && LINES.test(type) ? "lines" : undefined;
}
