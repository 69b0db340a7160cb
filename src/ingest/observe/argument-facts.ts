import type { Hasher } from "../../core/model/call-key.ts";
import { canonicalText } from "../../core/model/facts.ts";
import type { ArgumentFacts } from "../../core/model/observation.ts";
import { keptName } from "./kept-name.ts";
import { resourcesOf } from "./resources.ts";

const LONGEST_KEY = 64;

/** What may be kept of arguments: fingerprints and hashes, never the values. */
export function argumentFacts(value: unknown, hash: Hasher, tool?: string): ArgumentFacts {
  const args = withoutCacheControl(parsed(value));
  const text = typeof args === "string" ? args : (canonical(args ?? {}) ?? (typeof value === "string" ? value : ""));
  const entries = isObject(args) ? Object.entries(args) : [];
  return {
    fingerprint: hash(text).slice(0, 16),
    keys: Object.fromEntries(
      entries
        .slice(0, 64)
        .map(([name, inner]) => [keptName(name, LONGEST_KEY), hash(canonical(inner ?? null) ?? "").slice(0, 8)]),
    ),
    resources: resourcesOf(entries, tool, hash),
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

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
