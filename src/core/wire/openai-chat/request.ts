import { HistoryReader } from "../history.ts";
import { type Fields, given, isObject, messageText, objects, text } from "../json.ts";
import { type DecodedRequest, turnSignature } from "../turn.ts";

/** Reads a Chat Completions request. Lenient: unknown roles and fields are passed over. */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  if (!isObject(body) || !Array.isArray(body.messages)) return undefined;
  const messages = objects(body.messages);
  const history = new HistoryReader();
  for (const message of messages) readMessage(message, history);
  const firstUser = messages.find(({ role }) => role === "user");
  const firstAssistant = messages.find(({ role }) => role === "assistant");
  return given({
    model: text(body.model),
    streaming: body.stream === true,
    messageCount: messages.length,
    tools: objects(body.tools).flatMap(({ function: declared }) => {
      const name = isObject(declared) ? text(declared.name) : undefined;
      return name === undefined ? [] : [given({ name, parameters: (declared as Fields).parameters })];
    }),
    calls: history.end(),
    firstUserText: messageText(firstUser?.content),
    firstTurn: firstAssistant === undefined ? undefined : turnOf(firstAssistant),
  });
}

function readMessage(message: Fields, history: HistoryReader): void {
  history.message();
  for (const { id, name, arguments: args } of callsOf(message)) history.call(id, name, args);
  const answered = message.role === "tool" ? text(message.tool_call_id) : undefined;
  if (answered !== undefined) history.result(answered, { content: message.content });
}

function callsOf(
  message: Fields,
): readonly { readonly id: string; readonly name?: string; readonly arguments?: unknown }[] {
  return objects(message.tool_calls).flatMap((call) => {
    const id = text(call.id);
    if (id === undefined) return [];
    const called = isObject(call.function) ? call.function : {};
    return [given({ id, name: text(called.name), arguments: called.arguments })];
  });
}

function turnOf(message: Fields): string {
  return turnSignature(callsOf(message), messageText(message.content));
}
