/** Names whose value is nobody's business. */
const NAME =
  "(?:api[-_]?key|access[-_]?key|secret|token|passwd|password|passphrase|pwd|authorization|credential|private[-_]?key|[a-z0-9][-_]key)[a-z0-9_-]{0,40}";

/** A name and what stands between it and its value, also in JSON, and in JSON that stands inside JSON. */
const NAMED = `${NAME}\\\\{0,3}["']?\\s{0,4}[:=]\\s{0,4}`;

/**
 * What a secret looks like. Every pattern is a fixed start followed by one character class, or bounded, so that none can backtrack far: the
 * time is linear whatever the text.
 */
const SHAPES: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/-----BEGIN [A-Z ]{1,40}-----[^-]*(?:-(?!----)[^-]*)*(?:-----END [A-Z ]{1,40}-----)?/g, "[private key]"],
  [
    /(?:(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}|\beyJ[A-Za-z0-9_-]{8,512})\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g,
    "[jwt]",
  ],
  [/\b(?:sk|pk|rk|ak)[-_][A-Za-z0-9_-]{12,}/g, "[key]"],
  [
    /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|AKIA|ASIA|AIza|hf_|npm_|gsk_|xai-|tvly-|nvapi-|pypi-AgE|whsec_|dop_v1_|shpat_|pplx-)[A-Za-z0-9_-]{10,}/g,
    "[key]",
  ],
  [/\b(?:ya29|SG)\.[A-Za-z0-9_.-]{16,}/g, "[key]"],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 [secret]"],
  [/([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,100}):[^\s@/]{1,200}@/gi, "$1:[secret]@"],
  [new RegExp(`(${NAMED}")(?:[^"\\\\\\n]|\\\\.)+`, "gi"), "$1[secret]"],
  [new RegExp(`(${NAMED}')(?:[^'\\\\\\n]|\\\\.)+`, "gi"), "$1[secret]"],
  [new RegExp(`(${NAMED}\\\\{1,3}["'])[^"'\\n]+`, "gi"), "$1[secret]"],
  [new RegExp(`(${NAMED})(?!\\[)[^\\s"',;&}]{3,}`, "gi"), "$1[secret]"],
  [new RegExp(`((?<!-)--[a-z0-9-]{0,30}${NAME}\\s{1,4}["']?)(?![[-])[^\\s"']{3,}`, "gi"), "$1[secret]"],
  [/(\s(?:-u|--user|--proxy-user)[\s=]["']?[^\s:"']{1,100}:)(?!\[)[^\s"']{1,200}/g, "$1[secret]"],
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
  const isCut = text.length > limit * 4;
  const redacted = redact(text.slice(0, limit * 4));
  if (redacted.length <= limit && !isCut) return redacted;
  // Redaction may have made the text so short that the margin comes into view: its last word may be half a secret.
  const shown = isCut && redacted.length < limit ? withoutLastWord(redacted) : redacted;
  return `${wholeCharacters(shown.slice(0, limit - 1))}…`;
}

function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/\s/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Not half a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
