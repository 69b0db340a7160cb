import { SLASH } from "../text/char-codes.ts";
import { isPlaceholder, looksRandom } from "./secret-values.ts";
import type { Source } from "./span.ts";
import { isMark, type Report } from "./span.ts";

const MAX_AUTHORITY_CHARS = 400;
const STOP = /[\s"'`<>\\]/;
const STOP_WEB = /[\s"'`<>\\/?#]/;
const MAX_SCHEME_CHARS = 20;

/** Finds passwords and tokens in URLs: `scheme://user:password@host`. */
export function findUrlCredentials({ text, view }: Source, report: Report): void {
  for (let at = view.indexOf("://"); at !== -1; at = view.indexOf("://", at + 3)) {
    let start = at + 3;
    while (view.charCodeAt(start) === SLASH) start += 1;
    let authority = view.slice(start, start + MAX_AUTHORITY_CHARS);
    const end = authority.search(isWeb(view, at) ? STOP_WEB : STOP);
    if (end !== -1) authority = authority.slice(0, end);
    const colon = authority.indexOf(":");
    const first = authority.indexOf("@");
    // `user@host:path`: everything after the first `@` belongs to the host.
    const atSign = colon === -1 || first < colon ? first : authority.lastIndexOf("@");
    if (atSign > 0) readUserInfo(text, start, authority.slice(0, atSign), report);
  }
}

function isWeb(view: string, at: number): boolean {
  const scheme = view.slice(Math.max(0, at - MAX_SCHEME_CHARS), at).toLowerCase();
  return scheme.endsWith("http") || scheme.endsWith("https");
}

function readUserInfo(text: string, start: number, userInfo: string, report: Report): void {
  const colon = userInfo.indexOf(":");
  const end = start + userInfo.length;
  if (colon === -1) {
    if (userInfo.length >= 16 && !userInfo.includes("/") && looksRandom(userInfo) && !isMark(text, start))
      report(start, end);
    return;
  }
  const password = userInfo.slice(colon + 1);
  // A port and a path, with an `@` later in the text.
  if (/^(?:\d{1,5})?[/?]/.test(password) || isMark(text, start + colon + 1)) return;
  if (/^(?:\$|\{|<|%s|\*{3})/.test(password) || (isPlaceholder(password) && /^[A-Z_]+$/.test(password))) return;
  report(start + colon + 1, end);
}

const PAIR = /(?<![\w.:/@-])[A-Za-z][\w.-]{0,40}:([^\s@:/"'`<>]{6,80})@[A-Za-z][\w.-]{0,80}/g;

/** `user:password@host` without a scheme, as some commands accept it. */
export function findBarePairs({ text, view }: Source, report: Report): void {
  if (!view.includes("@")) return;
  for (const match of view.matchAll(PAIR)) {
    const password = match[1] ?? "";
    const start = match.index + match[0].indexOf(`:${password}@`) + 1;
    if (looksRandom(password) && !isPlaceholder(password) && !isMark(text, start))
      report(start, start + password.length);
  }
}

/** URLs that are secret as a whole: anyone who knows them can post there. */
const WEB_HOOKS =
  /(?:hooks\.slack\.com\/{1,4}(?:services|workflows|triggers)|discord(?:app)?\.com\/{1,4}api\/{1,4}(?:v\d{1,2}\/{1,4})?webhooks|[a-z0-9-]{1,60}\.webhook\.office\.com\/{1,4}webhookb2|outlook\.office(?:365)?\.com\/{1,4}webhook|hooks\.zapier\.com\/{1,4}hooks\/{1,4}catch|maker\.ifttt\.com\/{1,4}trigger|hook\.[a-z0-9.]{0,10}make\.com|hooks\.airtable\.com\/{1,4}workflows)\/{1,4}([^\s"'`<>]{6,2000})/gi;

export function findWebHooks({ text, view, lower }: Source, report: Report): void {
  if (!lower.includes("hook") && !lower.includes("ifttt")) return;
  for (const match of view.matchAll(WEB_HOOKS)) {
    const end = match.index + match[0].length;
    const start = end - (match[1]?.length ?? 0);
    if (!isMark(text, start)) report(start, end);
  }
}
