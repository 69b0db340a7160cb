import type { Category } from "../../model/outcome.ts";
import { clientError } from "../http-status.ts";
import { categoryOfMessage } from "../reason/category.ts";
import { createSignal, type Signal } from "../signal.ts";
import { type TextWindow, WHOLE_LIMIT } from "../text/text-window.ts";
import { describesEntity, isEntity, isEntityField, isIdentified, VERDICT_KEY } from "./json-entity.ts";
import { type Field, nextField } from "./json-fields.ts";
import { ENTITY_LENGTH, LevelScanner } from "./json-level.ts";

/** How far from both ends fields are searched; servers put the status first or last. */
const HEAD = 1024;
const TAIL = 256;

/** A field that contains a sentence. */
const SENTENCE_FIELD =
  /["'](?:message|msg|detail|details|reason|info|error_description|mensaje|meldung|nachricht|messaggio|mensagem)["']\s*:\s*(?:"([^"\\\n]{3,300})"|'([^'\\\n]{3,300})')/i;

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
  let next = start;
  for (let field = fieldFrom(text, next, limit, end); field !== undefined; field = fieldFrom(text, next, limit, end)) {
    const level = scanner.levelAt(field.at);
    next = field.end;
    if (level === "inside-text") {
      // Skip the whole string: fields quoted in it are not the object's own, and no position is read twice.
      next = Math.max(field.end, scanner.stringEnd);
      continue;
    }
    // The payload of a GraphQL mutation lists its errors in a dedicated field one level down.
    if (level === "nested" && !/^.user_?errors/i.test(text.slice(field.at, field.at + 14))) {
      continue;
    }
    if (field.meaning === "succeeded" || field.meaning === "no-error") {
      succeeded = true;
      continue;
    }
    const found = read(field, text, start, limit);
    if (found !== undefined && (best === undefined || found.confidence > best.confidence)) {
      best = found;
    }
    // The value may contain the same field again; that one counts as nested.
    next = field.end - 1;
  }
  // `success: true` beside an error text: the dedicated field decides.
  return succeeded && best !== undefined && best.stated !== true ? { ...best, denied: true } : best;
}

/** Returns the next field in the first or the last part of the text. */
function fieldFrom(text: string, from: number, limit: number, end: number): Field | undefined {
  const field = from < limit ? nextField(text, from, limit) : undefined;
  return field ?? (limit < end ? nextField(text, Math.max(from, limit, end - TAIL), end) : undefined);
}

function read(field: Field, text: string, start: number, limit: number): Signal | undefined {
  const { at, word } = field;
  const whole = text.slice(at, field.end);
  switch (field.meaning) {
    case "error": {
      const head = text.slice(0, limit);
      // What an error holds that comes first, such as an order with an id, belongs to it.
      return VERDICT_KEY.test(head) || (isEntity(head) && text.slice(start + 1, at).trim() !== "")
        ? undefined
        : createSignal("failure", "field-error", at, described(valueWords(text, field.value, limit), head), 0.92);
    }
    case "failed":
      return createSignal("failure", "field-success-false", at, siblingMessage(text, limit) ?? whole, 0.9, {
        category: "failed",
      });
    case "flag":
      return createSignal("failure", "field-flag-true", at, siblingMessage(text, limit) ?? whole, 0.9, flagged(whole));
    case "status-word": {
      const message = siblingMessage(text, limit);
      // Without a message, the status of a large object is that of the entity it describes.
      return message === undefined && (limit - at > ENTITY_LENGTH || describesEntity(text, limit))
        ? undefined
        : createSignal("failure", "field-status-word", at, message ?? whole, message === undefined ? 0.7 : 0.9, {
            ...(message === undefined && word.startsWith("fail") ? { category: "failed" } : {}),
          });
    }
    case "status-false": {
      const message = siblingMessage(text, limit);
      // Without a message it may be the state of a thing.
      return message === undefined || describesEntity(text, limit)
        ? undefined
        : createSignal("failure", "field-success-false", at, message, 0.85, { category: "failed" });
    }
    case "refused":
      return createSignal("failure", "field-decision", at, siblingMessage(text, limit) ?? whole, 0.85, {
        category: "permission_denied",
        phase: "gate",
      });
    case "status-number":
      // A bare `code` may be a country or area code; beside a message it is the server's, and so is its own failure.
      return siblingMessage(text, limit) === undefined &&
        (!word.startsWith("5") || /^.code/i.test(whole) || isIdentified(text.slice(0, limit))) &&
        isEntityField(whole, text, limit)
        ? undefined
        : createSignal("failure", "field-status-number", at, siblingMessage(text, limit) ?? whole, 0.85, {
            category: categoryOfStatus(word, siblingMessage(text, limit)),
          });
    case "exit-code": {
      const code = Number(word);
      // A server's own status: `{"returnCode": "500", "message": "…"}`.
      const message = code >= 400 && whole.includes(`"${word}`) ? siblingMessage(text, limit) : undefined;
      if (message !== undefined) {
        const category = categoryOfStatus(word, message);
        return createSignal("failure", "field-status-number", at, message, 0.85, { category });
      }
      return createSignal(code === 0 ? "success" : "failure", "field-exit-status", at, whole, 0.95, {
        stated: true,
        exitCode: code,
        ...(code === 0 ? {} : { phase: "run" as const }),
      });
    }
    case "no-flag":
      return createSignal("success", "field-is-error", at, whole, 0.95, { stated: true });
    default:
      return readName(field, whole, text, limit);
  }
}

/** The category of a status, unless the message beside it is about the account or its limits. */
function categoryOfStatus(status: string, message = ""): Category {
  const byMessage = categoryOfMessage(message);
  return byMessage === "rate_limited" || byMessage === "auth"
    ? byMessage
    : status.startsWith("5")
      ? "http_server_error"
      : clientError(status);
}

/** Reads fields that name a failure instead of stating a status. */
function readName({ meaning, at, value, word }: Field, whole: string, text: string, limit: number): Signal | undefined {
  const message = siblingMessage(text, limit);
  switch (meaning) {
    case "text":
      // A stored or sent message has an id; its text was written by a person.
      return isIdentified(text.slice(0, limit))
        ? undefined
        : createSignal("failure", "field-text", at, valueWords(text, value, limit), 0.8);
    case "error-number":
      // A lower-case name may be anything.
      if (word !== word.toUpperCase() || isEntity(text.slice(0, limit))) {
        return undefined;
      }
      return createSignal("failure", "field-error-code", at, message ?? whole, message === undefined ? 0.75 : 0.88);
    case "validation":
      return createSignal("failure", "field-error-code", at, message ?? whole, message === undefined ? 0.75 : 0.88, {
        category: "invalid_arguments",
      });
    case "error-name": {
      const loud = word === word.toUpperCase() && message !== undefined;
      const quiet = word.endsWith("_error") && !isIdentified(text.slice(0, limit));
      return (loud && !describesEntity(text, limit)) || quiet
        ? createSignal("failure", "field-error-name", at, `${word}: ${message ?? ""}`, 0.8)
        : undefined;
    }
    default:
      return undefined;
  }
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

const MESSAGE_FIELDS =
  /["'](?:message|msg|detail|description|reason|info)["']\s*:\s*(?:"([^"\\\n]{1,300})"|'([^'\\\n]{1,300})')/gi;

/** Returns the text of the value that starts here, with the common escapes decoded. */
export function valueWords(text: string, at: number, limit: number): string {
  const value = text.slice(at, Math.min(limit, at + 600));
  // Of a list of sentences the first one.
  const raw = /^\[\s*["']/.test(value) ? value.slice(1).trimStart() : value;
  const quote = raw[0];
  if (quote === '"' || quote === "'") {
    let stop = 1;
    while (stop < raw.length && raw[stop] !== quote) {
      stop += raw[stop] === "\\" ? 2 : 1;
    }
    return raw.slice(1, stop).replaceAll("\\n", "\n").replaceAll('\\"', '"').slice(0, 500);
  }
  // A text with escapes is read as a whole value where the message is made. A reason may be a name: a sentence says more.
  let best: string | undefined;
  for (const [, double, single] of raw.matchAll(MESSAGE_FIELDS)) {
    const text = double ?? single ?? "";
    best = best === undefined || (text.includes(" ") && !best.includes(" ")) ? text : best;
  }
  return best ?? raw.slice(0, 300);
}

/** Adds the sentence beside an error that is only a name: `invalid_token` and "The access token expired". */
function described(words: string, head: string): string {
  if (words.includes(" ") || words === "") {
    return words;
  }
  const match = SENTENCE_FIELD.exec(head);
  const sentence = match?.[1] ?? match?.[2];
  return sentence === undefined || sentence === words ? words : `${words}: ${sentence}`;
}

/** Returns the message beside a status. */
export function siblingMessage(text: string, limit: number): string | undefined {
  const match =
    /["'](?:error|message|msg|err_?msg|error[_ ]?message|errorSummary|mensaje|meldung|nachricht|messaggio|mensagem|motivo|motif|grund|\u30e1\u30c3\u30bb\u30fc\u30b8|\u6d88\u606f|\u0441\u043e\u043e\u0431\u0449\u0435\u043d\u0438\u0435|detail|details|reason|description|info|stderr)["']\s*:\s*["'](?=[^"'\s])/i.exec(
      text.slice(0, limit),
    );
  return match === null ? undefined : valueWords(text, match.index + match[0].length - 1, limit);
}
