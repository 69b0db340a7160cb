import type { HistoryReader } from "../history.ts";
import { type Fields, objects, omitUndefined, text } from "../json.ts";
import { decodeMessageList, type ListedCall } from "../message-list.ts";
import type { DeclaredTool, DecodedRequest } from "../turn.ts";

/** Decodes a Messages request. */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  return decodeMessageList(body, { toolOf, callsOf, readResults });
}

function toolOf(tool: Fields): DeclaredTool | undefined {
  const name = text(tool.name);
  return name === undefined ? undefined : omitUndefined({ name, parameters: tool.input_schema });
}

function callsOf(message: Fields): readonly ListedCall[] {
  return objects(message.content).flatMap((block) => {
    const id = text(block.id);
    if (block.type !== "tool_use" || id === undefined) return [];
    return [omitUndefined({ id, name: text(block.name), arguments: block.input })];
  });
}

function readResults(message: Fields, history: HistoryReader): void {
  for (const block of objects(message.content)) {
    const id = block.type === "tool_result" ? text(block.tool_use_id) : undefined;
    if (id === undefined) continue;
    const { content, is_error } = block;
    history.result(id, { content, ...(typeof is_error === "boolean" && { is_error }) });
  }
}
