import type { Json } from "../../model/tool-call.ts";
import { findJsonEnd } from "./find-end.ts";
import type { Repair } from "./repairs.ts";
import { readTolerant } from "./tolerant.ts";
import type { TolerantOptions } from "./tolerant-state.ts";

/** `open`: the text ended inside the value, or too soon to tell; more text may complete it. `none`: it went wrong at `at`. */
export type JsonRead =
  | { readonly kind: "value"; readonly value: Json; readonly end: number; readonly repairs: readonly Repair[] }
  | { readonly kind: "open" }
  | { readonly kind: "none"; readonly at: number };

export interface ReadJsonOptions extends TolerantOptions {
  /** Where damaged text must end at the latest: the next opener of the same kind. Strict JSON may pass it. */
  readonly boundary?: string;
  /** No more text will come after `limit`. */
  readonly final?: boolean;
}

const NO_REPAIRS: readonly Repair[] = [];
const HEAL_CAP = 65_536;

/**
 * Reads the JSON value that starts at `start`: strictly when it is JSON, tolerantly when it is not.
 *
 * @example
 * readJson("{'a': True}", 0, 11) // { kind: "value", value: { a: true }, end: 11, repairs: [...] }
 */
export function readJson(text: string, start: number, limit: number, options: ReadJsonOptions = {}): JsonRead {
  const found = findJsonEnd(text, start, limit);
  if (found.kind === "deep") return { kind: "none", at: found.at };
  if (found.kind === "end" && !found.bigNumbers) {
    try {
      return {
        kind: "value",
        value: JSON.parse(text.slice(start, found.end)) as Json,
        end: found.end,
        repairs: NO_REPAIRS,
      };
    } catch {
      // Not JSON after all: the tolerant reader says what it is.
    }
  }
  if (found.kind === "open") return { kind: "open" };
  const oddAt = found.kind === "odd" ? found.at : start + 1;
  const bound = boundaryAfter(text, found.kind === "odd" ? found.since : oddAt, limit, options.boundary);
  const read = readTolerant(text, start, bound, options);
  const unsure = bound === limit && !options.final && (read.touched || (read.kind === "read" && read.end >= limit));
  if (unsure) return { kind: "open" };
  if (read.kind === "unread") return { kind: "none", at: Math.max(oddAt, read.at) };
  if (read.open) return bound < limit ? { kind: "none", at: bound } : { kind: "open" };
  return { kind: "value", value: read.value, end: read.end, repairs: [...read.repairs] };
}

/** What can be saved of a value that the end of the text cut off, for showing; never for running. */
export function healTruncated(
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
