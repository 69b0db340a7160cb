import { hasFields } from "../../core/model/narrow.ts";
import { type SessionKey, sessionHash } from "../../store/deletions.ts";

/**
 * Returns the session of a JSON line, or undefined if the line names none. Searches for the two fields without parsing:
 * files have millions of lines.
 */
export function sessionOfLine(line: string): SessionKey | undefined {
  const session_id = fieldOf(line, "session_id");
  if (session_id === undefined) return undefined;
  return { project: fieldOf(line, "project") ?? "default", session_id };
}

/** Returns the first field of this name. A field quoted inside a text has escaped quotes and does not match. */
function fieldOf(line: string, name: string): string | undefined {
  const start = line.indexOf(`"${name}":"`);
  if (start === -1) return undefined;
  const from = start + name.length + 3;
  for (let end = line.indexOf('"', from + 1); end !== -1; end = line.indexOf('"', end + 1)) {
    const text = line.slice(from, end + 1);
    if (!text.includes("\\")) return text.slice(1, -1);
    const value = parseOrUndefined(text);
    if (typeof value === "string") return value;
    // The quote was escaped. Ids are short, so a longer text is not an id.
    if (text.length > MAX_FIELD_CHARS) return undefined;
  }
  return undefined;
}

const MAX_FIELD_CHARS = 4096;

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Creates a test for lines of some sessions, which are given by {@link sessionHash}. */
export function isLineOf(sessions: ReadonlySet<string>): (line: string) => boolean {
  const known = new Map<string, boolean>();
  return (line) => {
    const key = sessionOfLine(line);
    if (key === undefined) return false;
    const text = `${key.project}\u0000${key.session_id}`;
    let isOne = known.get(text);
    if (isOne === undefined) {
      if (known.size > MAX_CACHED_SESSIONS) known.clear();
      isOne = sessions.has(sessionHash(key));
      known.set(text, isOne);
    }
    return isOne;
  };
}

const MAX_CACHED_SESSIONS = 10_000;

/**
 * Creates a test for lines of `journal/rejected.jsonl` to remove with some sessions. A line that names no session may
 * belong to any of them and matches too. With `before` (retention), lines match by age instead; lines without a time
 * were written by earlier versions and match.
 */
export function isRejectedLineOf(sessions: ReadonlySet<string>, before?: number): (line: string) => boolean {
  return (text) => {
    const parsed = parseOrUndefined(text);
    const { line, at } = hasFields(parsed) ? parsed : {};
    const key = typeof line === "string" ? sessionOfLine(line) : undefined;
    if (key !== undefined && sessions.has(sessionHash(key))) return true;
    if (before === undefined) return key === undefined;
    return typeof at !== "number" || at < before;
  };
}
