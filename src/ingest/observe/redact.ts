import { type RedactLevel, redact } from "../../core/redact/redact.ts";

/**
 * Returns the first `limit` characters, redacted. Redacts a longer part first and then truncates, so that no secret
 * survives in part at the cut.
 */
export function redactedExcerpt(text: string, limit: number, level?: RedactLevel): string {
  const isCut = text.length > limit * 4;
  const redacted = redact(text.slice(0, limit * 4), level);
  if (redacted.length <= limit && !isCut) return redacted;
  // If redaction shortens the text below the limit, the end of the longer part shows; its last word may be half a
  // secret.
  const shown = isCut && redacted.length < limit ? withoutLastWord(redacted) : redacted;
  return `${withoutPartialCharacter(shown.slice(0, limit - 1))}…`;
}

function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Removes half a surrogate pair from the end. */
function withoutPartialCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
