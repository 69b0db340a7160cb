import { canonicalText } from "../model/facts.ts";

/**
 * Some APIs send calls without ids, and clients make up their own or send none back. Such calls are identified by their
 * position: the number of calls before them in the conversation. The form is that of a counter id, which records tell
 * apart by place.
 */
export function positionalId(name: string, position: number): string {
  return `functions.${name.replaceAll(":", "_")}:${position}`;
}

const PLACEHOLDER = "no-id-";

/** The id of a call in a response that has none, until the length of the history is known. */
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
    // Nested too deep to be written.
    return "";
  }
}
