/**
 * The cheap question before every rule: does a stretch of text hold any word that a failure or an exit status is
 * told with? Most results hold none, and are done after one look at each character.
 */

/** Beginnings of words. Every rule about wording needs at least one of them; a missing stem switches its rules off. */
const FAILURE_STEMS: readonly string[] = [
  "error", "err!", "err_", "errno", "exception", "exceed", "fail", "fault", "unable", "cannot", "can't", "can not",
  "could", "den", "refus", "forbid", "block", "reject", "restrict", "prohibit", "disallow", "unauth", "authent",
  "not authori", "not allow", "not found", "not perm", "not able", "not valid", "not a valid", "not avail",
  "not supp", "not impl", "not enab", "not inst", "not conf", "not run", "not def", "not rec", "not reg", "not conn",
  "not enough", "not suff", "not exist", "not subs", "not log", "invalid", "missing", "must", "unknown", "unsupp",
  "unavail", "unrec", "unexp", "illegal", "malform", "undef", "bad", "no such", "no tool", "no change", "no replace",
  "no edit", "no modif", "no longer", "incorrect", "wrong", "ambig", "timed", "time out", "time-out", "time limit",
  "timeout", "deadline", "rate limit", "rate-limit", "too many", "too large", "too long", "too big", "too quick",
  "quota", "throttl", "overload", "connection", "network", "socket", "dns", "ssl", "tls", "fatal", "panic",
  "segment", "bus error", "kill", "abort", "core dump", "out of mem", "uncaught", "unhandl", "traceback", "sorry",
  "oops", "whoops", "unfort", "cancel", "interrupt", "declin", "terminat", "requir", "insuff", "disab", "doesn't",
  "does not", "do not", "don't exist", "haven't", "did not", "didn't", "is not", "isn't", "are not", "aren't",
  "was not", "wasn't", "were not", "enoent", "eacces", "eperm", "eisdir", "enotdir", "eexist", "einval", "econn",
  "etimed", "epipe", "ebusy", "emfile", "enospc", "erofs", "ehost", "enotf", "eai_", "rpc", "curl", "make:", "make[",
  "gmake", "ninja", "cmake", "npm err", "compil", "sqlstate", "ora-", "categoryinfo", "fullyq", "node.js v",
  "caused by", "already", "conflict", "crash", "unreach", "blocked", "stale", "usage limit", "directory not",
  "file exists", "is a dir", "not a dir", "operation", "permission",
];

/** Beginnings that can introduce an exit status, or say that something still runs. */
const EXIT_STEMS: readonly string[] = ["exit", "returncode", "return code", "return_code", "return status", "return value", "code", "status", "running"];

/** A stretch holds words a failure is told with. */
export const FAILURE_WORDS = 1;
/** A stretch holds words an exit status is told with. */
export const EXIT_WORDS = 2;

const STOPS = /[.*+?^${}()|[\]\\]/g;

function stemPattern(stems: readonly string[]): RegExp {
  return new RegExp(`(?:${stems.map((stem) => stem.replace(STOPS, "\\$&")).join("|")})`, "iy");
}

const FAILURE_AT = stemPattern(FAILURE_STEMS);
const EXIT_AT = stemPattern(EXIT_STEMS);

/** Five bits per letter, three letters: is there a stem that starts so? Blanks and marks fold onto letters, which only costs a look. */
const STARTS = new Uint8Array(32 * 32 * 32);
for (const [stems, bit] of [[FAILURE_STEMS, FAILURE_WORDS], [EXIT_STEMS, EXIT_WORDS]] as const) {
  for (const stem of stems) {
    const slot = ((stem.charCodeAt(0) & 31) << 10) | ((stem.charCodeAt(1) & 31) << 5) | (stem.charCodeAt(2) & 31);
    STARTS[slot] = (STARTS[slot] ?? 0) | bit;
  }
}

/** Which kinds of words stand between two places: a sum of {@link FAILURE_WORDS} and {@link EXIT_WORDS}. */
export function wordsBetween(text: string, from: number, to: number): number {
  let found = 0;
  let before = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (startsWord(code, before)) {
      const slot = ((code & 31) << 10) | ((text.charCodeAt(at + 1) & 31) << 5) | (text.charCodeAt(at + 2) & 31);
      const hint = (STARTS[slot] ?? 0) & ~found;
      if (hint !== 0) {
        found |= confirm(text, at, hint);
        if (found === (FAILURE_WORDS | EXIT_WORDS)) {
          return found;
        }
      }
    } else if ((code === 52 || code === 53) && before <= 47 && isHttpStatus(text, at)) {
      found |= FAILURE_WORDS;
    }
    before = code;
  }
  return found;
}

/** A letter behind something else, or a capital behind a small letter: `ValueError` holds the word `Error`. */
function startsWord(code: number, before: number): boolean {
  if (code >= 97 && code <= 122) {
    return !((before >= 97 && before <= 122) || (before >= 65 && before <= 90));
  }
  return code >= 65 && code <= 90 && !(before >= 65 && before <= 90);
}

function confirm(text: string, at: number, hint: number): number {
  let found = 0;
  if ((hint & FAILURE_WORDS) !== 0) {
    FAILURE_AT.lastIndex = at;
    found |= FAILURE_AT.test(text) ? FAILURE_WORDS : 0;
  }
  if ((hint & EXIT_WORDS) !== 0) {
    EXIT_AT.lastIndex = at;
    found |= EXIT_AT.test(text) ? EXIT_WORDS : 0;
  }
  return found;
}

function isHttpStatus(text: string, at: number): boolean {
  const tens = text.charCodeAt(at + 1);
  const ones = text.charCodeAt(at + 2);
  const after = text.charCodeAt(at + 3);
  return tens >= 48 && tens <= 57 && ones >= 48 && ones <= 57 && !(after >= 48 && after <= 57) && after !== 46;
}
