import { type RedactLevel, redact } from "../../core/redact/redact.ts";

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
