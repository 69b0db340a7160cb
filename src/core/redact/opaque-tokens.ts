import { DOT, isDigit, isLowercase, isUppercase } from "../text/char-codes.ts";
import type { Source } from "./span.ts";
import { KEY, type Report } from "./span.ts";

const MIN_RUN_CHARS = 30;
/** Longer runs are data. */
const MAX_RUN_CHARS = 200;
/** A run next to one of these is part of a path, of encoded data or of a dotted name. */
const BEFORE = "+/.%@~";
const AFTER = "+/=%@";
/** The private key of a Bitcoin wallet, in base 58. */
const WALLET = /^(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})$/;
/** The application and key before an Ably secret: `ABCDEF.ghijkl:`. */
const PAIR = /(?<![A-Za-z0-9_./-])[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{6}:$/;
const RUN_CHARS = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
/** Prefixes of ids of requests, calls and messages, which grant no access. */
const ID =
  /^(?:srv)?(?:toolu|call|msg|req|resp|fc|rs|ws|ig|run|thread|asst|batch|vs|conv|item|step|evt|cus|pi|pm|ch|in|sub|price|prod|acct|txn|seti|src|card|tok|user|org|proj|project|team|session|sess|agent|gen|chatcmpl|cmpl|chat|file|modelcmpl|ft|ftjob|snap|deployment|dpl|build|job|task|event|trace|span|doc|node|obj|sha\d{1,3}|redacted|derived|id|uid|uuid|index|chunk|main|style|styles|css)[_-]|^[a-z]{2,16}_01[A-Za-z0-9]{8}/i;
/** Name before the run that identifies it as an id or a hash. */
const NAMED_ID =
  /(?:id|ids|hash|sha\d{0,3}|etag|checksum|digest|integrity|cursor|signature|commit|revision|rev|ref|nonce|fingerprint|slug|version|build)["'`\]]{0,8}[ \t]{0,4}[:=][ \t]{0,4}["'`]{0,8}$/i;
const IN_URL = /:\/\/[^\s"'`<>]*$/;
const MAX_BEFORE_CHARS = 300;
/** Average length of runs of lowercase letters: 1.7 in random text, 3 in names. */
const MAX_LOWERCASE_RUN = 2.4;
/** Minimum rate of changes between kinds of characters: about 0.6 in random text, 0.3 in `camelCaseNames2`. */
const MIN_CHANGE_RATE = 0.45;

/** Finds tokens without a known prefix: long runs that mix uppercase, lowercase and digits without structure. */
export function findOpaqueTokens({ view }: Source, report: Report): void {
  for (let at = 0; at < view.length; at += 1) {
    if (RUN_CHARS[view.charCodeAt(at)] !== 1) continue;
    const start = at;
    while (RUN_CHARS[view.charCodeAt(at)] === 1) at += 1;
    if (at - start >= MIN_RUN_CHARS && at - start <= MAX_RUN_CHARS) readRun(view, start, at, report);
  }
}

function readRun(view: string, start: number, end: number, report: Report): void {
  if (BEFORE.includes(view.charAt(start - 1) || " ") || AFTER.includes(view.charAt(end) || " ")) return;
  if (view.charCodeAt(end) === DOT && RUN_CHARS[view.charCodeAt(end + 1)] === 1) return;
  const run = view.slice(start, end);
  const before = view.slice(Math.max(0, start - MAX_BEFORE_CHARS), start);
  const pair = end - start === 43 ? PAIR.exec(before)?.[0].length : undefined;
  if (pair !== undefined || WALLET.test(run)) report(start - (pair ?? 0), end, KEY);
  else if (isRandom(run) && !ID.test(run) && !isNamed(before) && !isDataLine(before, view.slice(end, end + 60)))
    report(start, end, KEY);
}

/** True for an id with a name, or a part of a URL. */
function isNamed(before: string): boolean {
  return NAMED_ID.test(before.slice(-40)) || IN_URL.test(before);
}

/** True for a line of encoded data: there is another such line above or below, or a start or end marker. */
function isDataLine(before: string, after: string): boolean {
  const above = /([A-Za-z0-9+/=-]{5,})\s*\n[ \t]*$/.exec(before.slice(-100))?.[1] ?? "";
  const below = /^\s*\n[ \t]*([A-Za-z0-9+/=-]{5,})/.exec(after)?.[1] ?? "";
  return [above, below].some((line) => line.includes("-----") || (line.length >= 30 && !line.includes("-")));
}

function isRandom(run: string): boolean {
  // Names in code contain words and few digits.
  if (/[a-z]{10}|[A-Z]{10}/.test(run)) return false;
  const counts = [0, 0, 0, 0];
  let changes = 0;
  let before = -1;
  for (let at = 0; at < run.length; at += 1) {
    const kind = kindOf(run.charCodeAt(at));
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (kind !== before) changes += 1;
    before = kind;
  }
  const [lower = 0, upper = 0, digits = 0, separators = 0] = counts;
  if (lower / (run.match(/[a-z]+/g)?.length ?? 1) > MAX_LOWERCASE_RUN) return false;
  return (
    lower >= 3 && upper >= 3 && digits >= 3 && separators <= run.length / 6 && changes / run.length >= MIN_CHANGE_RATE
  );
}

/** 0: lowercase letter, 1: uppercase letter, 2: digit, 3: `_` or `-`. */
function kindOf(code: number): number {
  if (isLowercase(code)) return 0;
  if (isUppercase(code)) return 1;
  return isDigit(code) ? 2 : 3;
}
