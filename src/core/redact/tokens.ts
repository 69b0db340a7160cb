import { DASH, DOT, MAX_ASCII, UNDERSCORE } from "../text/char-codes.ts";
import type { Source } from "./span.ts";
import { JWT, KEY, type Report } from "./span.ts";
import { DISCORD_TOKEN, OTHER_TOKENS, TOKEN_RULES, type TokenRule } from "./token-table.ts";

/** Rules by the first two characters of their prefix, so that most words need only one lookup. */
const RULES_BY_START = new Map<number, TokenRule[]>();
const STARTS = new Uint8Array(1 << 14);
for (const rule of TOKEN_RULES) {
  const start = (rule.prefix.charCodeAt(0) << 7) | rule.prefix.charCodeAt(1);
  STARTS[start] = 1;
  RULES_BY_START.set(start, [...(RULES_BY_START.get(start) ?? []), rule]);
}

/** The first two characters of a JSON Web Token, `eyJ…`. */
const LOWER_E = 101;
const LOWER_Y = 121;
/** A Discord token starts with `M`, `N` or `O`. */
const DISCORD_FIRST = 77;
const DISCORD_LAST = 79;

const ALPHANUMERIC = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Finds keys by the format of their vendors, and JSON Web Tokens. */
export function findTokens({ view: text }: Source, report: Report): void {
  findPrefixed(text, report);
  for (const [literal, pattern] of OTHER_TOKENS)
    if (text.includes(literal))
      for (const match of text.matchAll(pattern)) report(match.index, match.index + match[0].length, KEY);
}

function findPrefixed(text: string, report: Report): void {
  let isInside = false;
  let nextJwtAt = 0;
  for (let at = 0; at < text.length - 8; at += 1) {
    const code = text.charCodeAt(at);
    const isWord = isAlphanumeric(code);
    if (!isWord || isInside) {
      isInside = isWord;
      continue;
    }
    isInside = true;
    const next = text.charCodeAt(at + 1);
    if (next > MAX_ASCII) continue;
    if (code === LOWER_E && next === LOWER_Y && at >= nextJwtAt && text.startsWith("eyJ", at)) {
      const { end, isToken } = readJwt(text, at);
      if (isToken) {
        report(at, end, JWT);
        at = end - 1;
        continue;
      }
      nextJwtAt = end;
    }
    const start = (code << 7) | next;
    const end = STARTS[start] === 1 ? tokenEnd(text, at, RULES_BY_START.get(start) ?? []) : discordEnd(text, at, code);
    if (end === undefined) continue;
    report(at, end, KEY);
    at = end - 1;
  }
}

function tokenEnd(text: string, at: number, rules: readonly TokenRule[]): number | undefined {
  for (const { prefix, body } of rules) {
    if (!text.startsWith(prefix, at)) continue;
    body.lastIndex = at + prefix.length;
    if (body.test(text)) return body.lastIndex;
  }
  return undefined;
}

function discordEnd(text: string, at: number, code: number): number | undefined {
  if (code < DISCORD_FIRST || code > DISCORD_LAST) return undefined;
  DISCORD_TOKEN.lastIndex = at;
  return DISCORD_TOKEN.test(text) ? DISCORD_TOKEN.lastIndex : undefined;
}

/**
 * Reads 2 to 5 parts separated by dots. If they are not a token, no token starts before `end`: each run is read once,
 * however often it contains `eyJ`.
 */
function readJwt(text: string, start: number): { readonly end: number; readonly isToken: boolean } {
  let end = runEnd(text, start);
  if (end - start < 11 || text.charCodeAt(end) !== DOT) return { end, isToken: false };
  const second = runEnd(text, end + 1);
  const third = text.charCodeAt(second) === DOT ? runEnd(text, second + 1) : second;
  if (second - end < 5 && third - second < 5) return { end, isToken: false };
  end = third;
  for (let part = 3; part < 5 && text.charCodeAt(end) === DOT; part += 1) end = runEnd(text, end + 1);
  return { end, isToken: true };
}

/** The end of a run of letters, digits, `_` and `-`. */
function runEnd(text: string, start: number): number {
  let end = start;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (!isAlphanumeric(code) && code !== UNDERSCORE && code !== DASH) break;
    end += 1;
  }
  return end;
}

function isAlphanumeric(code: number): boolean {
  return ALPHANUMERIC[code] === 1;
}
