import { type SessionKey, sessionHash } from "../../store/deletions.ts";

/** Whose line of JSON this is; undefined where it names no session. Only looks for the two fields: files have millions of lines. */
export function sessionOfLine(line: string): SessionKey | undefined {
  const session_id = fieldOf(line, "session_id");
  if (session_id === undefined) return undefined;
  return { project: fieldOf(line, "project") ?? "default", session_id };
}

/** The first field of this name. A text that quotes one has its quotes escaped, and is not taken for it. */
function fieldOf(line: string, name: string): string | undefined {
  const start = line.indexOf(`"${name}":"`);
  if (start === -1) return undefined;
  const from = start + name.length + 3;
  for (let end = line.indexOf('"', from + 1); end !== -1; end = line.indexOf('"', end + 1)) {
    const text = line.slice(from, end + 1);
    if (!text.includes("\\")) return text.slice(1, -1);
    const value = parsed(text);
    if (typeof value === "string") return value;
    // The quote was escaped. Names are short: what goes on for long is none.
    if (text.length > MAX_FIELD_LENGTH) return undefined;
  }
  return undefined;
}

const MAX_FIELD_LENGTH = 4096;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells lines of some sessions, named by {@link sessionHash}, from others. */
export function isLineOf(sessions: ReadonlySet<string>): (line: string) => boolean {
  const known = new Map<string, boolean>();
  return (line) => {
    const key = sessionOfLine(line);
    if (key === undefined) return false;
    const text = `${key.project}\u0000${key.session_id}`;
    let isOne = known.get(text);
    if (isOne === undefined) {
      if (known.size > MAX_REMEMBERED) known.clear();
      isOne = sessions.has(sessionHash(key));
      known.set(text, isOne);
    }
    return isOne;
  };
}

const MAX_REMEMBERED = 10_000;

/**
 * Tells which lines of `journal/rejected.jsonl` go with some sessions. A line that names no session may be of any of them, and goes too. Where
 * retention deletes (`before`), lines of that age go instead; those without a time are older than times were kept.
 */
export function isRejectedLineOf(sessions: ReadonlySet<string>, before?: number): (line: string) => boolean {
  return (text) => {
    const { line, at } = (parsed(text) ?? {}) as { readonly line?: unknown; readonly at?: unknown };
    const key = typeof line === "string" ? sessionOfLine(line) : undefined;
    if (key !== undefined && sessions.has(sessionHash(key))) return true;
    if (before === undefined) return key === undefined;
    return typeof at !== "number" || at < before;
  };
}
