import type { Hasher } from "../../core/model/call-key.ts";
import type { Observation } from "../../core/model/observation.ts";
import { type RedactLevel, redact, redactTokens } from "../../core/redact/redact.ts";
import { isHighSurrogate } from "../../core/text/char-codes.ts";

/**
 * Returns the first `limit` characters, redacted. Redacts a longer part first and then truncates, so that no secret
 * survives in part at the cut.
 */
export function redactedExcerpt(text: string, limit: number, level?: RedactLevel): string {
  const isCut = text.length > limit * 4;
  const redacted = redact(text.slice(0, limit * 4), level);
  if (redacted.length <= limit && !isCut) return redacted;
  // If redaction shortens the text below the limit, the end of the longer part shows; its last word may be half a
  // secret.
  const shown = isCut && redacted.length < limit ? withoutLastWord(redacted) : redacted;
  return `${withoutPartialCharacter(shown.slice(0, limit - 1))}…`;
}

function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Removes half a surrogate pair from the end. */
function withoutPartialCharacter(text: string): string {
  return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

/** No API allows longer names. */
const MAX_NAME_CHARS = 200;
const MAX_CACHED_NAMES = 2000;

/** Names repeat, so each is redacted only once. */
const cache: Readonly<Record<RedactLevel, Map<string, string>>> = { secrets: new Map(), personal: new Map() };

/**
 * Bounds and redacts the name of a tool, model or argument. Names are stored in every capture mode, and models and
 * clients can put any text there.
 */
export function safeName(name: string, maxChars: number = MAX_NAME_CHARS, level: RedactLevel = "secrets"): string {
  if (name.length > MAX_NAME_CHARS) return redact(name.slice(0, MAX_NAME_CHARS * 4), level).slice(0, maxChars);
  const names = cache[level];
  const before = names.get(name);
  const safe = before ?? redact(name, level);
  if (before === undefined) {
    if (names.size >= MAX_CACHED_NAMES) names.clear();
    names.set(name, safe);
  }
  return safe.length > maxChars ? safe.slice(0, maxChars) : safe;
}

const MAX_CACHED_IDS = 4000;
/** Longer ids are scanned only up to here. */
const MAX_SCANNED_CHARS = 2000;
const ID_FIELDS: readonly string[] = [
  ...["project", "session_id", "agent_id", "request_id", "response_id", "tool_call_id", "turn", "prompt"],
];

/**
 * Replaces ids that contain an API key by their salted hash. Clients choose ids of sessions and calls freely, and ids
 * are stored in every capture mode. Equal ids have equal hashes, so that a call and its result still match.
 */
export function createIdRedactor(
  hash: Hasher,
  level: RedactLevel = "secrets",
): (observation: Observation) => Observation {
  let harmless = new Set<string>();
  let olderHarmless = new Set<string>();
  const isHarmless = (id: string): boolean => {
    if (harmless.has(id)) return true;
    if (!olderHarmless.has(id)) {
      const scanned = id.slice(0, MAX_SCANNED_CHARS);
      if (redactTokens(scanned, level) !== scanned) return false;
    }
    if (harmless.size >= MAX_CACHED_IDS / 2) [olderHarmless, harmless] = [harmless, new Set()];
    harmless.add(id);
    return true;
  };
  /** The last harmless id of each field. Observations of one exchange share most of them. */
  const latest: string[] = ID_FIELDS.map(() => "");
  const redactId = (id: string): string => (isHarmless(id) ? id : `redacted-${hash(`id\u0000${id}`).slice(0, 24)}`);
  return (observation) => {
    let changed: Record<string, unknown> | undefined;
    const change = (name: string, value: unknown): void => {
      changed ??= { ...observation };
      changed[name] = value;
    };
    // Read by name, because most of these fields exist in several kinds of observations.
    const fields = observation as unknown as Readonly<Record<string, unknown>>;
    for (let at = 0; at < ID_FIELDS.length; at += 1) {
      const name = ID_FIELDS[at] as string;
      const id = fields[name];
      if (typeof id !== "string" || id === latest[at]) continue;
      if (isHarmless(id)) latest[at] = id;
      else change(name, redactId(id));
    }
    const ids = fields.tool_call_ids;
    if (Array.isArray(ids) && !ids.every(isHarmless)) change("tool_call_ids", ids.map(redactId));
    const place = observation.kind === "call" ? observation.place : undefined;
    if (place?.kind === "response" && !isHarmless(place.response_id))
      change("place", { ...place, response_id: redactId(place.response_id) });
    const stored = observation.kind === "response" ? observation.stored_response : undefined;
    if (stored?.counts !== undefined && !Object.keys(stored.counts).every(isHarmless))
      change("stored_response", { ...stored, counts: redactKeys(stored.counts, redactId) });
    // A copy in which only texts were replaced by texts.
    return (changed as Observation | undefined) ?? observation;
  };
}

function redactKeys<Value>(
  counts: { readonly [id: string]: Value },
  redactId: (id: string) => string,
): { readonly [id: string]: Value } {
  return Object.fromEntries(Object.entries(counts).map(([id, value]) => [redactId(id), value]));
}
