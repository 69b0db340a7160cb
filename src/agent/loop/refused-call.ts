import { hasFields } from "../../core/model/narrow.ts";

const REJECTED_CALL =
  /tool_use_failed|(?:tool|function)\b.{0,80}\b(?:not found|not in request|does not exist|unknown|invalid name|hallucinated)/i;
const MAX_MESSAGE_CHARS = 2000;

/** Whether the provider rejects a tool that the model tried to call, rather than the request itself. */
export function isRefusedCall(error: unknown): boolean {
  if (!hasFields(error)) return false;
  try {
    const { message, code, error: inner } = error;
    const texts = [message, code, hasFields(inner) ? inner.message : undefined].filter(
      (word) => typeof word === "string",
    );
    return REJECTED_CALL.test(texts.join(" ").slice(0, MAX_MESSAGE_CHARS));
  } catch {
    return false;
  }
}
