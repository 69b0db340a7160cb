import type { TextWindow } from "../text/text-window.ts";

/** A row of a list names what it is about; an error has nothing to name. */
const ROW_KEY =
  /^\[\s*\{[^\0]{0,160}?["'](?:_?id|uuid|key|name|title|line|row|index|path|file|date|created\w{0,12}|timestamp|number|sha|severity)["']\s*:/i;

/** Is this a list of things, each with an error of its own or none? Then the errors are theirs. */
export function isEntityList({ text, start }: TextWindow): boolean {
  return text.charCodeAt(start) === 91 && ROW_KEY.test(text.slice(start, start + 240));
}

/** Objects with more fields than this describe something, unless a message says otherwise. */
const ANSWER_FIELDS = 3;

export function describesEntity(text: string, limit: number): boolean {
  return text.slice(0, limit).split(/["']\s*:/, ANSWER_FIELDS + 2).length > ANSWER_FIELDS + 1;
}

/** `{"valid": false, "errors": […]}` is what a validator was asked for. */
export const VERDICT_KEY = /["'](?:is_?)?(?:valid|passed|conforms)["']\s*:/i;

/** A thing with an identity and a state of its own: its errors happened to it, not to this call. */
const ENTITY_ID = /["'](?:_?id|sid|uuid|gid)["']\s*:/i;
const ENTITY_STATE =
  /["'](?:created|updated|started|finished|date)_?\w{0,12}["']\s*:|["'](?:status|state)["']\s*:\s*["'](?!error|fail|false)/i;

export function isEntity(head: string): boolean {
  return ENTITY_ID.test(head) && ENTITY_STATE.test(head) && describesEntity(head, head.length);
}

/** Something that exists and has a number or a name of its own. */
export function isIdentified(head: string): boolean {
  return ENTITY_ID.test(head) && describesEntity(head, head.length);
}

/** Places and messages of what failed validation, as the validators themselves print them. */
const COMPLAINTS =
  /^\[\s*\{[^\0]{0,200}?["'](?:code["']\s*:\s*["'](?:invalid_\w{2,20}|too_(?:small|big)|unrecognized_keys)["']|loc["']\s*:\s*[[(])/;

export function isValidationErrorList({ text, start }: TextWindow): boolean {
  return text.charCodeAt(start) === 91 && COMPLAINTS.test(text.slice(start, start + 300));
}

/** Names and titles that tell a failure themselves, as in RFC 9457. */
const TELLING_TITLE =
  /["'](?:title|name|code|body|status_?text)["']\s*:\s*["'][^"'\n]{0,80}?(?:error|not found|unauthori|forbidden|denied|invalid|bad request|fail|unavailable|conflict)/i;

/** Is this number a field of the thing described rather than the server's status? */
export function isEntityField(field: string, text: string, limit: number): boolean {
  return (
    /^.code/i.test(field) ||
    (/^.status\W/i.test(field) && describesEntity(text, limit) && !TELLING_TITLE.test(text.slice(0, limit)))
  );
}
