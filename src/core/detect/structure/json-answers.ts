import { createSignal, type Signal } from "../signal.ts";
import type { TextWindow } from "../text/text-window.ts";

/** Longer answers are data. */
const MAX_LENGTH = 4000;
const MAX_ITEMS = 50;

type Fields = Readonly<Record<string, unknown>>;

/** Finds the number of an error in an answer without data: `{"code": 50013, "msg": "…", "data": null}`. */
export function findRefusedCode(window: TextWindow): Signal | undefined {
  const { code, msg, message = msg, data } = parsed(window, '"code"', '"data"') ?? {};
  const isRefused = typeof code === "number" && code !== 0 && (code < 200 || code > 299);
  return isRefused && data === null && typeof message === "string" && !SUCCESS.has(message.toLowerCase())
    ? createSignal("failure", "field-code", window.start, message, 0.85)
    : undefined;
}
const SUCCESS = new Set(["", "ok", "success", "successful", "\u6210\u529f"]);

/** Finds the reason in a list of results that all failed: `{"results": [{"success": false, "error": "…"}]}`. */
export function findFailedItems(window: TextWindow): Signal | undefined {
  const { results, items = results, data = items } = parsed(window, "false", '"error"') ?? {};
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

/** Parses a short object that contains both of these texts. */
function parsed({ text, start, end }: TextWindow, one: string, other: string): Fields | undefined {
  const object = end - start > MAX_LENGTH || text.charCodeAt(start) !== 123 ? "" : text.slice(start, end);
  if (!object.includes(one) || !object.includes(other)) {
    return undefined;
  }
  try {
    return JSON.parse(object) as Fields;
  } catch {
    return undefined;
  }
}
