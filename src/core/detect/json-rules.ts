import type { Category } from "../model/outcome.ts";
import { type Finding, finding } from "./finding.ts";
import { clientError } from "./http-status.ts";
import { describesThing, isEntity, isIdentified, isThings, VERDICT_KEY } from "./json-entity.ts";
import { FIELD } from "./json-fields.ts";
import { ENTITY_LENGTH, LevelScanner } from "./json-level.ts";
import { siblingMessage, valueWords } from "./json-words.ts";
import { type TextWindow, WHOLE_LIMIT } from "./text-window.ts";

/** How far into an object its own fields are looked for; servers put the verdict first or last. */
const HEAD = 1024;
const TAIL = 256;

/** A field that holds a sentence. */
const SENTENCE_FIELD =
  /["'](?:message|msg|detail|details|reason|info|error_description|mensaje|meldung|nachricht|messaggio|mensagem)["']\s*:\s*(?:"([^"\\\n]{3,300})"|'([^'\\\n]{3,300})')/i;

/** Something else than that sentence: a text, a number, a list with something in it, "yes". */
const OTHER_VALUE = /["']\s*:\s*(?:["'][^"']|true|-?\d|\[\s*[^\]\s]|\{\s*[^}\s])/i;

/** A list of values; `[1] button` and `[1 of 3] Compiling` are lines of text. */
const LIST_START = /^\[\s*(?:[{"'[]|\]\s*$|-?\d[\d.eE+-]*\s*(?:,|\]\s*$))/;

/** Does this text look like data in JSON or in Python's notation? */
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

/** The verdict the fields of a structured text give. */
export function findField(window: TextWindow): Finding | undefined {
  const { text, start, end } = window;
  const limit = Math.min(end, start + HEAD);
  const scanner = new LevelScanner(text, start, end);
  let best: Finding | undefined;
  let succeeded = false;
  FIELD.lastIndex = start;
  for (let match = nextField(text, limit, end); match !== null; match = nextField(text, limit, end)) {
    const level = scanner.levelAt(match.index);
    if (level === "inside-text") {
      // Jump over the whole string: what it quotes is not this object's word, and no place is read twice.
      FIELD.lastIndex = Math.max(FIELD.lastIndex, scanner.stringEnd);
      continue;
    }
    // The payload of a GraphQL mutation names its refusals in a field made for them, one level down.
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
    // The value may hold the same field again; it is read as nested.
    FIELD.lastIndex = match.index + match[0].length - 1;
  }
  // `success: true` beside an error text: the server's own verdict is the field made for it.
  return succeeded && best !== undefined && best.stated !== true ? { ...best, denied: true } : best;
}

/** The next field in the first or the last part of the text. */
function nextField(text: string, limit: number, end: number): RegExpExecArray | null {
  const from = FIELD.lastIndex;
  if (from < limit) {
    // Searching a slice keeps the cost flat: a text without such fields is not searched to its end.
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

function read(match: RegExpExecArray, text: string, limit: number): Finding | undefined {
  const at = match.index;
  const words = (): string => valueWords(text, match.index + match[0].length - 1, limit);
  if (match[1] !== undefined) {
    const head = text.slice(0, limit);
    if (VERDICT_KEY.test(head) || isEntity(head)) {
      return undefined;
    }
    return finding("failure", "field-error", at, words(), 0.92);
  }
  if (match[2] !== undefined) {
    return finding("failure", "field-success-false", at, siblingMessage(text, limit) ?? match[0], 0.9, {
      category: "failed",
    });
  }
  if (match[3] !== undefined) {
    return finding("failure", "field-flag-true", at, siblingMessage(text, limit) ?? match[0], 0.9, flagged(match[0]));
  }
  if (match[4] !== undefined) {
    const message = siblingMessage(text, limit);
    // Without a word about it, the status of a large object is that of the thing it describes.
    if (message === undefined && (limit - at > ENTITY_LENGTH || describesThing(text, limit))) {
      return undefined;
    }
    return finding("failure", "field-status-word", at, message ?? match[0], message === undefined ? 0.7 : 0.9);
  }
  if (match[5] !== undefined) {
    // A bare `code` may be a country's or an area's; beside a message it is the server's.
    if (siblingMessage(text, limit) === undefined && isThings(match[0], text, limit)) {
      return undefined;
    }
    return finding("failure", "field-status-number", at, siblingMessage(text, limit) ?? match[0], 0.85, {
      category: match[5].startsWith("5") ? "http_server_error" : clientError(match[5]),
    });
  }
  if (match[6] !== undefined) {
    const code = Number(match[6]);
    return finding(code === 0 ? "success" : "failure", "field-exit-status", at, match[0], 0.95, {
      stated: true,
      exitCode: code,
      ...(code === 0 ? {} : { phase: "run" as const }),
    });
  }
  if (match[7] !== undefined) {
    // A message that was stored or sent has an identity; its text is what somebody wrote.
    if (isIdentified(text.slice(0, limit))) {
      return undefined;
    }
    return finding(
      "failure",
      "field-text",
      at,
      valueWords(text, at + match[0].length - match[7].length - 1, limit),
      0.8,
    );
  }
  if (match[11] !== undefined || match[12] !== undefined) {
    // A name in small letters may be anything: the pattern ignores letter case, this must not.
    if (match[11] !== undefined && (match[11] !== match[11].toUpperCase() || isEntity(text.slice(0, limit)))) {
      return undefined;
    }
    const message = siblingMessage(text, limit);
    return finding(
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
    return (loud && !describesThing(text, limit)) || quiet
      ? finding("failure", "field-error-name", at, `${match[13]}: ${message ?? ""}`, 0.8)
      : undefined;
  }
  return match[9] === undefined
    ? undefined
    : finding("success", "field-is-error", at, match[0], 0.95, { stated: true });
}

/** Harness envelopes that name the event in a field of its own. */
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

/** `sent_status: false` beside a reason; without one it may be a state that was asked for. */
const REFUSED = /["'](?!valid|verif|login)[a-z]{2,20}_(?:status|success)["']\s*:\s*false\b/i;

/** The verdict of a short object that is named after what was to be done. */
export function findRefusal({ text, start, end }: TextWindow): Finding | undefined {
  if (end - start > ENTITY_LENGTH) {
    return undefined;
  }
  const object = text.slice(start, end);
  const match = object.includes("_status") || object.includes("_success") ? REFUSED.exec(object) : null;
  const message = match === null ? undefined : siblingMessage(object, object.length);
  return match === null || message === undefined
    ? undefined
    : finding("failure", "field-success-false", start + match.index, message, 0.85, { category: "failed" });
}

/** A short object whose only words are one sentence, for the sentence rules. */
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

/** What a program printed, where a shell's answer is an object around it. */
export function printedText({ text, start, end }: TextWindow): string | undefined {
  // A program may print JSON of its own: parse only what has an envelope's keys.
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
