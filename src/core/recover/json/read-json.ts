import type { Json } from "../../model/tool-call.ts";
import type { KeyDoubt } from "../arguments-fit.ts";
import { findJsonEnd } from "./find-end.ts";
import type { Repair } from "./repairs.ts";
import { readTolerant, type TolerantRead } from "./tolerant.ts";
import type { TolerantOptions } from "./tolerant-state.ts";

/**
 * `open`: the text ended inside the value or before it was decided; more text may complete it. `none`: parsing failed
 * at `at`. `inString`: a string was open at the end, or at the next opener, so the text there may be its data.
 */
export type JsonRead =
  | {
      readonly kind: "value";
      readonly value: Json;
      readonly end: number;
      readonly repairs: readonly Repair[];
      /** Keys that may belong to the value before them. */
      readonly keyDoubts: ReadonlyMap<string, KeyDoubt>;
    }
  | { readonly kind: "open"; readonly inString: boolean }
  | { readonly kind: "none"; readonly at: number; readonly inString?: boolean };

export interface ReadJsonOptions extends TolerantOptions {
  /** Where damaged text must end at the latest: the next opener of the same kind. Strict JSON may pass it. */
  readonly boundary?: string;
  /** No more text will come after `limit`. */
  readonly final?: boolean;
}

const NO_REPAIRS: readonly Repair[] = [];
const NO_DOUBTS: ReadonlyMap<string, KeyDoubt> = new Map();
const HEAL_CAP = 65_536;
/** Repairs that guess where something begins or ends; all others only change how it is written. */
const GUESSES: readonly Repair[] = ["bare-value", "closed-brackets", "inserted-comma", "unescaped-quote"];

/**
 * Reads the JSON value that starts at `start`: strictly when it is JSON, tolerantly when it is not.
 *
 * @example
 * readJson("{'a': True}", 0, 11) // { kind: "value", value: { a: true }, end: 11, repairs: [...], ... }
 */
export function readJson(text: string, start: number, limit: number, options: ReadJsonOptions = {}): JsonRead {
  const found = findJsonEnd(text, start, limit);
  if (found.kind === "deep") return { kind: "none", at: found.at };
  if (found.kind === "end" && !found.bigNumbers) {
    try {
      const value = JSON.parse(text.slice(start, found.end)) as Json;
      return { kind: "value", value, end: found.end, repairs: NO_REPAIRS, keyDoubts: NO_DOUBTS };
    } catch {
      // Not JSON after all: the tolerant reader says what it is.
    }
  }
  // As far as it goes it is JSON, in which only a string can hold an opener.
  if (found.kind === "open") return { kind: "open", inString: true };
  const oddAt = found.kind === "odd" ? found.at : start + 1;
  const bound = boundaryAfter(text, found.kind === "odd" ? found.since : oddAt, limit, options.boundary);
  const read = readTolerant(text, start, bound, options);
  if (bound < limit && read.kind === "read" && read.inString) return readAcross(text, start, bound, limit, options);
  const unsure = bound === limit && !options.final && (read.touched || (read.kind === "read" && read.end >= limit));
  if (unsure) return { kind: "open", inString: false };
  if (read.kind === "unread") return { kind: "none", at: Math.max(oddAt, read.at) };
  if (read.open) return bound < limit ? { kind: "none", at: bound } : { kind: "open", inString: read.inString };
  return completeRead(read);
}

/**
 * Handles a string that is open at the next opener. Either the opener is part of the string, or the string lost its
 * quote. It is part of the string if parsing on needs no guess; otherwise nothing is parsed.
 */
function readAcross(text: string, start: number, bound: number, limit: number, options: ReadJsonOptions): JsonRead {
  const read = readTolerant(text, start, limit, options);
  const complete = read.kind === "read" && !read.open && (options.final || (!read.touched && read.end < limit));
  if (complete && !GUESSES.some((guess) => read.repairs.has(guess))) return completeRead(read);
  return options.final ? { kind: "none", at: bound, inString: true } : { kind: "open", inString: true };
}

function completeRead({ value, end, repairs, keyDoubts }: TolerantRead): JsonRead {
  return { kind: "value", value, end, repairs: [...repairs], keyDoubts };
}

/** What can be saved of a value that the end of the text cut off, for showing; never for running. */
export function closeTruncated(
  text: string,
  start: number,
  limit: number,
  options: TolerantOptions = {},
): Json | undefined {
  const read = readTolerant(text, start, Math.min(limit, start + HEAL_CAP), options);
  return read.kind === "read" ? read.value : undefined;
}

function boundaryAfter(text: string, from: number, limit: number, boundary: string | undefined): number {
  if (boundary === undefined) return limit;
  const at = text.indexOf(boundary, from);
  return at === -1 || at > limit ? limit : at;
}
