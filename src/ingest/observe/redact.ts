import { type RedactLevel, redact } from "../../core/redact/redact.ts";

/**
 * The first `limit` characters, redacted. Cut after redaction and with a margin before it, so that a secret across the cut
 * does not survive as half of one.
 */
export function redactedExcerpt(text: string, limit: number, level?: RedactLevel): string {
  const isCut = text.length > limit * 4;
  const redacted = redact(text.slice(0, limit * 4), level);
  if (redacted.length <= limit && !isCut) return redacted;
  // Redaction may have made the text so short that the margin comes into view: its last word may be half a secret.
  const shown = isCut && redacted.length < limit ? withoutLastWord(redacted) : redacted;
  return `${withoutPartialCharacter(shown.slice(0, limit - 1))}…`;
}

function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Not half a surrogate pair at the end. */
function withoutPartialCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
