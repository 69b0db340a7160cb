import { tokenAt } from "../lex/token.ts";
import type { Envelope, Source } from "./payload.ts";

/** How far the closer of a damaged body is looked for. */
const MAX_BODY_CHARS = 16_384;

/**
 * Where a damaged body ends: at the closer of its envelope, or before the next opener of the same kind. Other calls in it
 * are quoted by it. `undefined`: nothing marks the end.
 */
export function damagedBodyEnd(source: Source, at: number, { key, boundary }: Envelope): number | undefined {
  if (key === "") return undefined;
  const { text, formats } = source;
  const limit = at + MAX_BODY_CHARS;
  for (let i = text.indexOf("<", at); i !== -1 && i < limit; i = text.indexOf("<", i)) {
    if (text.startsWith(boundary, i)) return i;
    const token = tokenAt(source, i);
    if (token !== null && token.key === key && token.close) return i;
    // A tag is closed by its own closer, a special token by whichever ends a call.
    if (token !== null && key.includes("|") && formats.plainClosers.has(token.key)) return i;
    i = token === null ? i + 1 : token.end;
  }
  if (text.length < limit) source.isEnd(text.length);
  return Math.min(text.length, limit);
}

/**
 * Where the data of a call ends that is damaged inside a string: at the closer that belongs to its opener, or at the last
 * closer that belongs to no opener, because a closer inside the string was counted for it. Without a closer, the data is
 * everything. Asked when the text is complete. `undefined`: the envelope is no tag, so its ends cannot be counted.
 */
export function damagedDataEnd(source: Source, { key }: Envelope, from: number): number | undefined {
  if (key === "" || key.includes("|")) return undefined;
  const { text, reading } = source;
  reading.ahead.left -= text.length - from;
  let depth = 1;
  let end: number | undefined;
  for (let i = text.indexOf("<", from); i !== -1; i = text.indexOf("<", i)) {
    const token = tokenAt(source, i);
    i = token === null ? i + 1 : token.end;
    if (token === null || token.key !== key || token.self) continue;
    if (!token.close) depth += 1;
    else if (depth === 0) end = token.end;
    else {
      depth -= 1;
      if (depth === 0) end ??= token.end;
    }
  }
  return end ?? text.length;
}
