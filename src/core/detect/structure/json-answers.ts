import { createSignal, type Signal } from "../signal.ts";
import type { TextWindow } from "../text/text-window.ts";

/** Longer answers are data. */
const MAX_LENGTH = 4000;
/** Characters in which the first field of such an answer begins. */
const MAX_START = 20;
const MAX_ITEMS = 50;

type Fields = Readonly<Record<string, unknown>>;

/** Finds the failure of an answer that states it in its first field. */
export function findFailedAnswer(window: TextWindow): Signal | undefined {
  const { text, start, end } = window;
  if (end - start > MAX_LENGTH) {
    return undefined;
  }
  // Most objects begin with other fields.
  const first = text.slice(start, start + MAX_START);
  return first.includes('"code"')
    ? findRefusedCode(window)
    : first.includes("[") && saysFalse(window)
      ? findFailedItems(window)
      : undefined;
}

/** The number of an error in an answer without data: `{"code": 50013, "msg": "…", "data": null}`. */
function findRefusedCode(window: TextWindow): Signal | undefined {
  const { code, msg, message = msg, data } = parsed(window) ?? {};
  const isRefused = typeof code === "number" && code !== 0 && (code < 200 || code > 299);
  return isRefused && data === null && typeof message === "string" && !SUCCESS.has(message.toLowerCase())
    ? createSignal("failure", "field-code", window.start, message, 0.85)
    : undefined;
}
const SUCCESS = new Set(["", "ok", "success", "successful", "\u6210\u529f"]);

/** The reason in a list of results that all failed: `{"results": [{"success": false, "error": "…"}]}`. */
function findFailedItems(window: TextWindow): Signal | undefined {
  const { results, items = results, data = items } = parsed(window) ?? {};
  const list: readonly unknown[] = Array.isArray(data) ? data : [];
  const errors = list.slice(0, MAX_ITEMS).map(errorOf);
  const first = errors[0];
  return first !== undefined && errors.every((error) => error !== undefined)
    ? createSignal("failure", "field-results", window.start, first, 0.85)
    : undefined;
}

/** The reason of an item that failed. */
function errorOf(item: unknown): string | undefined {
  const { success, ok = success, error } = (typeof item === "object" && item !== null ? item : {}) as Fields;
  return ok === false && typeof error === "string" && error !== "" ? error : undefined;
}

/** Most lists hold no refusal. */
function saysFalse({ text, start, end }: TextWindow): boolean {
  const at = text.indexOf("false", start);
  return at !== -1 && at < end;
}

function parsed({ text, start, end }: TextWindow): Fields | undefined {
  if (text.charCodeAt(start) !== 123 || text.charCodeAt(end - 1) !== 125) {
    return undefined;
  }
  try {
    return JSON.parse(text.slice(start, end)) as Fields;
  } catch {
    return undefined;
  }
}
