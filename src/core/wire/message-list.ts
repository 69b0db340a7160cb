import { HistoryReader } from "./history.ts";
import { type HistoryPrompt, isHumanMessage } from "./human-prompt.ts";
import { type Fields, isObject, messageText, objects, omitUndefined, text } from "./json.ts";
import { type DeclaredTool, type DecodedRequest, turnSignature } from "./turn.ts";

/** A call as a message contains it. */
export interface ListedCall {
  readonly id: string;
  readonly name?: string;
  readonly arguments?: unknown;
}

/** The differences between the APIs whose requests are a list of messages. */
export interface MessageListApi {
  readonly toolOf: (tool: Fields) => DeclaredTool | undefined;
  readonly callsOf: (message: Fields) => readonly ListedCall[];
  readonly readResults: (message: Fields, history: HistoryReader) => void;
}

/** Decodes such a request. Unknown roles, parts and fields are ignored. */
export function decodeMessageList(body: unknown, api: MessageListApi): DecodedRequest | undefined {
  if (!isObject(body) || !Array.isArray(body.messages)) return undefined;
  const messages = objects(body.messages);
  const history = new HistoryReader();
  const prompts: HistoryPrompt[] = [];
  for (const [index, message] of body.messages.entries()) {
    if (!isObject(message)) continue;
    history.at(index);
    history.message();
    if (message.role === "user" && isHumanMessage(message.content))
      prompts.push({ content: message.content, calls: history.size });
    for (const { id, name, arguments: args } of api.callsOf(message)) history.call(id, name, args);
    api.readResults(message, history);
  }
  const firstUser = messages.find(({ role }) => role === "user");
  const firstAssistant = messages.find(({ role }) => role === "assistant");
  return omitUndefined({
    model: text(body.model),
    streaming: body.stream === true,
    messageCount: messages.length,
    tools: objects(body.tools).flatMap((tool) => api.toolOf(tool) ?? []),
    calls: history.end(),
    prompts,
    firstUserText: messageText(firstUser?.content),
    firstTurn:
      firstAssistant === undefined
        ? undefined
        : turnSignature(api.callsOf(firstAssistant), messageText(firstAssistant.content)),
  });
}
