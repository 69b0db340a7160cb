import { isArray, isObject, objects, parseJsonBody, text } from "../../wire/json.ts";
import { Edits, itemSpans, memberSpans } from "../json/json-spans.ts";

/** A repaired call that the provider's stored conversation lacks. */
export interface StoredCall {
  readonly name: string;
  /** A JSON object. */
  readonly arguments: string;
}

/**
 * Inserts repaired calls before their outputs in a Responses request that continues a stored conversation. The provider
 * stored the call as text, and would reject an output without its call. Returns undefined if no call is missing.
 */
export function insertCalls(source: string, find: (callId: string) => StoredCall | undefined): string | undefined {
  const body = parseJsonBody(source);
  if (!isObject(body) || !isArray(body.input)) return undefined;
  const present = new Set(objects(body.input).flatMap((item) => (item.type === "function_call" ? [item.call_id] : [])));
  const spans = itemSpans(source, memberSpans(source, 0)?.get("input")?.start ?? 0) ?? [];
  const edits = new Edits();
  for (const [index, item] of body.input.entries()) {
    const id = isObject(item) && item.type === "function_call_output" ? text(item.call_id) : undefined;
    if (id === undefined || present.has(id)) continue;
    const call = find(id);
    const at = spans[index]?.start;
    if (call === undefined || at === undefined) continue;
    present.add(id);
    const { name, arguments: args } = call;
    edits.insert(at, `${JSON.stringify({ type: "function_call", call_id: id, name, arguments: args })},`);
  }
  return edits.hasEdits ? edits.apply(source) : undefined;
}
