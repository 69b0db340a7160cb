import { isQuote } from "../text/char-codes.ts";
import { readQuoted } from "./read-value.ts";
import { isPlaceholder, looksRandom } from "./secret-values.ts";
import type { Report, Source } from "./span.ts";

const SCHEME = /([A-Za-z][A-Za-z0-9-]{2,30})[ \t]{1,4}/y;
const KNOWN_SCHEME =
  /^(?:bearer|basic|token|digest|negotiate|ntlm|api-?key|key|hawk|oauth|aws4-hmac-sha256|mac|signature|splunk|sso-key|genie-?key|sharedaccesssignature|sharedkey|bot|jwt|apikeyauth)$/i;
/** `name=value, name="value"` of a scheme with parameters; escaped quotes appear several times in the view. */
const PARAMETERS = /(?:[A-Za-z-]{1,40}=["']{0,8}[^\s"',]{0,2000}["']{0,8},?[ \t]{0,4}){1,12}/y;
const CREDENTIAL = /[^\s"'`,;]{1,4096}/y;

/**
 * Reads an `Authorization` header: a scheme with its credential, or the bare credential. Returns the position to
 * continue at.
 */
export function readAuthorization(text: string, view: string, valueStart: number, report: Report): number {
  let at = valueStart;
  if (isQuote(view.charCodeAt(at))) {
    const quoted = readQuoted(text, at);
    at = quoted.start;
  }
  const scheme = matchAt(SCHEME, view, at);
  if (scheme !== undefined) {
    const name = scheme.trimEnd();
    const parametersEnd = KNOWN_SCHEME.test(name) ? matchEnd(PARAMETERS, view, at + scheme.length) : undefined;
    const credential = matchAt(CREDENTIAL, view, at + scheme.length);
    const isKnown = KNOWN_SCHEME.test(name);
    if (credential !== undefined && !isPlaceholder(credential) && (isKnown || looksRandom(credential))) {
      const end = Math.max(parametersEnd ?? 0, at + scheme.length + credential.length);
      report(at, end);
      return end;
    }
    if (isKnown || credential !== undefined) return 0;
  }
  const bare = matchAt(CREDENTIAL, view, at);
  if (bare === undefined || isPlaceholder(bare) || !looksRandom(bare)) return 0;
  report(at, at + bare.length);
  return at + bare.length;
}

const COOKIES = /[A-Za-z0-9_.!#$%&*+^|~-]{1,100}=[^\s;"']{0,4096}(?:;[ \t]{0,4}[^\s;"']{1,4096}){0,100}/y;

/** Reads `Cookie` and `Set-Cookie` headers. Returns the position to continue at. */
export function readCookies(view: string, valueStart: number, report: Report): number {
  let at = valueStart;
  while (isQuote(view.charCodeAt(at)) && at - valueStart < 8) at += 1;
  const end = matchEnd(COOKIES, view, at);
  if (end === undefined) return 0;
  report(at, end);
  return end;
}

const BARE = /(?<![A-Za-z0-9_])(?:bearer[ \t:=]{1,4}|basic[ \t]{1,4})([A-Za-z0-9._~+/=-]{8,4096})/gi;

/** Finds `Bearer …` and `Basic …` outside of headers. */
export function findCredentials({ view, lower }: Source, report: Report): void {
  if (!lower.includes("bearer") && !lower.includes("basic")) return;
  for (const match of view.matchAll(BARE)) {
    const [whole, credential = ""] = match;
    const end = match.index + whole.length;
    if (isPlaceholder(credential) || !(looksRandom(credential) || isMixed(credential))) continue;
    report(end - credential.length, end);
  }
}

/** True for base64 of text, which has capitals inside words, and no digits if it is short. */
function isMixed(credential: string): boolean {
  return credential.endsWith("=") || (credential.length >= 16 && /[a-z][A-Z].*[a-z][A-Z]/.test(credential));
}

function matchAt(pattern: RegExp, view: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(view)?.[0];
}

function matchEnd(pattern: RegExp, view: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(view) ? pattern.lastIndex : undefined;
}
