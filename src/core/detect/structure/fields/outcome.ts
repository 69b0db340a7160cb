import { isDoneWord, type ToolAction } from "../../call/tool-action.ts";
import { isErrorKey } from "./errors.ts";
import { REASON_KEYS, reasonIn } from "./reason.ts";
import { type Fields, isBlank, isEntity, isFields, wordsOfKey } from "./result-fields.ts";

/** The call that a result belongs to. */
export interface FieldContext {
  readonly action: ToolAction | undefined;
  /** A state that was asked for is no refusal. */
  readonly arguments: unknown;
}

/** Last words of keys whose values say how it went. */
const STATE_KEYS = new Set(
  "status state outcome result decision disposition verdict estado statut stato esito resultado resultat ergebnis".split(
    " ",
  ),
);
/** First or last words of states in which nothing was done. */
const REFUSED = new Set(
  "rejected declined refused denied unsuccessful failed failure fail error errored aborted blocked rjct reject deny decline refuse infeasible ko rechazada rechazado rejeitado rejeitada recusado recusada refusé refusée rifiutato rifiutata abgelehnt odrzucono geweigerd".split(
    " ",
  ),
);
const MAX_STATE = 40;

/** `{"orderId": null, "state": "REJECTED"}`: the state of what the tool was to do, unless it is the one asked for. */
export function refusedState(fields: Fields, { action, arguments: args }: FieldContext): string | undefined {
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
export function undoneField(fields: Fields, action: ToolAction | undefined): Undone | undefined {
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
      const isStated = value === false && action !== undefined && word === "applied" && !isDryRun(fields);
      return { words: `${key}: ${value}`, isCertain: (value === false && isOwn) || wasAsked || isStated };
    }
  }
  return undefined;
}

function isDryRun(fields: Fields): boolean {
  return Object.keys(fields).some((key) => wordsOfKey(key).includes("dry"));
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
export function failedItems(fields: Fields): FailedItems | undefined {
  for (const list of Object.values(fields)) {
    const items: readonly Fields[] = Array.isArray(list) ? list.slice(0, MAX_ITEMS).filter(isFields) : [];
    const failed = items.filter(isFailedItem);
    const reason = failed.map((item) => reasonIn(item)).find((one) => one !== undefined);
    if (reason !== undefined) {
      return {
        reason,
        all: items.every((item) => failed.includes(item) || hasSeverity(item, MINOR)),
        isStated: failed.every(({ success, ok = success, error }) => ok === false && typeof error === "string"),
      };
    }
  }
  return undefined;
}

const SEVERE = new Set(["error", "fatal", "e", "critical"]);
/** Remarks beside what failed. */
const MINOR = new Set(["warning", "warn", "w"]);

/** Keys of how serious an item is, in lower case. */
const SEVERITY_KEYS = new Set(["severity", "sev", "level", "lvl", "type", "category"]);

function hasSeverity(item: Fields, values: ReadonlySet<string>): boolean {
  return Object.entries(item).some(
    ([key, value]) =>
      SEVERITY_KEYS.has(key.toLowerCase()) && typeof value === "string" && values.has(value.toLowerCase()),
  );
}

function isFailedItem({ success, ok = success, ...others }: Fields): boolean {
  return (
    ok === false ||
    hasSeverity(others, SEVERE) ||
    isRefused(others.status) ||
    isRefused(others.result) ||
    (others.status === "skipped" && reasonIn(others) !== undefined)
  );
}

/** Last words of keys that hold what was asked for. */
const RESULT_KEYS = new Set("answer result data value content lines label id url output response".split(" "));

/** Whether the result starts with a result and has none, has a field for one, or holds nothing but a reason. */
export function lacksResult(fields: Fields): boolean {
  // No error is no missing result.
  const entries = Object.entries(fields).filter(([key]) => !isErrorKey(key));
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

/** Whether a person has to agree before the action is done. */
export function waitsForApproval(fields: Fields): boolean {
  return Object.entries(fields).some(([key, value]) => {
    const words = typeof value === "string" && value.length <= MAX_STATE ? wordsOfKey(value) : [];
    const isState = STATE_KEYS.has(wordsOfKey(key).at(-1) ?? "");
    return isState && words.includes("pending") && (words.includes("approval") || "requiredApprovals" in fields);
  });
}

const MAX_ARGUMENTS = 2000;

function textOfArguments(args: unknown): string {
  try {
    return (typeof args === "string" ? args : (JSON.stringify(args) ?? "")).slice(0, MAX_ARGUMENTS);
  } catch {
    return "";
  }
}
