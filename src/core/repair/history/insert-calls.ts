import { isObject, objects, parseJson, text } from "../../wire/json.ts";
import { Edits } from "../json/edits.ts";
import { itemSpans, memberSpans } from "../json/json-spans.ts";

/** A call that the provider's copy of a conversation does not have. */
export interface StoredCall {
  readonly name: string;
  /** JSON of an object. */
  readonly arguments: string;
}

/**
 * Puts mended calls before their outputs in a Responses request that goes on from what the provider holds: there, the call is still a text, and
 * an output without its call would be refused. Undefined: nothing is missing.
 */
export function insertCalls(source: string, find: (callId: string) => StoredCall | undefined): string | undefined {
  const body = parseJson(source);
  if (!isObject(body) || !Array.isArray(body.input)) return undefined;
  const there = new Set(objects(body.input).flatMap((item) => (item.type === "function_call" ? [item.call_id] : [])));
  const spans = itemSpans(source, memberSpans(source, 0)?.get("input")?.start ?? 0) ?? [];
  const edits = new Edits();
  for (const [index, item] of (body.input as readonly unknown[]).entries()) {
    const id = isObject(item) && item.type === "function_call_output" ? text(item.call_id) : undefined;
    if (id === undefined || there.has(id)) continue;
    const call = find(id);
    const at = spans[index]?.start;
    if (call === undefined || at === undefined) continue;
    there.add(id);
    const { name, arguments: args } = call;
    edits.insert(at, `${JSON.stringify({ type: "function_call", call_id: id, name, arguments: args })},`);
  }
  return edits.hasEdits ? edits.apply(source) : undefined;
}
