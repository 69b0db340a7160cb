import { COMMON_TEXTS, type Observation } from "../core/model/observation.ts";
import { readObservation } from "../core/model/read-observation.ts";
import { hashText } from "./hash-text.ts";
import type { Rejected } from "./port.ts";

/** Parses the lines of a batch. Bounds ids, so that every store can index them. */
export function readLines(lines: string | Uint8Array): {
  readonly observations: readonly Observation[];
  readonly rejected: readonly Rejected[];
} {
  const observations: Observation[] = [];
  const rejected: Rejected[] = [];
  for (const line of typeof lines === "string" ? lines.split("\n") : linesOf(lines)) {
    if (line === "") continue;
    const read = readObservation(line);
    if (read.kind === "observation") observations.push(withBoundedIds(read.observation));
    else rejected.push({ line, reason: read.reason });
  }
  return { observations, rejected };
}

const NEWLINE = 10;

/** Decodes each line alone: a character outside Latin-1 then doubles the size of its own line, not of the whole batch. */
function* linesOf(bytes: Uint8Array): Generator<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let from = 0; from < buffer.length; ) {
    const newline = buffer.indexOf(NEWLINE, from);
    const end = newline === -1 ? buffer.length : newline;
    yield buffer.toString("utf8", from, end);
    from = end + 1;
  }
}

/** Longer than any id of an API. PostgreSQL cannot index texts of any length. */
const MAX_ID_CHARS = 200;
const ID_PREFIX_CHARS = 160;

type Fields = { readonly [name: string]: unknown };

/** Fields used in keys and indexes, by part of an observation. Their values come from models and clients. */
const PARTS: readonly (readonly [part: string, names: readonly string[]])[] = [
  ["place", ["conversation", "response_id", "place"]],
  ["arguments", ["fingerprint"]],
  ["result", ["hash", "outcome", "if_permission_requested"]],
];
const OWN = [
  ...COMMON_TEXTS,
  ...[
    "tool_call_id",
    "tool_call_ids",
    "conversation",
    "turn",
    "response_id",
    "prompt",
    "name",
    "workflow",
    "format",
    "reason",
  ],
  ...PARTS.map(([part]) => part),
];
const NAMES: Fields = Object.fromEntries([
  ...PARTS,
  ["outcome", ["phase", "category", "rule", "fingerprint"]],
  ["if_permission_requested", ["phase", "category", "rule", "fingerprint"]],
]);

/** Shortens ids that are too long for a store. Nearly always returns the same object. */
function withBoundedIds(observation: Observation): Observation {
  return boundedFields(observation as unknown as Fields, OWN) as unknown as Observation;
}

function boundedFields(fields: Fields, names: readonly string[]): Fields {
  let changed: Record<string, unknown> | undefined;
  for (const name of names) {
    const value = fields[name];
    const bounded = boundedValue(value, name);
    if (bounded === value) continue;
    changed ??= { ...fields };
    changed[name] = bounded;
  }
  return changed ?? fields;
}

function boundedValue(value: unknown, name: string): unknown {
  if (typeof value === "string") return boundedId(value);
  if (value === null || typeof value !== "object") return value;
  if (!Array.isArray(value)) return boundedFields(value as Fields, NAMES[name] as readonly string[]);
  return value.some((one) => boundedValue(one, name) !== one) ? value.map((one) => boundedValue(one, name)) : value;
}

/** A prefix of a long id plus a hash, so that different ids stay different. */
export function boundedId(id: string): string {
  return id.length <= MAX_ID_CHARS ? id : `${id.slice(0, ID_PREFIX_CHARS).toWellFormed()}~${hashText(id).slice(0, 32)}`;
}
