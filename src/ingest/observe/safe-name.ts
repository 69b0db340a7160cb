import { type RedactLevel, redact } from "../../core/redact/redact.ts";

/** Longer than any API lets a name be. */
const MAX_NAME_CHARS = 200;
const MAX_CACHED_NAMES = 2000;

/** Names come again and again, and nearly all are harmless: each is looked at once. */
const cache: Readonly<Record<RedactLevel, Map<string, string>>> = { secrets: new Map(), personal: new Map() };

/**
 * A name as it is kept: of a tool, of a model, of an argument. Names are kept at every capture level, and models and clients may write anything
 * in their place, so they are bounded and redacted like any text.
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
