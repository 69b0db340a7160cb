import { canonicalText } from "../model/facts.ts";

/**
 * Some APIs send calls without ids, and clients generate their own or return none. Such calls are identified by their
 * position: the number of calls before them in the conversation. The id has the form of a counter, so records
 * distinguish equal ids by conversation.
 */
export function positionalId(name: string, position: number): string {
  return `functions.${name.replaceAll(":", "_")}:${position}`;
}

const PLACEHOLDER = "no-id-";

/** The temporary id of a call without one in a response, until the length of the history is known. */
export function placeholderId(index: number): string {
  return `${PLACEHOLDER}${index}`;
}

export function isPlaceholderId(id: string): boolean {
  return id.startsWith(PLACEHOLDER);
}

/** A turn for APIs whose ids may differ between a response and the next request: names and arguments instead of ids. */
export function positionalSignature(
  calls: readonly { readonly name?: string | undefined; readonly arguments?: unknown }[],
  text: string,
): string {
  if (calls.length === 0) return text.replace(/\s+/g, " ").trim();
  return calls.map(({ name = "", arguments: args }) => `${name} ${argumentsKey(args)}`).join("\n");
}

function argumentsKey(args: unknown): string {
  try {
    return canonicalText(args ?? {});
  } catch {
    // Nested too deeply to serialize.
    return "";
  }
}
