import { explainsFailure, reasonIn } from "./reason.ts";
import { type Fields, isBlank, isEntity, isFields, isVerdict, wordsOfKey } from "./result-fields.ts";

const SUCCESS = new Set(["", "ok", "success", "successful", "\u6210\u529f"]);

/**
 * The number of an error in a result without data: `{"code": 50013, "msg": "…", "data": null}`, and of gRPC
 * `{"code": 3, "message": "…", "details": []}`.
 */
export function refusedCode({ code, msg, message = msg, data, details, ...others }: Fields): string | undefined {
  const isRefused = typeof code === "number" && code !== 0 && (code < 200 || code > 299);
  if (!isRefused || typeof message !== "string" || SUCCESS.has(message.toLowerCase())) {
    return undefined;
  }
  const isAlone = data === undefined && isBlank(others) && explainsFailure(message);
  return isAlone || data === null || (data === undefined && Array.isArray(details)) ? message : undefined;
}

/** What a notebook reports of an exception, and a sandbox of the signal that ended its program. */
export function raisedIn({ ename, evalue, signal }: Fields): string | undefined {
  if (typeof ename === "string" && typeof evalue === "string") {
    return `${ename}: ${evalue}`;
  }
  return typeof signal === "string" && signal.startsWith("SIG") ? `Killed by ${signal}` : undefined;
}

const ERROR_WORDS = new Set("err error errors fault faults problem exception exceptions".split(" "));
/** Words beside these in a key: `errorResult`, but not `lastError` or `error_rate`. */
const BESIDE_ERROR = new Set(
  "result message msg description detail details info text reason response non field form validation global".split(" "),
);
const ERROR_DEPTH = 2;

/** The reason of an error that is not on top: `{"results": {"A": {"error": "…", "status": 502}}}`. */
export function errorIn(fields: Fields, acts: boolean, depth: number = 0): string | undefined {
  if (isEntity(fields) || isVerdict(fields)) {
    return undefined;
  }
  // `{"error": 1, "message": "…"}`
  if ((fields.error === 1 || fields.error === true) && typeof fields.message === "string") {
    return fields.message;
  }
  for (const [key, value] of Object.entries(fields)) {
    // A list of errors, or a problem, may be what a reading tool was asked for.
    const isOwn = isErrorKey(key) && (acts || !(Array.isArray(value) || mayBeAsked(key)));
    const reason = isOwn ? textOfError(value) : undefined;
    if (reason !== undefined) {
      return reason;
    }
  }
  const inner = Object.keys(fields)
    .filter((key) => key !== "extensions")
    .map((key) => fields[key])
    .filter(isFields);
  const [only, ...others] = inner;
  return depth < ERROR_DEPTH && only !== undefined && others.length === 0 ? errorIn(only, acts, depth + 1) : undefined;
}

/** Whether a key may hold what a reading tool was asked for. */
function mayBeAsked(key: string): boolean {
  const [first = ""] = wordsOfKey(key);
  return first.startsWith("problem") || first.startsWith("fault") || first === "err";
}

export function isErrorKey(key: string): boolean {
  const words = wordsOfKey(key);
  // The convention of GraphQL: `orderCancelUserErrors`.
  if (words.at(-2) === "user" && words.at(-1) === "errors") {
    return true;
  }
  return (
    words.some((word) => ERROR_WORDS.has(word)) &&
    words.every((word) => ERROR_WORDS.has(word) || BESIDE_ERROR.has(word))
  );
}

/** A sentence, or an object or a list that holds one. */
function textOfError(list: unknown): string | undefined {
  const value: unknown = Array.isArray(list) ? list[0] : list;
  const text = isFields(value) ? reasonIn(value) : typeof value === "string" ? value : undefined;
  return text?.includes(" ") === true ? text : undefined;
}
