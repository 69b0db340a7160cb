/**
 * What a secret looks like. Every pattern is a fixed start followed by one character class, so none can backtrack; texts are cut
 * to a bound before they come here.
 */
const SHAPES: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/-----BEGIN [A-Z ]{1,40}-----[^-]*(?:-----END [A-Z ]{1,40}-----)?/g, "[private key]"],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g, "[jwt]"],
  [/\b(?:sk|pk|rk|ak)[-_][A-Za-z0-9_-]{12,}/g, "[key]"],
  [
    /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|hf_|npm_|gsk_|xai-|tvly-|nvapi-)[A-Za-z0-9_-]{10,}/g,
    "[key]",
  ],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 [secret]"],
  [/([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,100}):[^\s@/]{1,200}@/gi, "$1:[secret]@"],
  [
    /((?:api[-_]?key|access[-_]?key|secret|token|passwd|password|authorization|credential|private[-_]?key)[A-Za-z0-9_-]{0,40}["']?\s{0,4}[:=]\s{0,4}["']?)(?!\[)[^\s"',;&}]{3,}/gi,
    "$1[secret]",
  ],
];

/** Replaces whatever looks like a credential. Applied to every text that is kept, at every capture level. */
export function redact(text: string): string {
  let redacted = text;
  for (const [pattern, by] of SHAPES) redacted = redacted.replace(pattern, by);
  return redacted;
}

/**
 * The first `limit` characters, redacted. Cut after redaction and with a margin before it, so that a secret across the cut
 * does not survive as half of one.
 */
export function redactedExcerpt(text: string, limit: number): string {
  const redacted = redact(text.slice(0, limit * 4));
  if (redacted.length <= limit && text.length <= limit * 4) return redacted;
  return `${wholeCharacters(redacted.slice(0, limit - 1))}…`;
}

/** Not half a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
