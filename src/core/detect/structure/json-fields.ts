/** What a field of a structured result means, by its key and its value. */
export type FieldMeaning =
  | "error"
  | "no-error"
  | "failed"
  | "succeeded"
  | "flag"
  | "no-flag"
  | "status-word"
  | "status-false"
  | "refused"
  | "status-number"
  | "exit-code"
  | "text"
  | "error-number"
  | "validation"
  | "error-name";

/** A field whose value means failure, success or an exit code. */
export interface Field {
  readonly kind: "field";
  readonly meaning: FieldMeaning;
  /** Position of the quote before the key, and position after the part of the value that decides. */
  readonly at: number;
  readonly end: number;
  /** Position of the value. */
  readonly value: number;
  /** The part of the value that decides, without quotes. */
  readonly word: string;
}

type Read = (text: string, at: number) => number;

/** How the value of a key is read; the first meaning that fits decides. */
interface KeyMeanings {
  readonly key: string;
  readonly meanings: readonly (readonly [FieldMeaning, Read])[];
}

/** Keys without underscores by their hash, because most keys of a result are none of these and need no copy. */
const KEYS = new Map<number, KeyMeanings>();

function keyHash(key: string): number {
  let hash = 0;
  for (let at = 0; at < key.length; at += 1) {
    hash = nextHash(hash, key.charCodeAt(at));
  }
  return hash;
}

/** Adds a character to the hash of a key. Blanks and underscores are skipped, capitals are lower case. */
function nextHash(hash: number, code: number): number {
  return code === 32 || code === 95 ? hash : Math.imul(hash, 31) + (code >= 65 && code <= 90 ? code | 32 : code);
}

function register(keys: string, meaning: FieldMeaning, read: Read): void {
  for (const key of keys.split(" ")) {
    const hash = keyHash(key);
    KEYS.set(hash, { key, meanings: [...(KEYS.get(hash)?.meanings ?? []), [meaning, read]] });
  }
}

/** Returns a reader that requires a pattern at the value; it returns the end of the match, or -1. */
function pattern(sticky: RegExp): Read {
  return (text, at) => {
    sticky.lastIndex = at;
    return sticky.test(text) ? sticky.lastIndex : -1;
  };
}

/** Returns a reader that requires one of these words, in quotes. */
function quotedWord(words: string): Read {
  const set = new Set(words.split(" "));
  return (text, at) => {
    const end = isQuote(text.charCodeAt(at)) ? closingQuote(text, at + 1, MAX_WORD) : -1;
    return end !== -1 && set.has(text.slice(at + 1, end).toLowerCase()) ? end + 1 : -1;
  };
}

const MAX_WORD = 20;
const MAX_KEY = 24;

const EMPTY =
  /null|none|false|undefined|["']{2}|\[\s*\]|\{\s*\}|-?\d|["'](?:none|no|null|ok|success|n\/?a|false|0|undefined)["']/iy;
const isEmpty = pattern(EMPTY);

function readError(text: string, at: number): number {
  return "\"'{[tT".includes(text.charAt(at)) && at < text.length && isEmpty(text, at) === -1 ? at + 1 : -1;
}

/** Words that start the text of a failure; up to three others may precede them. */
const FAILURE_TEXT =
  /["'](?:\w+ ?){0,3}?(?:(?:error|exception)(?=\s*[:!"'])|error (?:while|when|during|in|executing|calling|occurred|from|fetching)\b|failed to\b|failed(?=["':.])|failure:|traceback\b|unable to\b|cannot |could not |invalid |not found\b|(?:permission|access) denied\b|unauthori[sz]ed\b|forbidden(?=["':.])|(?:invalid|missing|unknown|unsupported|expired|forbidden)_\w)/iy;

/** Words at the end or at the start of an error's name in capitals. */
const NAME_ENDS = new Set(
  "ERROR FAILURE FAILED DENIED EXPIRED FOUND EXCEEDED INVALID MISMATCH UNAUTHORIZED UNAVAILABLE".split(" "),
);
const NAME_STARTS = new Set("INVALID MISSING UNKNOWN UNSUPPORTED UNAUTHORIZED FORBIDDEN".split(" "));
const MAX_NAME = 110;

/** Reads a failure's name such as `RATE_LIMIT_EXCEEDED` or `INVALID_TOKEN`. */
function readErrorName(text: string, at: number): number {
  if (!isQuote(text.charCodeAt(at))) {
    return -1;
  }
  let end = at + 1;
  while (end <= at + MAX_NAME && isNameCode(text.charCodeAt(end))) {
    end += 1;
  }
  if (!isQuote(text.charCodeAt(end)) || !text.slice(at + 1, end).includes("_")) {
    return -1;
  }
  const words = text
    .slice(at + 1, end)
    .toUpperCase()
    .split("_");
  const isName = words.length <= 5 && words.every((word) => word.length >= 2 && word.length <= 20);
  return isName && (NAME_ENDS.has(words.at(-1) ?? "") || NAME_STARTS.has(words[0] ?? "")) ? end + 1 : -1;
}

function isNameCode(code: number): boolean {
  return code === 95 || ((code | 32) >= 97 && (code | 32) <= 122);
}

register(
  "error errors functionerror usererror usererrors apierror apierrors servererror servererrors validationerror validationerrors requesterror requesterrors graphqlerror graphqlerrors toolerror toolerrors err exception errormessage errormessages errmsg errormsg errordescription fehler erreur erro errore errortext errordetail errordetails fault traceback",
  "error",
  readError,
);
register("error", "no-error", pattern(/null|none|false|["']{2}|\[\s*\]|\{\s*\}/iy));
const SUCCESS_KEYS = "success succeeded successful ok issuccess issuccessful isok actionsucceed actionsucceeded";
register(
  `${SUCCESS_KEYS} erfolg succes succ\u00e8s exito \u00e9xito sucesso successo`,
  "failed",
  pattern(/["']?false\b/iy),
);
register(SUCCESS_KEYS, "succeeded", pattern(/["']?true\b/iy));
register(
  "iserror haserror failed timedout timeout permissiondenied notfound canceled cancelled interrupted aborted",
  "flag",
  pattern(/true\b/iy),
);
register("iserror", "no-flag", pattern(/false\b/iy));
register(
  "status result type response outcome estado statut stato resultado esito ergebnis r\u00e9sultat \u0441\u0442\u0430\u0442\u0443\u0441 \u7d50\u679c \u7ed3\u679c \u72b6\u6001 \u72b6\u614b",
  "status-word",
  quotedWord(
    "error err fail failed failure exception false ko ng nok not_ok unauthorized unauthorised forbidden fehler erreur erro errore \u5931\u8d25 \u9519\u8bef \u30a8\u30e9\u30fc",
  ),
);
register("status", "status-false", pattern(/false\b/y));
register("decision permission", "refused", quotedWord("deny denied block blocked"));
register(
  "statuscode httpstatus httpcode responsecode retcode status code cod codigo c\u00f3digo errorcode statut estado stato",
  "status-number",
  pattern(/["']?[45]\d\d\b(?![.\d])/y),
);
register("exitcode exitstatus returncode", "exit-code", pattern(/["']?-?\d{1,10}\b/y));
register(
  "result output content text response message msg observation answer detail reason stderr info",
  "text",
  pattern(FAILURE_TEXT),
);
register(
  "errcode errno errorcode errorno errornumber",
  "error-number",
  pattern(
    /["']?(?:[1-9-]\d{0,9}|(?!(?:OK|NULL|FALSE|NONE)\b|UNDEFINED|NO_ERROR|SUCCESS)[A-Z][A-Z0-9_]{3,60})["']?(?=\s*[,}])/iy,
  ),
);
register("detail details", "validation", pattern(/\[\s*\{\s*["'](?:loc|type|msg)["']\s*:/y));
register("name code type reason status category", "error-name", readErrorName);

function isQuote(code: number): boolean {
  return code === 34 || code === 39;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

/** The first two letters of every key: a pattern finds them faster than a loop, and most keys are not read. */
const KEY_START = new RegExp(
  `["'](?:${[...new Set([...KEYS.values()].map(({ key }) => key.slice(0, 2)))].join("|")})`,
  "gi",
);

/** Position of the quote that ends a short word, or -1. */
function closingQuote(text: string, from: number, limit: number): number {
  for (let at = from; at <= from + limit; at += 1) {
    const code = text.charCodeAt(at);
    if (isQuote(code)) {
      return at;
    }
    if (Number.isNaN(code) || code === 10) {
      return -1;
    }
  }
  return -1;
}

/** Finds the next field between two positions of a structured text. */
export function nextField(text: string, from: number, to: number): Field | undefined {
  // Searching a slice bounds the cost: a text without such keys is not scanned to its end.
  const part = text.slice(from, to);
  KEY_START.lastIndex = 0;
  while (KEY_START.test(part)) {
    const at = from + KEY_START.lastIndex - 3;
    const field = isValue(text, at) ? undefined : fieldAt(text, at, to);
    if (field !== undefined) {
      return field;
    }
    KEY_START.lastIndex -= 2;
  }
  return undefined;
}

/** A quote behind a colon starts a value, which may begin like a key. */
function isValue(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before === 58 || (before === 32 && text.charCodeAt(at - 2) === 58);
}

function fieldAt(text: string, at: number, to: number): Field | undefined {
  let hash = 0;
  let close = at + 1;
  for (let code = text.charCodeAt(close); !isQuote(code); code = text.charCodeAt(close)) {
    if (close > at + MAX_KEY || Number.isNaN(code) || code === 10) {
      return undefined;
    }
    hash = nextHash(hash, code);
    close += 1;
  }
  let value = close + 1;
  while (isBlank(text.charCodeAt(value))) {
    value += 1;
  }
  // Most quoted words are values, which no colon follows.
  if (text.charCodeAt(value) !== 58) {
    return undefined;
  }
  const known = KEYS.get(hash);
  if (known === undefined || !isKey(known.key, text, at + 1, close)) {
    return undefined;
  }
  value += 1;
  while (isBlank(text.charCodeAt(value))) {
    value += 1;
  }
  for (const [meaning, read] of known.meanings) {
    const end = read(text, value);
    if (end !== -1 && end <= to) {
      const start = isQuote(text.charCodeAt(value)) ? value + 1 : value;
      return { kind: "field", meaning, at, end, value, word: text.slice(start, end).replace(/["']$/, "") };
    }
  }
  return undefined;
}

/** Whether the text between two positions is this key, with any capitals, blanks and underscores. */
function isKey(key: string, text: string, from: number, to: number): boolean {
  let index = 0;
  for (let at = from; at < to; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 95) {
      if ((code >= 65 && code <= 90 ? code | 32 : code) !== key.charCodeAt(index)) {
        return false;
      }
      index += 1;
    }
  }
  return index === key.length;
}
