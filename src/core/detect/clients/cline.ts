import { isObject, objects, text as textOf } from "../../wire/json.ts";
import type { ClientProfile } from "./client-profile.ts";
import type { ClientText } from "./client-text.ts";

/** Longer results are classified as the JSON text that they are. */
const MAX_CHARS = 1 << 20;

/** Cline writes results as JSON: one entry per command or file, each with its own `success`. */
export const cline: ClientProfile = {
  kind: "client-profile",
  name: "cline",
  userAgents: ["cline/"],
  headers: [],
  systemTexts: ["You are Cline, an AI coding agent"],
  texts: [],
  absentFlag: "absent",
  okFlag: "ok",
  hidesExitStatus: [],
  unwrap,
  phrases: [
    {
      id: "rejected",
      at: "start",
      text: "Tool call ",
      says: "failure",
      phase: "call",
    },
    {
      id: "edit",
      at: "start",
      text: "Editor operation failed: No replacement performed",
      says: "failure",
      category: "precondition",
      phase: "call",
    },
    {
      id: "input",
      at: "start",
      text: "✖ Invalid input",
      says: "failure",
      category: "invalid_arguments",
      phase: "call",
    },
  ],
};

/** Returns the first failed entry, or else the last one: a call failed if any of its parts did. */
function unwrap(text: string): ClientText | undefined {
  if (text.length > MAX_CHARS || !(text.startsWith('{"') || text.startsWith('[{"query"'))) return undefined;
  const value = parse(text);
  if (isObject(value) && Object.keys(value).length === 1 && typeof value.error === "string")
    return { text: value.error, isError: true };
  const entries = objects(Array.isArray(value) ? value : [value]).filter(isEntry);
  const failed = entries.find(({ success }) => success === false);
  const entry = failed ?? entries.at(-1);
  if (entry === undefined) return undefined;
  const [result = "", error = ""] = [textOf(entry.result), textOf(entry.error)];
  // A command's error repeats the first line of its result.
  return { text: result.includes(error) ? result : `${error}\n${result}`.trim(), isError: failed !== undefined };
}

function isEntry({ query, success }: { readonly [name: string]: unknown }): boolean {
  return typeof query === "string" && typeof success === "boolean";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Truncated or not JSON: classified as text.
    return undefined;
  }
}
