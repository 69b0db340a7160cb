type Fields = { readonly [name: string]: unknown };

/** Leak reasons of earlier versions. */
const REASONS: Readonly<Record<string, string>> = {
  "broken-off": "aborted",
  "ended-otherwise": "unknown-stop-reason",
  "hold-cap": "buffer-full",
  passed: "passed-through",
  "bad-name": "invalid-name",
  arguments: "free-text-tool",
  length: "max-tokens",
};

/**
 * An observation of an earlier version with its fields and values under their present names. Journals, spools and
 * event files may contain such lines, and other programs may send them.
 */
export function withNewNames(value: Fields): Fields {
  switch (value.kind) {
    case "call": {
      const call = renamed(value, { asked: "permission_requested" });
      const result = isObject(call.result)
        ? renamed(call.result, { unrun: "not_executed", if_asked: "if_permission_requested" })
        : undefined;
      return result === undefined || result === call.result ? call : { ...call, result };
    }
    case "response": {
      const response = renamed(value, { held: "stored_response" });
      const stored = response.stored_response;
      if (!isObject(stored) || !Object.hasOwn(stored, "asked")) return response;
      return { ...response, stored_response: renamed(stored, { asked: "prompt_position" }) };
    }
    case "session":
      return value.event === "quiet" ? { ...value, event: "idle" } : value;
    case "leak": {
      const { reason } = value;
      return typeof reason === "string" && Object.hasOwn(REASONS, reason)
        ? { ...value, reason: REASONS[reason] }
        : value;
    }
    default:
      return value;
  }
}

/** The same object where it has none of the old names. */
function renamed(value: Fields, names: Readonly<Record<string, string>>): Fields {
  if (!Object.keys(names).some((old) => Object.hasOwn(value, old))) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [names[name] ?? name, inner]));
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
