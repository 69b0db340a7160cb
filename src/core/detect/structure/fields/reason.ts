import { categoryOfMessage } from "../../reason/category.ts";
import { reportsFailure } from "../../reason/hints.ts";
import type { TextWindow } from "../../text/text-window.ts";
import { type Fields, isBlank, isFields, isVerdict, resultFields, wordsOfKey } from "./result-fields.ts";

/** Last words of keys that hold a reason, the best first. */
export const REASON_KEYS =
  "error reason why cause motif motivo grund explanation hint message msg detail details text txt description information info notice tip note warning detalle descripción descrição descrizione beschreibung hinweis meldung mensaje mensagem messaggio wiadomość сообщение メッセージ 消息".split(
    " ",
  );
const MAX_DEPTH = 2;

const REASONS = new Set("reason why cause motif motivo grund".split(" "));

/** Whether a field is named after a reason: nobody explains what went well. */
export function statesReason(fields: Fields): boolean {
  return Object.entries(fields).some(
    ([key, value]) => typeof value === "string" && value !== "" && REASONS.has(wordsOfKey(key).at(-1) ?? ""),
  );
}

/** The reason that an object gives, or an object in it. */
export function reasonIn(fields: Fields, depth: number = 0): string | undefined {
  let best: string | undefined;
  let bestPlace = REASON_KEYS.length;
  for (const [key, value] of Object.entries(fields)) {
    const place = REASON_KEYS.indexOf(wordsOfKey(key).at(-1) ?? "");
    if (typeof value === "string" && value.trim() !== "" && place !== -1 && place < bestPlace) {
      best = value;
      bestPlace = place;
    }
  }
  if (best !== undefined || depth >= MAX_DEPTH) {
    return best;
  }
  for (const value of Object.values(fields)) {
    const inner = isFields(value) ? reasonIn(value, depth + 1) : undefined;
    if (inner !== undefined) {
      return inner;
    }
  }
  return undefined;
}

/** Keys of a sentence for people. */
const SENTENCE_KEYS = new Set(
  "message msg detail details reason info information notice note error_description mensaje meldung nachricht messaggio mensagem pesan bericht wiadomość сообщение mesaj メッセージ 消息 信息 메시지".split(
    " ",
  ),
);
/** Facts about the request, which say nothing about its outcome. */
const REQUEST_KEYS = new Set(
  "took requestid request_id traceid trace_id debug_id timestamp duration duration_ms elapsed_ms".split(" "),
);
/** Keys of a number or a name that says how it went, each server in its own way. */
const CODE_KEYS = new Set("code rc ret retcode status status_code".split(" "));
const SUCCESS_CODES = new Set(
  "ok success successful succeeded done complete completed true 0 00 000 0000 200 201 202 204".split(" "),
);

function isErrorCode([key, value]: readonly [string, unknown]): boolean {
  return CODE_KEYS.has(key.toLowerCase()) && !isFields(value) && !SUCCESS_CODES.has(String(value).toLowerCase());
}
const MAX_SENTENCE_RESULT = 400;

/** The sentence of a short result that begins with it, or holds nothing else. */
export function onlySentence(window: TextWindow): string | undefined {
  const fields = window.end - window.start > MAX_SENTENCE_RESULT ? undefined : resultFields(window);
  if (fields === undefined || isVerdict(fields)) {
    return undefined;
  }
  const entries = Object.entries(fields).filter(([key]) => !REQUEST_KEYS.has(key.toLowerCase()));
  const sentence = entries.find(([key, value]) => SENTENCE_KEYS.has(key.toLowerCase()) && typeof value === "string");
  const isOnly =
    sentence === entries[0] || entries.every((entry) => entry === sentence || isEmpty(entry[1]) || isErrorCode(entry));
  return sentence !== undefined && isOnly ? (sentence[1] as string) : undefined;
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === false ||
    value === "" ||
    (Array.isArray(value) && value.length === 0) ||
    (isFields(value) && isBlank(value))
  );
}

/** Words of a text that explains why there is no result. */
const OBSTACLES = new Set(
  "not no cannot can't past beyond exceed exceeds too already must only limit unknown unavailable".split(" "),
);

export function explainsFailure(reason: string): boolean {
  return reportsFailure(reason) || categoryOfMessage(reason) !== undefined || hasObstacle(reason);
}

function hasObstacle(reason: string): boolean {
  return reason
    .toLowerCase()
    .split(/[^\w']/)
    .some((word) => OBSTACLES.has(word));
}
