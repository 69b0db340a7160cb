const WORDS =
  /tool_use_failed|(?:tool|function)\b.{0,80}\b(?:not found|not in request|does not exist|unknown|invalid name|hallucinated)/i;
const LONGEST = 2000;

/** Does the provider complain about a tool the model tried to call, and not about us? */
export function isRefusedCall(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  try {
    const { message, code, error: inner } = error as { readonly [key: string]: unknown };
    const words = [message, code, (inner as { message?: unknown } | undefined)?.message].filter(
      (word) => typeof word === "string",
    );
    return WORDS.test(words.join(" ").slice(0, LONGEST));
  } catch {
    return false;
  }
}
