import type { Observation } from "../../core/model/observation.ts";
import { safeName } from "./safe-name.ts";

type KeepName = (name: string, longest?: number) => string;

type Fields = { readonly [name: string]: unknown };

const names = (text: string): readonly string[] => text.split(" ");

const SEEN = names(
  "v kind project session_id agent_id source occurred_at seen_at live request_id model provider client api",
);
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  call: [
    ...SEEN,
    ...names("tool_call_id place name origin format repairs arguments result execution_time_ms turnaround_ms"),
    ...names("turn turn_index order prompt workflow"),
  ],
  prompt: [...SEEN, ...names("prompt workflow")],
  session: [...SEEN, "event"],
};
const INNER: Readonly<Record<string, readonly string[]>> = {
  place: names("kind conversation n response_id place"),
  arguments: names("fingerprint keys resources size_bytes preview"),
  result: names("hash size_bytes outcome provisional resources"),
  outcome: [
    ...names("status flag reported soft confidence rule phase category severity retryable exit_code"),
    ...names("status_message excerpt fingerprint"),
  ],
};

/** What models and clients name as they please. */
const NAMES: ReadonlySet<string> = new Set([
  "name",
  "model",
  "provider",
  "client",
  "api",
  "format",
  "workflow",
  "rule",
]);

/** Ids, names and hashes are short; whatever is longer is something else. */
const MAX_FIELD_CHARS = 512;
const MAX_FIELDS = 64;

/**
 * An observation of another process with nothing in it that is not one's to keep: fields that are known, hashes that are short. The two
 * texts it may carry, `preview` and `excerpt`, are left as they are.
 */
export function knownFields(observation: Observation, keepName: KeepName = safeName): Observation {
  return picked(observation as unknown as Fields, FIELDS[observation.kind] ?? SEEN, keepName) as unknown as Observation;
}

function picked(value: Fields, known: readonly string[], keepName: KeepName): Fields {
  const kept: Record<string, unknown> = {};
  for (const name of known) if (value[name] !== undefined) kept[name] = inner(name, value[name], keepName);
  return kept;
}

function inner(name: string, value: unknown, keepName: KeepName): unknown {
  if (name === "preview" || name === "excerpt") return value;
  if (NAMES.has(name) && typeof value === "string") return keepName(value);
  if (typeof value === "string") return value.slice(0, MAX_FIELD_CHARS);
  if (Array.isArray(value))
    return value
      .filter((one) => typeof one === "string")
      .slice(0, MAX_FIELDS)
      .map((one) => (name === "repairs" ? keepName(short(one)) : short(one)));
  if (value === null || typeof value !== "object") return value;
  const known = INNER[name];
  if (known !== undefined) return picked(value as Fields, known, keepName);
  if (name !== "keys") return undefined;
  const entries = Object.entries(value).filter(([, one]) => typeof one === "string");
  return Object.fromEntries(
    entries.slice(0, MAX_FIELDS).map(([key, one]) => [keepName(key, 64), short(one as string)]),
  );
}

function short(text: string): string {
  return text.slice(0, 64);
}
