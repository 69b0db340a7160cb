import type { Json, JsonObject } from "../../model/tool-call.ts";

const MAX_PLACEHOLDER_CHARS = 80;
const MAX_VALUES = 1000;
/** An HTML tag is real content, not a placeholder. */
const HTML_TAG =
  /^<\/?(?:a|b|i|p|u|br|hr|h[1-6]|div|span|ul|ol|li|em|strong|table|tr|td|th|thead|tbody|html|head|body|main|nav|header|footer|section|article|aside|form|input|button|select|textarea|img|meta|script|style|template|svg|pre|code|video|audio|iframe|canvas|!doctype html)\/?>$/i;

/** A call whose values are all type names shows a schema. */
const TYPE_NAMES: ReadonlySet<string> = new Set("string integer number boolean array object".split(" "));

/** Whether any value of a call is entirely a placeholder: `<your terms here>`, `path/to/file`, `…`. */
export function hasPlaceholder(args: JsonObject): boolean {
  const stack: Json[] = Object.values(args);
  if (Object.entries(args).some(([key, value]) => typeof value === "string" && namesParameter(value.trim(), key)))
    return true;
  if (stack.length > 0 && stack.every((value) => typeof value === "string" && TYPE_NAMES.has(value))) return true;
  for (let count = 0; count < MAX_VALUES; count++) {
    const value = stack.pop();
    if (value === undefined) return false;
    if (typeof value === "string") {
      if (isPlaceholder(value.trim())) return true;
    } else if (typeof value === "object" && value !== null) stack.push(...Object.values(value).slice(0, MAX_VALUES));
  }
  return false;
}

/** Whether a value is the name of its own parameter, marked as such: `{query}`, `QUERY`, `CITY_NAME` or `your query`. */
function namesParameter(value: string, key: string): boolean {
  if (value.length > MAX_PLACEHOLDER_CHARS || !/^[{A-Zy]/.test(value)) return false;
  const marked =
    /^\{([\w -]{1,60})\}$/.exec(value)?.[1] ??
    /^your ([\w -]{1,60})$/i.exec(value)?.[1] ??
    /^([A-Z]{2,30}(?:_[A-Z]{2,30}){0,3})$/.exec(value)?.[1]?.replace(/_(?:NAME|VALUE|PATH|TEXT|STRING)$/, "");
  return marked !== undefined && letters(marked) === letters(key);
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** How a placeholder begins, or a word that it contains: a cheap necessary test for all that follow. */
const HINT =
  /^(?:[$….x_?<{[]|value_|\/?(?:path|pfad|chemin|ruta|caminho|percorso)\/|your|my|dein|ihr|votre|tu|su|seu|sua|insert|enter|replace|put|type|place)|here|(?:path|name|url) (?:to|of) /iu;

const PLACEHOLDERS: readonly RegExp[] = [
  /^\$\{?[A-Z][A-Z0-9_]{1,60}\}?$/,
  /^(?:…|\.{3,}|x{3,}|_{3,}|\?{3,}|value_\d)$/i,
  /^\{\{[^{}]{1,70}\}\}$/,
  /^\[(?:your|insert|enter|the|some|any|path|file|name|query|url|command)\b[^[\]]{0,60}\]$/i,
  /^\/?(?:path|pfad|chemin|ruta|caminho|percorso)\/(?:to|zu|zur|vers|a|al|para)\b[\w./\\-]*$/i,
  /^(?:your|my|dein|deine|ihr|ihre|votre|tu|su|seu|sua)[-_ ][\p{L}\p{N}_ -]{1,60}[-_ ](?:here|hier|ici|aquí|aqui|qui)$/iu,
  /^(?:your|insert|enter)[-_][a-z0-9_-]{1,60}$/i,
  /^(?:YOUR|INSERT|ENTER|REPLACE)_[A-Z0-9_]{1,60}$|^[A-Z0-9_]{1,60}_HERE$/,
  /^(?:the )?(?:full |absolute |relative )?(?:path|name|url) (?:to|of) (?:the|your|a) [\p{L}\p{N} _-]{1,40}$/iu,
  /^(?:\p{L}{1,16} ){0,3}(?:path|file|directory|folder|name|command|query|url|link|pattern|regex|text|content|contents|code|value|values|title|message|question|prompt|id|number|date|data|json)s? (?:goes )?here(?: \(optional\))?$/iu,
  /^(?:put|insert|enter|type|place) (?:your|the|a|an) [\p{L}\p{N} _-]{1,50} here$/iu,
];

/** Exported for its table-driven test. */
export function isPlaceholder(value: string): boolean {
  if (value === "" || value.length > MAX_PLACEHOLDER_CHARS || !HINT.test(value)) return false;
  if (/^<[^<>=/]{1,78}>$/.test(value)) return !HTML_TAG.test(value) && /\p{L}/u.test(value);
  return PLACEHOLDERS.some((pattern) => pattern.test(value));
}
