import { isObject } from "../../core/model/narrow.ts";
import { COMMON_TEXTS, type Observation } from "../../core/model/observation.ts";
import { TOKEN_KINDS, tokenField } from "../../core/model/token-usage.ts";
import { safeName } from "./redact.ts";

type SanitizeName = (name: string, maxChars?: number) => string;

type Fields = { readonly [name: string]: unknown };

const names = (text: string): readonly string[] => text.split(" ");

const COMMON_FIELDS = [...names("v kind project session_id agent_id source occurred_at seen_at live"), ...COMMON_TEXTS];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  call: [
    ...COMMON_FIELDS,
    ...names("tool_call_id place name origin format repairs arguments result execution_time_ms turnaround_ms"),
    ...names("turn turn_index order prompt workflow mcp"),
  ],
  prompt: [...COMMON_FIELDS, ...names("prompt workflow text")],
  usage: [...COMMON_FIELDS, ...names("usage response_id turn")],
  session: [...COMMON_FIELDS, ...names("event folder branch")],
};
const NESTED_FIELDS: Readonly<Record<string, readonly string[]>> = {
  place: names("kind conversation n response_id place"),
  mcp: names("server tool server_name server_version id inferred output rounds"),
  usage: TOKEN_KINDS.map(tokenField),
  arguments: names("fingerprint keys resources size_bytes preview effect"),
  result: names("hash normalized_hash size_bytes outcome provisional resources"),
  outcome: [
    ...names("status flag reported soft confidence rule phase category severity retryable exit_code"),
    ...names("status_message excerpt fingerprint"),
  ],
};

/** Fields with names that models and clients choose freely. */
const NAMES: ReadonlySet<string> = new Set([
  ...COMMON_TEXTS.filter((name) => name !== "request_id"),
  ...["name", "format", "workflow", "rule", "folder", "branch"],
]);

/** Ids, names and hashes are shorter. */
const MAX_FIELD_CHARS = 512;
const MAX_FIELDS = 64;

/**
 * Reduces an observation of another process to known fields of bounded length. Leaves its texts (`preview`,
 * `excerpt`, and the `text` of a prompt) unchanged: they are redacted before they are cut.
 */
export function knownFields(observation: Observation, sanitizeName: SanitizeName = safeName): Observation {
  // Read by name: what another process sent may have other fields. Only texts are changed.
  return pickFields(
    observation as unknown as Fields,
    FIELDS[observation.kind] ?? COMMON_FIELDS,
    sanitizeName,
  ) as unknown as Observation;
}

function pickFields(value: Fields, known: readonly string[], sanitizeName: SanitizeName): Fields {
  const picked: Record<string, unknown> = {};
  for (const name of known)
    if (value[name] !== undefined) picked[name] = sanitizeField(name, value[name], sanitizeName);
  return picked;
}

function sanitizeField(name: string, value: unknown, sanitizeName: SanitizeName): unknown {
  if (name === "preview" || name === "excerpt" || name === "text") return value;
  if (NAMES.has(name) && typeof value === "string") return sanitizeName(value);
  if (typeof value === "string") return value.slice(0, MAX_FIELD_CHARS);
  if (Array.isArray(value))
    return value
      .filter((one) => typeof one === "string")
      .slice(0, MAX_FIELDS)
      .map((one) => (name === "repairs" ? sanitizeName(short(one)) : short(one)));
  if (!isObject(value)) return value;
  const known = NESTED_FIELDS[name];
  if (known !== undefined) return pickFields(value, known, sanitizeName);
  if (name !== "keys") return undefined;
  const entries = Object.entries(value).flatMap(([key, one]) => (typeof one === "string" ? [[key, one] as const] : []));
  return Object.fromEntries(entries.slice(0, MAX_FIELDS).map(([key, one]) => [sanitizeName(key, 64), short(one)]));
}

function short(text: string): string {
  return text.slice(0, 64);
}
