import type { Category } from "../../model/outcome.ts";
import { clientError } from "../http-status.ts";
import { createSignal, type Signal } from "../signal.ts";
import { type TextWindow, WHOLE_LIMIT } from "../text/text-window.ts";
import { describesEntity, isEntity, isEntityField, isIdentified, VERDICT_KEY } from "./json-entity.ts";
import { ENTITY_LENGTH, LevelScanner } from "./json-level.ts";

/** How far from both ends fields are searched; servers put the status first or last. */
const HEAD = 1024;
const TAIL = 256;

/** A field that contains a sentence. */
const SENTENCE_FIELD =
  /["'](?:message|msg|detail|details|reason|info|error_description|mensaje|meldung|nachricht|messaggio|mensagem)["']\s*:\s*(?:"([^"\\\n]{3,300})"|'([^'\\\n]{3,300})')/i;

/** A value other than that sentence: text, a number, a non-empty list, "yes". */
const OTHER_VALUE = /["']\s*:\s*(?:["'][^"']|true|-?\d|\[\s*[^\]\s]|\{\s*[^}\s])/i;

/** A list of values; `[1] button` and `[1 of 3] Compiling` are lines of text. */
const LIST_START = /^\[\s*(?:[{"'[]|\]\s*$|-?\d[\d.eE+-]*\s*(?:,|\]\s*$))/;

/** Whether the text looks like JSON or a Python literal. */
export function looksStructured({ text, start }: TextWindow): boolean {
  const code = text.charCodeAt(start);
  if (code === 123) {
    return true;
  }
  if (code !== 91) {
    return false;
  }
  return LIST_START.test(text.slice(start, start + 40));
}

/** Finds the signal in the fields of a structured text. */
export function findField(window: TextWindow): Signal | undefined {
  const { text, start, end } = window;
  const limit = Math.min(end, start + HEAD);
  const scanner = new LevelScanner(text, start, end);
  let best: Signal | undefined;
  let succeeded = false;
  FIELD.lastIndex = start;
  for (let match = nextField(text, limit, end); match !== null; match = nextField(text, limit, end)) {
    const level = scanner.levelAt(match.index);
    if (level === "inside-text") {
      // Skip the whole string: fields quoted in it are not the object's own, and no position is read twice.
      FIELD.lastIndex = Math.max(FIELD.lastIndex, scanner.stringEnd);
      continue;
    }
    // The payload of a GraphQL mutation lists its errors in a dedicated field one level down.
    if (level === "nested" && !/^.user_?errors/i.test(match[0])) {
      continue;
    }
    if (match[8] !== undefined || match[10] !== undefined) {
      succeeded = true;
      continue;
    }
    const found = read(match, text, limit);
    if (found !== undefined && (best === undefined || found.confidence > best.confidence)) {
      best = found;
    }
    // The value may contain the same field again; that one counts as nested.
    FIELD.lastIndex = match.index + match[0].length - 1;
  }
  // `success: true` beside an error text: the dedicated field decides.
  return succeeded && best !== undefined && best.stated !== true ? { ...best, denied: true } : best;
}

/** Returns the next field in the first or the last part of the text. */
function nextField(text: string, limit: number, end: number): RegExpExecArray | null {
  const from = FIELD.lastIndex;
  if (from < limit) {
    // Searching a slice bounds the cost: a text without such fields is not scanned to its end.
    const match = execIn(text, from, limit);
    if (match !== null || limit >= end) {
      return match;
    }
  }
  return execIn(text, Math.max(from, limit, end - TAIL), end);
}

function execIn(text: string, from: number, to: number): RegExpExecArray | null {
  FIELD.lastIndex = 0;
  const match = FIELD.exec(text.slice(from, to));
  if (match !== null) {
    match.index += from;
    FIELD.lastIndex = match.index + match[0].length;
  }
  return match;
}

function read(match: RegExpExecArray, text: string, limit: number): Signal | undefined {
  const at = match.index;
  const words = (): string => valueWords(text, match.index + match[0].length - 1, limit);
  if (match[1] !== undefined) {
    const head = text.slice(0, limit);
    if (VERDICT_KEY.test(head) || isEntity(head)) {
      return undefined;
    }
    return createSignal("failure", "field-error", at, words(), 0.92);
  }
  if (match[2] !== undefined) {
    return createSignal("failure", "field-success-false", at, siblingMessage(text, limit) ?? match[0], 0.9, {
      category: "failed",
    });
  }
  if (match[3] !== undefined) {
    return createSignal(
      "failure",
      "field-flag-true",
      at,
      siblingMessage(text, limit) ?? match[0],
      0.9,
      flagged(match[0]),
    );
  }
  if (match[4] !== undefined) {
    const message = siblingMessage(text, limit);
    // Without a message, the status of a large object is that of the entity it describes.
    if (message === undefined && (limit - at > ENTITY_LENGTH || describesEntity(text, limit))) {
      return undefined;
    }
    return createSignal("failure", "field-status-word", at, message ?? match[0], message === undefined ? 0.7 : 0.9);
  }
  if (match[5] !== undefined) {
    // A bare `code` may be a country or area code; beside a message it is the server's.
    if (siblingMessage(text, limit) === undefined && isEntityField(match[0], text, limit)) {
      return undefined;
    }
    return createSignal("failure", "field-status-number", at, siblingMessage(text, limit) ?? match[0], 0.85, {
      category: match[5].startsWith("5") ? "http_server_error" : clientError(match[5]),
    });
  }
  if (match[6] !== undefined) {
    const code = Number(match[6]);
    return createSignal(code === 0 ? "success" : "failure", "field-exit-status", at, match[0], 0.95, {
      stated: true,
      exitCode: code,
      ...(code === 0 ? {} : { phase: "run" as const }),
    });
  }
  return readName(match, text, limit);
}

/** Reads fields that name a failure instead of stating a status. */
function readName(match: RegExpExecArray, text: string, limit: number): Signal | undefined {
  const at = match.index;
  if (match[7] !== undefined) {
    // A stored or sent message has an id; its text was written by a person.
    if (isIdentified(text.slice(0, limit))) {
      return undefined;
    }
    return createSignal(
      "failure",
      "field-text",
      at,
      valueWords(text, at + match[0].length - match[7].length - 1, limit),
      0.8,
    );
  }
  if (match[11] !== undefined || match[12] !== undefined) {
    // A lower-case name may be anything. The pattern ignores case, so check it here.
    if (match[11] !== undefined && (match[11] !== match[11].toUpperCase() || isEntity(text.slice(0, limit)))) {
      return undefined;
    }
    const message = siblingMessage(text, limit);
    return createSignal(
      "failure",
      "field-error-code",
      at,
      message ?? match[0],
      message === undefined ? 0.75 : 0.88,
      match[12] === undefined ? undefined : { category: "invalid_arguments" },
    );
  }
  if (match[13] !== undefined) {
    const message = siblingMessage(text, limit);
    const loud = match[13] === match[13].toUpperCase() && message !== undefined;
    const quiet = match[13].endsWith("_error") && !isIdentified(text.slice(0, limit));
    return (loud && !describesEntity(text, limit)) || quiet
      ? createSignal("failure", "field-error-name", at, `${match[13]}: ${message ?? ""}`, 0.8)
      : undefined;
  }
  return match[9] === undefined
    ? undefined
    : createSignal("success", "field-is-error", at, match[0], 0.95, { stated: true });
}

/** Client envelopes that name the event in a separate field. */
function flagged(field: string): { readonly category?: Category; readonly stated?: boolean } {
  const name = field.toLowerCase().replaceAll("_", "");
  if (name.includes("timedout") || name.includes("timeout")) {
    return { category: "timeout" };
  }
  if (/cancel|interrupted|aborted/.test(name)) {
    return { category: "cancelled" };
  }
  if (name.includes("permission")) {
    return { category: "permission_denied" };
  }
  if (name.includes("notfound")) {
    return { category: "not_found" };
  }
  return name.includes("iserror") ? { stated: true } : { category: "failed" };
}

/** `sent_status: false` with a reason; without one it may be the requested state. */
const REFUSED = /["'](?!valid|verif|login)[a-z]{2,20}_(?:status|success)["']\s*:\s*false\b/i;

/** Finds the signal of a short object whose key names the requested action. */
export function findRefusal({ text, start, end }: TextWindow): Signal | undefined {
  if (end - start > ENTITY_LENGTH) {
    return undefined;
  }
  const object = text.slice(start, end);
  const match = object.includes("_status") || object.includes("_success") ? REFUSED.exec(object) : null;
  const message = match === null ? undefined : siblingMessage(object, object.length);
  return match === null || message === undefined
    ? undefined
    : createSignal("failure", "field-success-false", start + match.index, message, 0.85, { category: "failed" });
}

/** Returns the only sentence of a short object, for the sentence rules. */
export function onlySentence({ text, start, end }: TextWindow): string | undefined {
  if (end - start > 400 || text.charCodeAt(start) !== 123) {
    return undefined;
  }
  const object = text.slice(start, end);
  const match = SENTENCE_FIELD.exec(object);
  const first = match !== null && /^\{\s*$/.test(object.slice(0, match.index));
  return match === null || (!first && OTHER_VALUE.test(object.replace(match[0], "")))
    ? undefined
    : (match[1] ?? match[2]);
}

/** Returns a program's output from a shell result that is an object. */
export function printedText({ text, start, end }: TextWindow): string | undefined {
  // A program may print JSON too: parse only objects with the keys of an envelope.
  const opening = text.slice(start, start + 200);
  if (
    end - start > WHOLE_LIMIT ||
    !(opening.includes('"output"') || opening.includes('"stdout"') || opening.includes('"result"'))
  ) {
    return undefined;
  }
  try {
    const { output, stdout, stderr, result } = JSON.parse(text.slice(start, end)) as Record<string, unknown>;
    const parts = [output ?? stdout ?? result, stderr].filter((part) => typeof part === "string" && part.trim() !== "");
    return parts.length === 0 ? undefined : parts.join("\n");
  } catch {
    return undefined;
  }
}

/** Quotes of JSON and of Python literals. */
const Q = `["']`;

/**
 * A field whose value means failure, success or an exit code, in JSON or Python's repr. One alternative per meaning.
 */
export const FIELD: RegExp = new RegExp(
  [
    // 1: error-like key with a value that is not "nothing"
    `${Q}(?:(?:user_?|api_?|server_?|validation_?|request_?|graphql_?|tool_?)?errors?|err|exception|error[_ ]?messages?|err(?:or)?_?msg|error_?description|fehler|erreur|erro|errore|error_?text|error_?details?|fault|traceback)${Q}\\s*:\\s*(?!null|none|false|undefined|${Q}{2}|\\[\\s*\\]|\\{\\s*\\}|-?\\d|${Q}(?:none|no|null|ok|success|n/?a|false|0|undefined)?${Q})(["'{[t])`,
    // 2: a success word that is false
    `${Q}(?:success|succeeded|successful|ok|is_?success|is_?ok|erfolg|succ[e\u00e8]s|[e\u00e9]xito|sucesso|successo)${Q}\\s*:\\s*(${Q}?false\\b)`,
    // 3: a failure word that is true
    `${Q}(?:is_?error|has_?error|failed|timed_?out|timeout|permission_?denied|not_?found|cancell?ed|interrupted|aborted)${Q}\\s*:\\s*(true\\b)`,
    // 4: a status in words
    `${Q}(?:status|result|type|response)${Q}\\s*:\\s*${Q}(error|err|fail|failed|failure|exception|false|ko|nok|not_ok|unauthori[sz]ed|forbidden|fehler|erreur|erro|errore|\u5931\u8d25|\u9519\u8bef|\u30a8\u30e9\u30fc)${Q}`,
    // 5: a status in numbers
    `${Q}(?:status_?code|http_?status|http_?code|response_?code|ret_?code|status|code|cod|codigo|c\u00f3digo|error_?code)${Q}\\s*:\\s*${Q}?([45]\\d\\d)\\b(?![.\\d])`,
    // 6: an exit status
    `${Q}(?:exit_?code|exit_?status|return_?code|returncode)${Q}\\s*:\\s*${Q}?(-?\\d{1,10})\\b`,
    // 7: a text field that starts like a failure
    `${Q}(?:result|output|content|text|response|message|msg|observation|answer|detail|reason|stderr|info)${Q}\\s*:\\s*${Q}((?:\\w+ ?){0,3}?(?:error(?=\\s*[:!"']| (?:while|when|during|in|executing|calling|occurred|from|fetching))|exception(?=\\s*[:!"'])|failed to|failed(?=["':.])|failure:|traceback|unable to|cannot |could not |invalid |not found|permission denied|access denied|unauthori[sz]ed|forbidden(?=["':.])|(?:invalid|missing|unknown|unsupported|expired|forbidden)_\\w)(?:\\b|(?<=\\s)|(?<=_\\w)))`,
    // 8: a success word that is true
    `${Q}(?:success|succeeded|successful|ok|is_?success|is_?ok)${Q}\\s*:\\s*(${Q}?true\\b)`,
    // 9: the protocol's flag inside the text
    `${Q}is_?error${Q}\\s*:\\s*(false\\b)`,
    // 10: an error field with an empty value
    `${Q}error${Q}\\s*:\\s*(null|none|false|${Q}{2}|\\[\\s*\\]|\\{\\s*\\})`,
    // 11: an error number, or an error name in capitals
    `${Q}(?:err_?code|err_?no|errno|error_?code|error_?no|error_?number)${Q}\\s*:\\s*${Q}?([1-9-]\\d{0,9}|(?!OK\\b|NULL\\b|FALSE\\b|UNDEFINED|NONE\\b|NO_ERROR|SUCCESS)[A-Z][A-Z0-9_]{3,60})${Q}?(?=\\s*[,}])`,
    // 12: validation errors as a list of locations and messages
    `${Q}details?${Q}\\s*:\\s*(\\[\\s*\\{\\s*${Q}(?:loc|type|msg)${Q}\\s*:)`,
    // 13: a failure's name in capitals, as a name, code, type or status
    `${Q}(?:name|code|type|reason|status|category)${Q}\\s*:\\s*${Q}((?:[A-Z]{2,20}_){1,4}(?:ERROR|FAILURE|FAILED|DENIED|EXPIRED|FOUND|EXCEEDED|INVALID|MISMATCH|UNAUTHORIZED|UNAVAILABLE)|(?:INVALID|MISSING|UNKNOWN|UNSUPPORTED|UNAUTHORIZED|FORBIDDEN)(?:_[A-Z]{2,20}){1,4})${Q}`,
  ].join("|"),
  "gi",
);

/** Returns the text of the value that starts here, with the common escapes decoded. */
export function valueWords(text: string, at: number, limit: number): string {
  const raw = text.slice(at, Math.min(limit, at + 600));
  const quote = raw[0];
  if (quote === '"' || quote === "'") {
    let stop = 1;
    while (stop < raw.length && raw[stop] !== quote) {
      stop += raw[stop] === "\\" ? 2 : 1;
    }
    return raw.slice(1, stop).replaceAll("\\n", "\n").replaceAll('\\"', '"').slice(0, 500);
  }
  const message = /["'](?:message|msg|detail|description|reason|info)["']\s*:\s*["']([^"\n]{1,300}?)["'][,}\s]/i.exec(
    raw,
  );
  return message?.[1] ?? raw.slice(0, 300);
}

/** Returns the message beside a status. */
export function siblingMessage(text: string, limit: number): string | undefined {
  const match =
    /["'](?:error|message|msg|err_?msg|error[_ ]?message|mensaje|meldung|nachricht|messaggio|mensagem|detail|details|reason|description|info|stderr)["']\s*:\s*["'](?=[^"'\s])/i.exec(
      text.slice(0, limit),
    );
  return match === null ? undefined : valueWords(text, match.index + match[0].length - 1, limit);
}
