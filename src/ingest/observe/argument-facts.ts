import type { Hasher } from "../../core/model/call-key.ts";
import { canonicalText } from "../../core/model/facts.ts";
import type { ArgumentFacts } from "../../core/model/observation.ts";

/** Names of arguments that say what a call is about. */
const RESOURCE_KEYS: readonly (readonly [kind: string, names: readonly string[]])[] = [
  ["path", ["path", "file", "file_path", "filepath", "filename", "notebook_path", "directory", "dir", "absolute_path"]],
  ["url", ["url", "uri", "href", "endpoint"]],
  ["command", ["command", "cmd", "script"]],
];

/** What may be kept of arguments: fingerprints and hashes, never the values. */
export function argumentFacts(value: unknown, hash: Hasher): ArgumentFacts {
  const args = withoutCacheControl(parsed(value));
  const text = typeof args === "string" ? args : (canonical(args ?? {}) ?? (typeof value === "string" ? value : ""));
  const entries = isObject(args) ? Object.entries(args) : [];
  return {
    fingerprint: hash(text).slice(0, 16),
    keys: Object.fromEntries(
      entries
        .slice(0, 64)
        .map(([name, inner]) => [name.slice(0, 64), hash(canonical(inner ?? null) ?? "").slice(0, 8)]),
    ),
    resources: resourcesOf(entries, hash),
    size_bytes: Buffer.byteLength(argumentText(value)),
  };
}

/** The arguments as they were written; empty when they are nested deeper than can be written. */
export function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value ?? {});
  } catch {
    return "";
  }
}

/** Undefined for what is nested deeper than the stack reaches: a client decides how deep. */
function canonical(value: unknown): string | undefined {
  try {
    return canonicalText(value);
  } catch {
    return undefined;
  }
}

/** OpenAI sends arguments as text; what does not parse is kept as the text it is, and none at all is an empty object. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (value.trim() === "") return {};
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Clients move `cache_control` to the newest block in every request: it is no part of the call. */
function withoutCacheControl(value: unknown): unknown {
  if (!isObject(value) || !("cache_control" in value)) return value;
  const { cache_control: _moved, ...rest } = value;
  return rest;
}

function resourcesOf(entries: readonly (readonly [string, unknown])[], hash: Hasher): readonly string[] {
  const found: string[] = [];
  for (const [name, value] of entries) {
    const kind = RESOURCE_KEYS.find(([, names]) => names.includes(name.toLowerCase()))?.[0];
    if (kind !== undefined && typeof value === "string" && value !== "")
      found.push(`${kind}:${hash(value).slice(0, 12)}`);
  }
  return found.sort();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
