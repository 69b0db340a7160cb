import type { Hasher } from "../../core/model/call-key.ts";
import type { CallLocation, Observation, StoredResponseRef } from "../../core/model/observation.ts";
import { type RedactLevel, redactTokens } from "../../core/redact/redact.ts";

const MAX_CACHED_IDS = 4000;
/** Longer ids are scanned only up to here. */
const MAX_SCANNED_CHARS = 2000;
const ID_FIELDS = ["project", "session_id", "agent_id", "request_id", "tool_call_id", "turn", "prompt"] as const;

/**
 * Replaces ids that contain an API key by their salted hash. Clients choose ids of sessions and calls freely, and ids
 * are stored in every capture mode. Equal ids have equal hashes, so that a call and its result still match.
 */
export function createIdRedactor(
  hash: Hasher,
  level: RedactLevel = "secrets",
): (observation: Observation) => Observation {
  const harmless = new Set<string>();
  const isHarmless = (id: string): boolean => {
    if (harmless.has(id)) return true;
    const scanned = id.slice(0, MAX_SCANNED_CHARS);
    if (redactTokens(scanned, level) !== scanned) return false;
    if (harmless.size >= MAX_CACHED_IDS) harmless.clear();
    harmless.add(id);
    return true;
  };
  const redactId = (id: string): string => (isHarmless(id) ? id : `redacted-${hash(`id\u0000${id}`).slice(0, 24)}`);
  return (observation) => {
    let changed: Record<string, unknown> | undefined;
    const change = (name: string, value: unknown): void => {
      changed ??= { ...observation };
      changed[name] = value;
    };
    const fields = observation as unknown as Readonly<Record<string, unknown>>;
    for (const name of ID_FIELDS) {
      const id = fields[name];
      if (typeof id === "string" && !isHarmless(id)) change(name, redactId(id));
    }
    const ids = fields.tool_call_ids;
    if (Array.isArray(ids) && !ids.every(isHarmless)) change("tool_call_ids", ids.map(redactId));
    const place = fields.place as CallLocation | undefined;
    if (place?.kind === "response" && !isHarmless(place.response_id))
      change("place", { ...place, response_id: redactId(place.response_id) });
    const stored = fields.stored_response as StoredResponseRef | undefined;
    if (stored?.counts !== undefined && !Object.keys(stored.counts).every(isHarmless))
      change("stored_response", { ...stored, counts: redactKeys(stored.counts, redactId) });
    return (changed as Observation | undefined) ?? observation;
  };
}

function redactKeys<Value>(
  counts: { readonly [id: string]: Value },
  redactId: (id: string) => string,
): { readonly [id: string]: Value } {
  return Object.fromEntries(Object.entries(counts).map(([id, value]) => [redactId(id), value]));
}
