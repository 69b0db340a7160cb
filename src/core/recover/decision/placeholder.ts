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

/** Exported for its table-driven test. */
export function isPlaceholder(value: string): boolean {
  if (value === "" || value.length > MAX_PLACEHOLDER_CHARS) return false;
  if (/^\$\{?[A-Z][A-Z0-9_]{1,60}\}?$/.test(value)) return true;
  if (/^(?:…|\.{3,}|x{3,}|_{3,}|\?{3,})$/i.test(value)) return true;
  if (/^<[^<>=/]{1,78}>$/.test(value)) return !HTML_TAG.test(value) && /\p{L}/u.test(value);
  if (
    /^(?:\{\{[^{}]{1,70}\}\}|\[(?:your|insert|enter|the|some|any|path|file|name|query|url|command)\b[^[\]]{0,60}\])$/i.test(
      value,
    )
  )
    return true;
  if (/^\/?(?:path|pfad|chemin|ruta|caminho|percorso)\/(?:to|zu|zur|vers|a|al|para)\b[\w./\\-]*$/i.test(value))
    return true;
  return (
    /^(?:your|my|dein|deine|ihr|ihre|votre|tu|su|seu|sua)[-_ ][\p{L}\p{N}_ -]{1,60}[-_ ](?:here|hier|ici|aquí|aqui|qui)$/iu.test(
      value,
    ) ||
    /^(?:your|insert|enter)[-_][a-z0-9_-]{1,60}$/i.test(value) ||
    /^(?:YOUR|INSERT|ENTER|REPLACE)_[A-Z0-9_]{1,60}$/.test(value) ||
    /^(?:put|insert|enter|type|place) (?:your|the|a|an) [\p{L}\p{N} _-]{1,50} here$/iu.test(value)
  );
}
