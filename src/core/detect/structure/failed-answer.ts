import { actionOf, isDoneWord, type ToolAction } from "../call/tool-action.ts";
import { categoryOfMessage } from "../reason/category.ts";
import { reportsFailure } from "../reason/hints.ts";
import { createSignal, type Signal } from "../signal.ts";
import type { TextWindow } from "../text/text-window.ts";
import type { TextContext } from "../text-signals.ts";
import { answerFields, type Fields, isFields, wordsOfKey } from "./answer-fields.ts";

/** The call that an answer belongs to. */
export interface AnsweredCall {
  readonly action: ToolAction | undefined;
  /** A state that was asked for is no refusal. */
  readonly arguments: unknown;
}

/** What the fields of an answer are compared with. */
export function answeredCall({ toolName, arguments: args }: TextContext): AnsweredCall {
  return { action: actionOf(toolName), arguments: args };
}

const MAX_ARGUMENTS = 2000;

function textOfArguments(args: unknown): string {
  try {
    return (typeof args === "string" ? args : (JSON.stringify(args) ?? "")).slice(0, MAX_ARGUMENTS);
  } catch {
    return "";
  }
}

/**
 * Finds the failure that an answer states in its fields, whatever their names are: a refused state, an action that was
 * not done, results that all failed, a result that is missing with a reason beside it.
 */
export function findFailedAnswer(window: TextWindow, call: AnsweredCall): Signal | undefined {
  // Reading costs more than all other rules together.
  const fields = call.action === undefined && !mayFail(window) ? undefined : answerFields(window);
  if (fields === undefined) {
    return undefined;
  }
  const { start } = window;
  const code = refusedCode(fields);
  if (code !== undefined) {
    return createSignal("failure", "field-code", start, code, 0.85);
  }
  const error = raisedIn(fields) ?? errorIn(fields, call.action !== undefined);
  if (error !== undefined) {
    return createSignal("failure", "field-error", start, error, 0.85);
  }
  const items = failedItems(fields);
  if (items?.all === true && (call.action !== undefined || items.isStated)) {
    return createSignal("failure", "field-results", start, items.reason, 0.85);
  }
  const reason = reasonIn(fields);
  if (fields.success === false || fields.ok === false) {
    return createSignal("failure", "field-success-false", start, reason ?? "", 0.85, { category: "failed" });
  }
  const state = refusedState(fields, call);
  // A thing with an id that exists in that state is an answer, unless a reason says what went wrong.
  if (state !== undefined && (reason !== undefined || !isEntity(fields))) {
    return createSignal("failure", "field-state", start, reason ?? state, 0.85);
  }
  const undone = undoneField(fields, call.action);
  if (undone !== undefined && (undone.isCertain || reason !== undefined || items !== undefined)) {
    return createSignal("failure", "field-not-done", start, reason ?? items?.reason ?? undone.words, 0.8);
  }
  if (lacksResult(fields) && (items !== undefined || statesReason(fields) || explainsFailure(reason ?? ""))) {
    return createSignal("failure", "field-no-result", start, items?.reason ?? reason ?? "", 0.8);
  }
  return call.action !== undefined && waitsForApproval(fields)
    ? createSignal("open", "still-running", start, "", 0.8)
    : undefined;
}

/** What the answer of a tool that only reads contains if it states a failure. */
const MARKS = ["rror", "null", "success", '"ok"', '"code"', "ename", "SIG"];

function mayFail({ text, start, end }: TextWindow): boolean {
  return MARKS.some((mark) => {
    const at = text.indexOf(mark, start);
    return at !== -1 && at < end;
  });
}

const SUCCESS = new Set(["", "ok", "success", "successful", "\u6210\u529f"]);

/**
 * The number of an error in an answer without data: `{"code": 50013, "msg": "…", "data": null}`, and of gRPC
 * `{"code": 3, "message": "…", "details": []}`.
 */
function refusedCode({ code, msg, message = msg, data, details, ...others }: Fields): string | undefined {
  const isRefused = typeof code === "number" && code !== 0 && (code < 200 || code > 299);
  if (!isRefused || typeof message !== "string" || SUCCESS.has(message.toLowerCase())) {
    return undefined;
  }
  const isAlone = data === undefined && isBlank(others) && explainsFailure(message);
  return isAlone || data === null || (data === undefined && Array.isArray(details)) ? message : undefined;
}

/** What a notebook reports of an exception, and a sandbox of the signal that ended its program. */
function raisedIn({ ename, evalue, signal }: Fields): string | undefined {
  if (typeof ename === "string" && typeof evalue === "string") {
    return `${ename}: ${evalue}`;
  }
  return typeof signal === "string" && signal.startsWith("SIG") ? `Killed by ${signal}` : undefined;
}

const ERROR_WORDS = new Set("error errors fault problem exception".split(" "));
/** Words beside these in a key: `errorResult`, but not `lastError` or `error_rate`. */
const BESIDE_ERROR = new Set(
  "result message msg description detail details info text response non field form validation global".split(" "),
);
const ERROR_DEPTH = 2;

/** The reason of an error that is not on top: `{"results": {"A": {"error": "…", "status": 502}}}`. */
function errorIn(fields: Fields, acts: boolean, depth: number = 0): string | undefined {
  if (isEntity(fields) || VERDICTS.some((key) => key in fields)) {
    return undefined;
  }
  for (const [key, value] of Object.entries(fields)) {
    // A list of errors, or a problem, may be what a reading tool was asked for.
    const isOwn = isErrorKey(key) && (acts || !(Array.isArray(value) || key.startsWith("problem")));
    const reason = isOwn ? textOfError(value) : undefined;
    if (reason !== undefined) {
      return reason;
    }
  }
  const inner = Object.values(fields).filter(isFields);
  const [only, ...others] = inner;
  return depth < ERROR_DEPTH && only !== undefined && others.length === 0 ? errorIn(only, acts, depth + 1) : undefined;
}

function isErrorKey(key: string): boolean {
  const words = wordsOfKey(key);
  return (
    words.some((word) => ERROR_WORDS.has(word)) &&
    words.every((word) => ERROR_WORDS.has(word) || BESIDE_ERROR.has(word))
  );
}

/** The verdict of a validator, whose errors are its result. */
const VERDICTS = ["valid", "isValid", "passed", "conforms"];

/** Names of an identity: the errors and states of a thing that has one are its own. */
const IDENTITIES = ["id", "_id", "sid", "uuid", "guid"];

function isEntity(fields: Fields): boolean {
  return IDENTITIES.some((key) => key in fields);
}

/** A sentence, or an object or a list that holds one. */
function textOfError(list: unknown): string | undefined {
  const value: unknown = Array.isArray(list) ? list[0] : list;
  const text = isFields(value) ? reasonIn(value) : typeof value === "string" ? value : undefined;
  return text?.includes(" ") === true ? text : undefined;
}

/** Last words of keys whose values say how it went. */
const STATE_KEYS = new Set("status state outcome result decision disposition".split(" "));
/** First or last words of states in which nothing was done. */
const REFUSED = new Set(
  "rejected declined refused denied unsuccessful failed failure fail error errored aborted blocked".split(" "),
);
const MAX_STATE = 40;

/** `{"orderId": null, "state": "REJECTED"}`: the state of what the tool was to do, unless it is the one asked for. */
function refusedState(fields: Fields, { action, arguments: args }: AnsweredCall): string | undefined {
  if (action === undefined) {
    return undefined;
  }
  for (const [key, value] of Object.entries(fields)) {
    if (typeof value === "string" && STATE_KEYS.has(wordsOfKey(key).at(-1) ?? "") && isRefused(value)) {
      const word = value.toLowerCase();
      return textOfArguments(args).toLowerCase().includes(word) || isDoneWord(word, action)
        ? undefined
        : `${key}: ${value}`;
    }
  }
  return undefined;
}

function isRefused(value: unknown): boolean {
  const words = typeof value === "string" && value.length <= MAX_STATE ? wordsOfKey(value) : [];
  return REFUSED.has(words[0] ?? "") || REFUSED.has(words.at(-1) ?? "");
}

/** Participles of keys that say whether something was done. */
const DONE_KEYS = new Set(
  "confirmed accepted saved executed applied completed sent delivered processed posted published merged promoted deleted updated shared printed inserted imported written moved copied booked reserved scheduled uploaded archived stored".split(
    " ",
  ),
);
/** Last words of keys that say whether the action in the first one worked, but for checks. */
const OUTCOMES = new Set(["status", "success"]);
const CHECKS = new Set(["valid", "validation", "verified", "verification", "login"]);
/** Keys that count what was asked for. */
const ASKED_KEYS = new Set("requested total attempted expected lines records rows items recipients matched".split(" "));

interface Undone {
  readonly words: string;
  /** The tool's own verb, or a number that was asked for: no reason is needed. */
  readonly isCertain: boolean;
}

/** A field that says that the action was not done: `{"confirmed": false}`, `{"requested": 3, "shared": 0}`. */
function undoneField(fields: Fields, action: ToolAction | undefined): Undone | undefined {
  for (const [key, value] of Object.entries(fields)) {
    const words = wordsOfKey(key);
    const word = words.findLast((one) => one !== "count") ?? "";
    const isOwn = action !== undefined && isDoneWord(word, action);
    // `sent_status: false`, without a reason, may be the requested state.
    if (value === false && words.length > 1 && OUTCOMES.has(word) && !CHECKS.has(words[0] ?? "")) {
      return { words: `${key}: ${value}`, isCertain: false };
    }
    if ((value === false || value === 0) && !isEntity(fields) && (isOwn || DONE_KEYS.has(word))) {
      const wasAsked = value === 0 && Object.entries(fields).some(([other, count]) => isAsked(other, count));
      return { words: `${key}: ${value}`, isCertain: (value === false && isOwn) || wasAsked };
    }
  }
  return undefined;
}

function isAsked(key: string, count: unknown): boolean {
  return typeof count === "number" && count > 0 && ASKED_KEYS.has(wordsOfKey(key).at(-1) ?? "");
}

interface FailedItems {
  readonly reason: string;
  readonly all: boolean;
  /** The items say themselves that they are no success. */
  readonly isStated: boolean;
}

const MAX_ITEMS = 50;

/** The reason in a list of results of which some failed: `{"results": [{"success": false, "error": "…"}]}`. */
function failedItems(fields: Fields): FailedItems | undefined {
  for (const list of Object.values(fields)) {
    const items: readonly Fields[] = Array.isArray(list) ? list.slice(0, MAX_ITEMS).filter(isFields) : [];
    const failed = items.filter(isFailedItem);
    const reason = failed.map(reasonIn).find((one) => one !== undefined);
    if (reason !== undefined) {
      return {
        reason,
        all: failed.length === items.length,
        isStated: failed.every(({ success, ok = success, error }) => ok === false && typeof error === "string"),
      };
    }
  }
  return undefined;
}

const SEVERE = new Set(["error", "fatal", "e", "critical"]);

function isFailedItem({ success, ok = success, severity, level = severity, type = level, ...others }: Fields): boolean {
  return (
    ok === false ||
    (typeof type === "string" && SEVERE.has(type.toLowerCase())) ||
    isRefused(others.status) ||
    isRefused(others.result) ||
    (others.status === "skipped" && reasonIn(others) !== undefined)
  );
}

/** Last words of keys that hold what was asked for. */
const RESULT_KEYS = new Set("answer result data value content lines label id url output response".split(" "));

/** Whether the answer starts with a result and has none, has a field for one, or holds nothing but a reason. */
function lacksResult(fields: Fields): boolean {
  const entries = Object.entries(fields);
  if (entries[0]?.[1] === null) {
    return true;
  }
  const results = entries.filter(([key]) => RESULT_KEYS.has(wordsOfKey(key).at(-1) ?? ""));
  const others = entries.filter(([key]) => !REASON_KEYS.includes(wordsOfKey(key).at(-1) ?? ""));
  return (
    (results.length > 0 && results.every(([, value]) => value === null)) ||
    (others.length > 0 && others.every(([, value]) => value === null || (isFields(value) && isBlank(value))))
  );
}

function isBlank(fields: Fields): boolean {
  return Object.keys(fields).length === 0;
}

/** Last words of keys that hold a reason, the best first. */
const REASON_KEYS =
  "error reason why cause hint message msg detail details text description information info notice tip note warning".split(
    " ",
  );
const MAX_DEPTH = 2;

/** Whether a field is named after a reason: nobody explains what went well. */
function statesReason(fields: Fields): boolean {
  return Object.entries(fields).some(
    ([key, value]) =>
      typeof value === "string" && value !== "" && ["reason", "why", "cause"].includes(wordsOfKey(key).at(-1) ?? ""),
  );
}

/** The reason that an object gives, or an object in it. */
function reasonIn(fields: Fields, depth: number = 0): string | undefined {
  let best: string | undefined;
  let bestPlace = REASON_KEYS.length;
  for (const [key, value] of Object.entries(fields)) {
    const place = REASON_KEYS.indexOf(wordsOfKey(key).at(-1) ?? "");
    if (typeof value === "string" && value.trim() !== "" && place !== -1 && place < bestPlace) {
      best = value;
      bestPlace = place;
    }
  }
  if (best !== undefined || depth >= MAX_DEPTH) {
    return best;
  }
  for (const value of Object.values(fields)) {
    const inner = isFields(value) ? reasonIn(value, depth + 1) : undefined;
    if (inner !== undefined) {
      return inner;
    }
  }
  return undefined;
}

/** Keys of a sentence for people. */
const SENTENCE_KEYS = new Set(
  "message msg detail details reason info information notice note error_description mensaje meldung nachricht messaggio mensagem".split(
    " ",
  ),
);
/** Facts about the request, which say nothing about its outcome. */
const REQUEST_KEYS = new Set(
  "took requestid request_id traceid trace_id debug_id timestamp duration duration_ms elapsed_ms".split(" "),
);
const MAX_SENTENCE_ANSWER = 400;

/** The sentence of a short answer that begins with it, or holds nothing else. */
export function onlySentence(window: TextWindow): string | undefined {
  const fields = window.end - window.start > MAX_SENTENCE_ANSWER ? undefined : answerFields(window);
  if (fields === undefined || VERDICTS.some((key) => key in fields)) {
    return undefined;
  }
  const entries = Object.entries(fields).filter(([key]) => !REQUEST_KEYS.has(key.toLowerCase()));
  const sentence = entries.find(([key, value]) => SENTENCE_KEYS.has(key.toLowerCase()) && typeof value === "string");
  const isOnly = sentence === entries[0] || entries.every((entry) => entry === sentence || isEmpty(entry[1]));
  return sentence !== undefined && isOnly ? (sentence[1] as string) : undefined;
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === false ||
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (isFields(value) && isBlank(value))
  );
}

/** Words of a text that explains why there is no result. */
const OBSTACLES = new Set(
  "not no cannot can't past beyond exceed exceeds too already must only limit unknown unavailable".split(" "),
);

function explainsFailure(reason: string): boolean {
  return reportsFailure(reason) || categoryOfMessage(reason) !== undefined || hasObstacle(reason);
}

function hasObstacle(reason: string): boolean {
  return reason
    .toLowerCase()
    .split(/[^\w']/)
    .some((word) => OBSTACLES.has(word));
}

/** Whether a person has to agree before the action is done. */
function waitsForApproval(fields: Fields): boolean {
  return Object.entries(fields).some(([key, value]) => {
    const words = typeof value === "string" && value.length <= MAX_STATE ? wordsOfKey(value) : [];
    const isState = STATE_KEYS.has(wordsOfKey(key).at(-1) ?? "");
    return isState && words.includes("pending") && (words.includes("approval") || "requiredApprovals" in fields);
  });
}
