import { positionalSignature } from "../call-position.ts";
import { type HistoryPrompt, isHumanMessage } from "../human-prompt.ts";
import { type Fields, isArray, isObject, messageText, objects, omitUndefined, text } from "../json.ts";
import { PositionalHistory } from "../positional-history.ts";
import type { DeclaredTool, DecodedRequest } from "../turn.ts";

/** A call of a message. Arguments are an object; old servers send no id. */
export interface MessageCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * Decodes a chat request. Calls are recorded by their position, because libraries replace the ids of the server by
 * their own.
 */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  if (!isObject(body) || !isArray(body.messages)) return undefined;
  const messages = objects(body.messages);
  const history = new PositionalHistory();
  const prompts: HistoryPrompt[] = [];
  for (const [index, message] of body.messages.entries()) {
    if (!isObject(message)) continue;
    history.message(index, message.role === "assistant");
    if (message.role === "user" && isHumanMessage(message.content))
      prompts.push({ content: message.content, calls: history.size });
    for (const call of callsOf(message)) history.call(call, call.arguments);
    if (message.role === "tool") {
      const reference = {
        id: text(message.tool_call_id) || undefined,
        name: text(message.tool_name) ?? text(message.name),
      };
      history.result(reference, { content: message.content });
    }
  }
  const firstAssistant = messages.find(({ role }) => role === "assistant");
  return omitUndefined({
    model: text(body.model),
    // Streaming is the default.
    streaming: body.stream !== false,
    messageCount: messages.length,
    tools: objects(body.tools).flatMap(toolOf),
    calls: history.end(),
    prompts,
    firstUserText: messageText(messages.find(({ role }) => role === "user")?.content),
    firstTurn:
      firstAssistant === undefined
        ? undefined
        : positionalSignature(callsOf(firstAssistant), messageText(firstAssistant.content)),
  });
}

function toolOf({ function: declared }: Fields): readonly DeclaredTool[] {
  const name = isObject(declared) ? text(declared.name) : undefined;
  return name === undefined || !isObject(declared) ? [] : [omitUndefined({ name, parameters: declared.parameters })];
}

/** The calls in a message of a history or a response. */
export function callsOf(message: Fields): readonly MessageCall[] {
  return objects(message.tool_calls).flatMap((call) => {
    const called = isObject(call.function) ? call.function : {};
    const name = text(called.name);
    return name === undefined ? [] : [{ id: text(call.id) || undefined, name, arguments: called.arguments }];
  });
}
