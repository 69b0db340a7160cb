/** Names whose value is nobody's business. */
const NAME =
  "(?:api[-_]?key|access[-_]?key|secret|token|passwd|password|passphrase|pwd|authorization|credential|cookie|private[-_]?key|account[-_]?id|signature|_authtoken)[a-z0-9_-]{0,40}";
const NAMED = `${NAME}\\\\{0,3}["']?\\s{0,4}[:=]\\s{0,4}`;

/**
 * What a secret looks like. Every pattern starts with fixed characters and goes on with one character class, or is
 * bounded: none can backtrack far, whatever the text. Broader than a linter's list: here a false alarm costs a word of
 * an error message.
 */
const SHAPES: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/-----BEGIN[A-Z ]{0,40}-{0,5}[^-]*(?:-(?!----)[^-]*)*(?:-----END[A-Z ]{1,40}-----)?/g, "[private key]"],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?/g, "[token]"],
  [/https?:\/\/hooks\.[a-z.]{3,40}\/[^\s"'<>]*/gi, "[webhook]"],
  [/[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@"'<>]{1,300}@[^\s"'<>]*/gi, "[url with credentials]"],
  [
    /\b(?:jdbc:)?(?:mongodb|mysqlx?|postgres(?:ql)?|rediss?|amqps?|mssql|sqlserver|clickhouse)(?:\+srv)?:\/\/[^\s"'<>]*/gi,
    "[connection string]",
  ],
  [
    /(?<![A-Za-z0-9])(?:sk|pk|rk|ak|gh[pousr]|github_pat|glpat|glc|glsa|xox[abeoprs]|xapp|hf|npm|gsk|xai|tvly|nvapi|whsec|dop_v1|shp(?:pa|ca|at|ss)|pplx|lin_api|ntn|secret|ops|hv[sbr]|vc[piark]|dckr_pat|figd|cfk|cfut|cfat|tskey|pypi|ya29|SG)[-_.][A-Za-z0-9_+/=.-]{8,}/g,
    "[key]",
  ],
  [/(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA|AIza|dapi)[A-Za-z0-9_-]{10,}/g, "[key]"],
  [/\b(bearer|basic|digest)\s+[A-Za-z0-9._~+/=-]{8,}/gi, "$1 [secret]"],
  [new RegExp(`(${NAMED}\\\\{0,3}["'])[^"'\\n]+`, "gi"), "$1[secret]"],
  [new RegExp(`(${NAMED})(?!\\[|["'])[^\\s"',;&}]{3,}`, "gi"), "$1[secret]"],
  [/(\s(?:-u|--user|--proxy-user)[\s=]["']?)(?!\[)[^\s"']{1,300}/g, "$1[secret]"],
  // Whatever it is, nobody reads it: long, without a gap, letters and digits mixed. An UUID is an id.
  [
    /(?<![A-Za-z0-9_+/=-])(?![0-9a-f]{8}-[0-9a-f]{4}-)(?=[A-Za-z_+/=-]{0,64}[0-9])(?=[0-9_+/=-]{0,64}[A-Za-z])[A-Za-z0-9_+=-]{32,}/g,
    "[opaque]",
  ],
];

/** Shorter values are parts of ordinary words. */
const SHORTEST = 4;

function everywhere(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}

/** Replaces whatever looks like a credential, and what the caller knows to be one. */
export function redactSecrets(text: string, known: readonly (string | RegExp)[] = []): string {
  let redacted = text;
  for (const secret of known) {
    if (typeof secret !== "string") redacted = redacted.replace(everywhere(secret), "[secret]");
    else if (secret.length >= SHORTEST) {
      redacted = redacted.replaceAll(secret, "[secret]").replaceAll(JSON.stringify(secret).slice(1, -1), "[secret]");
    }
  }
  for (const [pattern, by] of SHAPES) redacted = redacted.replace(pattern, by);
  return redacted;
}
