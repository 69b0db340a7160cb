import { HistoryReader } from "../history.ts";
import { type Fields, given, isObject, messageText, objects, text } from "../json.ts";
import { type DecodedRequest, turnSignature } from "../turn.ts";

/** Reads a Messages request. Lenient: unknown roles, blocks and fields are passed over. */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  if (!isObject(body) || !Array.isArray(body.messages)) return undefined;
  const messages = objects(body.messages);
  const history = new HistoryReader();
  for (const message of messages) readBlocks(message, history);
  const firstUser = messages.find(({ role }) => role === "user");
  const firstAssistant = messages.find(({ role }) => role === "assistant");
  return given({
    model: text(body.model),
    streaming: body.stream === true,
    messageCount: messages.length,
    tools: objects(body.tools).flatMap((tool) => {
      const name = text(tool.name);
      return name === undefined ? [] : [given({ name, parameters: tool.input_schema })];
    }),
    calls: history.end(),
    firstUserText: messageText(firstUser?.content),
    firstTurn: firstAssistant === undefined ? undefined : turnOf(firstAssistant),
  });
}

function readBlocks(message: Fields, history: HistoryReader): void {
  history.message();
  for (const block of objects(message.content)) {
    if (block.type === "tool_use") {
      const id = text(block.id);
      if (id !== undefined) history.call(id, text(block.name), block.input);
    } else if (block.type === "tool_result") {
      const id = text(block.tool_use_id);
      if (id !== undefined) history.result(id, resultOf(block));
    }
  }
}

function resultOf(block: Fields): { content: unknown; is_error?: boolean } {
  return { content: block.content, ...(typeof block.is_error === "boolean" && { is_error: block.is_error }) };
}

function turnOf(message: Fields): string {
  const calls = objects(message.content).flatMap((block) => {
    const id = text(block.id);
    return block.type === "tool_use" && id !== undefined ? [given({ id, name: text(block.name) })] : [];
  });
  return turnSignature(calls, messageText(message.content));
}
