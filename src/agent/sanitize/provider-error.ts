import { hasFields } from "../../core/model/narrow.ts";
import type { SafeError } from "../model/message.ts";

/** Categories of provider errors that may be shown to users. */
export const PROVIDER_CATEGORIES = [
  "model_not_found",
  "authentication_failed",
  "rate_limited",
  "context_too_long",
  "invalid_request",
  "provider_unreachable",
  "unknown_error",
] as const;
export type ProviderCategory = (typeof PROVIDER_CATEGORIES)[number];

const TEXTS: Readonly<Record<ProviderCategory, string>> = {
  model_not_found: "The selected model is not available. Please choose another one.",
  authentication_failed: "The AI provider did not accept its credentials. Please check the settings.",
  rate_limited: "The AI provider is busy. Please wait a moment and try again.",
  context_too_long: "This conversation has become too long for the model. Please start a new one.",
  invalid_request: "The AI provider could not process this request.",
  provider_unreachable: "The AI provider could not be reached. Please try again in a moment.",
  unknown_error: "The assistant ran into an unexpected problem. Please try again.",
};
const RETRYABLE: ReadonlySet<ProviderCategory> = new Set(["rate_limited", "provider_unreachable", "unknown_error"]);

const NETWORK =
  /\b(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|UND_ERR\w*|APIConnection\w*|fetch failed|socket hang up|network|timed? ?out|overloaded|unavailable)\b/i;

/**
 * Classifies any provider error by status, code, name and text. The text is never forwarded.
 *
 * @example
 * providerError({ status: 429 }).category // "rate_limited"
 */
export function providerError(error: unknown): SafeError & { readonly category: ProviderCategory } {
  const category = categoryOf(error);
  return { category, message: TEXTS[category], retryable: RETRYABLE.has(category) };
}

function categoryOf(error: unknown): ProviderCategory {
  const { status, text } = clues(error);
  if (/context.{0,20}(?:length|window)|too many tokens|prompt is too long|maximum context/i.test(text))
    return "context_too_long";
  if (/model.{0,40}not.{0,5}(?:found|exist)|NotFoundError/i.test(text) || status === 404) return "model_not_found";
  if (
    status === 401 ||
    status === 403 ||
    /authentication|invalid.{0,5}api.?key|permission.?denied|unauthori[sz]ed/i.test(text)
  )
    return "authentication_failed";
  if (status === 429 || /rate.?limit|too many requests|quota/i.test(text)) return "rate_limited";
  if ((status !== undefined && status >= 500) || NETWORK.test(text)) return "provider_unreachable";
  if ((status !== undefined && status >= 400) || /invalid.?request|bad.?request/i.test(text)) return "invalid_request";
  return "unknown_error";
}

function clues(error: unknown): { status: number | undefined; text: string } {
  const texts: string[] = [];
  let status: number | undefined;
  let current = error;
  // Network errors are often nested several causes deep.
  for (let depth = 0; depth < 4 && current !== undefined && current !== null; depth += 1) {
    if (typeof current === "string") texts.push(current);
    if (!hasFields(current)) break;
    try {
      const { status: a, statusCode: b, name, code, type, message, cause, error: inner } = current;
      if (status === undefined) status = [a, b].find((value) => typeof value === "number");
      for (const word of [name, code, type, message]) if (typeof word === "string") texts.push(word.slice(0, 1000));
      current = cause ?? inner;
    } catch {
      break;
    }
  }
  return { status, text: texts.join(" ") };
}

/** Longer waits are capped: a user waits too. */
const MAX_RETRY_AFTER_MS = 60_000;

/** How long a provider asks to wait before the next request, from the headers of its error. */
export function retryAfterMs(error: unknown): number | undefined {
  try {
    const headers: unknown = hasFields(error) ? error.headers : undefined;
    if (!hasFields(headers)) return undefined;
    const header = (name: string): unknown => (headers instanceof Headers ? headers.get(name) : headers[name]);
    const ms = Number(header("retry-after-ms") ?? Number.NaN);
    const delay = ms > 0 ? ms : Number(header("retry-after") ?? Number.NaN) * 1000;
    return delay > 0 ? Math.min(delay, MAX_RETRY_AFTER_MS) : undefined;
  } catch {
    return undefined;
  }
}
