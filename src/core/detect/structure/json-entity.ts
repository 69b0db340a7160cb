import type { TextWindow } from "../text/text-window.ts";

/** Keys that identify an item of a list; an error has none of them. */
const ROW_KEY =
  /^\[\s*\{[^\0]{0,160}?["'](?:_?id|uuid|key|name|title|line|row|index|path|file|date|created\w{0,12}|timestamp|number|sha|severity)["']\s*:/i;

/** Whether this is a list of items with errors. Then the errors belong to the items, not to the call. */
export function isEntityList({ text, start, end }: TextWindow): boolean {
  return text.charCodeAt(start) === 91
    ? ROW_KEY.test(text.slice(start, start + 240))
    : isRow(text, start, end) && ROW_KEY.test(`[${text.slice(start, start + 240)}`);
}

/** Whether other objects follow on the next lines: JSON lines. */
function isRow(text: string, start: number, end: number): boolean {
  const newline = text.indexOf("\n", start);
  return newline !== -1 && newline < end && text.charAt(newline - 1) === "}" && text.charAt(newline + 1) === "{";
}

/** Objects with more fields describe an entity, unless they contain a message. */
const ANSWER_FIELDS = 3;

export function describesEntity(text: string, limit: number): boolean {
  return text.slice(0, limit).split(/["']\s*:/, ANSWER_FIELDS + 2).length > ANSWER_FIELDS + 1;
}

/** `{"valid": false, "errors": […]}` is the regular result of a validator. */
export const VERDICT_KEY = /["'](?:is_?)?(?:valid|passed|conforms)["']\s*:/i;

/** An entity with an identity and a state: its errors belong to it, not to this call. */
const ENTITY_ID = /["'](?:_?id|sid|uuid|gid)["']\s*:/i;
const ENTITY_STATE =
  /["'](?:created|updated|started|finished|date)_?\w{0,12}["']\s*:|["'](?:status|state)["']\s*:\s*["'](?!error|fail|false)/i;

export function isEntity(head: string): boolean {
  return ENTITY_ID.test(head) && ENTITY_STATE.test(head) && describesEntity(head, head.length);
}

/** Whether this is an existing entity with an id or a name. */
export function isIdentified(head: string): boolean {
  return ENTITY_ID.test(head) && describesEntity(head, head.length);
}

/** Locations and messages of validation errors, in the format of common validators. */
const COMPLAINTS =
  /^\[\s*\{[^\0]{0,200}?["'](?:code["']\s*:\s*["'](?:invalid_\w{2,20}|too_(?:small|big)|unrecognized_keys)["']|loc["']\s*:\s*[[(])/;

export function isValidationErrorList({ text, start }: TextWindow): boolean {
  return text.charCodeAt(start) === 91 && COMPLAINTS.test(text.slice(start, start + 300));
}

/** Names and titles that describe a failure, as in RFC 9457. */
const TELLING_TITLE =
  /["'](?:title|name|code|body|status_?text)["']\s*:\s*["'][^"'\n]{0,80}?(?:error|not found|unauthori|forbidden|denied|invalid|bad request|fail|unavailable|conflict)/i;

/** Whether this number is a field of the described entity and not the server's status. */
export function isEntityField(field: string, text: string, limit: number): boolean {
  return (
    /^.code/i.test(field) ||
    (/^.status\W/i.test(field) && describesEntity(text, limit) && !TELLING_TITLE.test(text.slice(0, limit)))
  );
}
