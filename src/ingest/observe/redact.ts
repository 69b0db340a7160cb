/** Names whose value is nobody's business. */
const NAME =
  "(?:api[-_ ]?key|access[-_ ]?key|secret|token|passwd|password|passphrase|pwd|authorization|credential|private[-_]?key|(?:account|signing|encryption|master|shared|subscription|service|license|deploy)[-_]?key|[a-z0-9][-_]key|(?:[a-z0-9]-|_)(?:pass|auth)(?![a-z]))[a-z0-9_-]{0,40}";

/** What stands between a name and its value, also in JSON, in JSON that stands inside JSON, and in addresses. */
const BETWEEN = `(?:\\\\{0,3}["']|%22)?\\s{0,4}(?:[:=]{1,2}>?|%3[AD](?:%22)?)\\s{0,4}`;

/** Settings and figures that only sound like secrets: `max_tokens: 4096`. What kind of tokens must be said, and the value be a plain number. */
const COUNTED =
  "tokens(?<=(?:max|min|total|input|output|prompt|completion|cached|reasoning|thinking|new|used|num|budget|context)[-_ ]?tokens)" +
  `${BETWEEN}\\d{1,8}(?![\\w~+/=-]|\\.\\w)`;

/** What has been redacted already. */
const DONE = "\\[(?:secret|key|jwt|private key)\\]";

const NAMED = `(?!${COUNTED})${NAME}${BETWEEN}`;

/**
 * What a secret looks like. Every pattern is a fixed start followed by one character class, or bounded, so that none can backtrack far: the
 * time is linear whatever the text. A line's end may be written as `\\n`, as JSON has it: then a word begins behind the letter.
 */
const SHAPES: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/-----BEGIN [A-Z ]{1,40}-----[^-]*(?:-(?!----)[^-]*)*(?:-----END [A-Z ]{1,40}-----)?/g, "[private key]"],
  [
    /(?:(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}|(?:\b|(?<=\\[nrt]))eyJ[A-Za-z0-9_-]{8,512})\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}/g,
    "[jwt]",
  ],
  [/(?:\b|(?<=\\[nrt]))(?:sk|pk|rk|ak)[-_][A-Za-z0-9_-]{12,}/g, "[key]"],
  [
    /(?:\b|(?<=\\[nrt]))(?:gh[pousr]_|github_pat_|gl(?:pat|rt|dt|ft)-|xox[abeprs]-|xapp-|AKIA|ASIA|AIza|hf_|npm_|gsk_|xai-|tvly-|nvapi-|pypi-AgE|whsec_|do[opr]_v1_|shp(?:at|ss|ca|pa)_|pplx-|GOCSPX-|lin_api_|ntn_|figd_|sntrys_|dckr_pat_|hv[sbr]\.|gl(?:sa|c)_|vc[piark]_|tskey-|AGE-SECRET-KEY-|r8_|dapi(?=[0-9a-f]{16}))[A-Za-z0-9_-]{10,}/g,
    "[key]",
  ],
  [/(?:\b|(?<=\\[nrt]))(?:ya29|SG)\.[A-Za-z0-9_.-]{16,}/g, "[key]"],
  [/(?<![0-9])([0-9]{8,10}):[A-Za-z0-9_-]{30,64}/g, "$1:[key]"],
  [/(\/\/(?:hooks\.slack\.com|(?:canary\.|ptb\.)?discord(?:app)?\.com\/api)\/)[^\s"'<>]+/gi, "$1[secret]"],
  // Whatever the scheme is called, the secret stands behind it.
  [
    new RegExp(
      `(authorization\\\\{0,3}["']?\\s{0,4}[:=,]\\s{0,4}\\\\{0,3}["']?)(?!${DONE})` +
        `(?:(?:bearer|basic|token|digest|api-?key)\\s{1,2}(?!${DONE})[^\\s"'\\\\]{1,2000}|[^\\s"',\\\\]{3,})` +
        `(?:\\s{1,2}[^\\s"'\\\\]{8,2000}(?:,?\\s{1,2}[a-z-]{1,30}=[^\\s"'\\\\]{1,500}){0,8})?`,
      "gi",
    ),
    "$1[secret]",
  ],
  [
    /(cookie\\{0,3}["']?\s{0,4}[:=,]\s{0,4}\\{0,3}["']?)[^\s=;:"'\\]{1,100}=[^\s;"'\\]*(?:;\s{0,4}[^\s;"'\\]+)*/gi,
    "$1[secret]",
  ],
  [/(?:\b|(?<=\\[nrt]))(bearer[\s:=]{1,4}|basic\s{1,4})[A-Za-z0-9._~+/=-]{8,}/gi, "$1[secret]"],
  [/([a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{0,100}):(?!\[)[^\s/"']{1,200}@/gi, "$1:[secret]@"],
  // Without a slash a password cannot be told from a path, unless what reads it is no browser.
  [/((?<!http|https):\/\/[^\s:/@]{1,100}):(?!\[)[^\s@"']{1,200}@/gi, "$1:[secret]@"],
  [/(:\/\/)[^\s:/@"'[\]]{16,200}@/g, "$1[secret]@"],
  [
    /([?&](?:key|auth|sig|signature|sid|session|code|x-amz-signature|x-goog-signature)=)[^\s&"'#<>]{4,}/gi,
    "$1[secret]",
  ],
  // In environments, whatever stands up to the next gap.
  [
    /((?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))[A-Z0-9_]{0,60}(?:KEY|SECRET|TOKEN|PASSWD|PASSWORD|PASS|PWD|AUTH)=)(?!\[)[^\s"']{3,}/g,
    "$1[secret]",
  ],
  [new RegExp(`(${NAMED}")(?:[^"\\\\\\n]|\\\\.)+`, "gi"), "$1[secret]"],
  [new RegExp(`(${NAMED}')(?:[^'\\\\\\n]|\\\\.)+`, "gi"), "$1[secret]"],
  [new RegExp(`(${NAMED}\\\\{1,3}["'])[^"'\\n]+`, "gi"), "$1[secret]"],
  [/((?<![a-z0-9_-])(?:pass|auth)\\{0,3}["']\s{0,4}[:=]{1,2}>?\s{0,4}\\{0,3}["'])[^"'\\\n]{3,}/gi, "$1[secret]"],
  // Several at once, or one inside.
  [new RegExp(`(${NAMED})(?!${DONE})[[{][^\\][{}\\n]*[\\]}]?`, "gi"), "$1[secret]"],
  [new RegExp(`(${NAMED})(?!${DONE})[^\\s"',;&}]{3,}`, "gi"), "$1[secret]"],
  // The name and the value as two values.
  [new RegExp(`(${NAME}["']\\s{0,4},\\s{0,4}["']value["']\\s{0,4}:\\s{0,4}["'])[^"'\\n]+`, "gi"), "$1[secret]"],
  [/(["']x-[a-z-]{0,30}(?:key|token|secret|auth)["']\s{0,4},\s{0,4}["'])[^"'\n]+/gi, "$1[secret]"],
  [new RegExp(`(${NAME}>)[^<\\n]{1,500}(?=</)`, "gi"), "$1[secret]"],
  [/(\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4})\S+/gi, "$1[secret]"],
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
