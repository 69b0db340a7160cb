import type { HistoryReader } from "../history.ts";
import { type Fields, isObject, objects, omitUndefined, text } from "../json.ts";
import { decodeMessageList, type ListedCall } from "../message-list.ts";
import type { DeclaredTool, DecodedRequest } from "../turn.ts";

/** Decodes a Chat Completions request. */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  return decodeMessageList(body, { toolOf, callsOf, readResults });
}

function toolOf({ function: declared }: Fields): DeclaredTool | undefined {
  const name = isObject(declared) ? text(declared.name) : undefined;
  return name === undefined ? undefined : omitUndefined({ name, parameters: (declared as Fields).parameters });
}

function callsOf(message: Fields): readonly ListedCall[] {
  return objects(message.tool_calls).flatMap((call) => {
    const id = text(call.id);
    if (id === undefined) return [];
    const called = isObject(call.function) ? call.function : {};
    return [omitUndefined({ id, name: text(called.name), arguments: called.arguments })];
  });
}

function readResults(message: Fields, history: HistoryReader): void {
  const callId = message.role === "tool" ? text(message.tool_call_id) : undefined;
  if (callId !== undefined) history.result(callId, { content: message.content });
}
