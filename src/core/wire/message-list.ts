import { HistoryReader } from "./history.ts";
import { type HistoryPrompt, isHumanMessage } from "./human-prompt.ts";
import { type Fields, isObject, messageText, objects, omitUndefined, text } from "./json.ts";
import { type DeclaredTool, type DecodedRequest, turnSignature } from "./turn.ts";

/** A call as a message contains it. */
export interface ListedCall {
  readonly id: string;
  readonly name: string | undefined;
  readonly arguments: unknown;
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
  const history = new HistoryReader();
  const prompts: HistoryPrompt[] = [];
  let messageCount = 0;
  let firstUser: Fields | undefined;
  let firstAssistant: Fields | undefined;
  const { messages } = body;
  for (let index = 0; index < messages.length; index += 1) {
    const message: unknown = messages[index];
    if (!isObject(message)) continue;
    messageCount += 1;
    history.at(index);
    history.message();
    if (message.role === "user") {
      firstUser ??= message;
      if (isHumanMessage(message.content)) prompts.push({ content: message.content, calls: history.size });
    } else if (message.role === "assistant") firstAssistant ??= message;
    for (const { id, name, arguments: args } of api.callsOf(message)) history.call(id, name, args);
    api.readResults(message, history);
  }
  return omitUndefined({
    model: text(body.model),
    streaming: body.stream === true,
    messageCount,
    tools: toolsOf(body.tools, api),
    calls: history.end(),
    prompts,
    firstUserText: messageText(firstUser?.content),
    firstTurn:
      firstAssistant === undefined
        ? undefined
        : turnSignature(api.callsOf(firstAssistant), messageText(firstAssistant.content)),
  });
}

interface KnownTools {
  readonly toolOf: MessageListApi["toolOf"];
  readonly tools: readonly DeclaredTool[];
}

/** For frozen lists: a proxy that caches a conversation decodes the same list repeatedly. */
const KNOWN_TOOLS = new WeakMap<object, KnownTools>();

function toolsOf(list: unknown, { toolOf }: MessageListApi): readonly DeclaredTool[] {
  if (!Array.isArray(list)) return [];
  const known = KNOWN_TOOLS.get(list);
  if (known?.toolOf === toolOf) return known.tools;
  const tools = objects(list).flatMap((tool) => toolOf(tool) ?? []);
  if (Object.isFrozen(list)) KNOWN_TOOLS.set(list, { toolOf, tools });
  return tools;
}
