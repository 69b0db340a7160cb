import { HistoryReader, type ReadHistory } from "./history.ts";
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
  const { messages } = body;
  const known = knownStart(messages, api);
  const history = known === undefined ? new HistoryReader() : HistoryReader.resume(known.history, known.end);
  const prompts = known === undefined ? [] : known.prompts.filter(({ at }) => at < known.end);
  let messageCount = known?.end ?? 0;
  for (let index = messageCount; index < messages.length; index += 1) {
    const message: unknown = messages[index];
    if (!isObject(message)) continue;
    messageCount += 1;
    history.at(index);
    history.message();
    if (message.role === "user" && isHumanMessage(message.content))
      prompts.push({ at: index, prompt: { content: message.content, calls: history.size } });
    for (const { id, name, arguments: args } of api.callsOf(message)) history.call(id, name, args);
    api.readResults(message, history);
  }
  const calls = history.end();
  remember(messages, api, { history: history.read, prompts, messageCount });
  const firstUser = firstOf(messages, "user");
  const firstAssistant = firstOf(messages, "assistant");
  return omitUndefined({
    model: text(body.model),
    streaming: body.stream === true,
    messageCount,
    tools: toolsOf(body.tools, api),
    calls,
    prompts: prompts.map(({ prompt }) => prompt),
    firstUserText: messageText(firstUser?.content),
    firstTurn:
      firstAssistant === undefined
        ? undefined
        : turnSignature(api.callsOf(firstAssistant), messageText(firstAssistant.content)),
  });
}

function firstOf(messages: readonly unknown[], role: string): Fields | undefined {
  return messages.find((message): message is Fields => isObject(message) && message.role === role);
}

/** What was decoded of a list of messages, and where. */
interface DecodedMessages {
  readonly history: ReadHistory;
  readonly prompts: readonly { readonly at: number; readonly prompt: HistoryPrompt }[];
  readonly messageCount: number;
}

interface KnownMessages extends DecodedMessages {
  readonly callsOf: MessageListApi["callsOf"];
  readonly messages: readonly unknown[];
}

/**
 * By the first message of a frozen list. A proxy that remembers a conversation decodes the same messages with every
 * request; only those that follow them are read.
 */
const KNOWN_MESSAGES = new WeakMap<object, KnownMessages>();

function knownStart(
  messages: readonly unknown[],
  { callsOf }: MessageListApi,
): (DecodedMessages & { readonly end: number }) | undefined {
  const [first] = messages;
  const known = isObject(first) ? KNOWN_MESSAGES.get(first) : undefined;
  if (known?.callsOf !== callsOf || !Object.isFrozen(messages)) return undefined;
  // The last message is read again, because what is open depends on it.
  const last = Math.min(known.messages.length, messages.length - 1);
  let end = 0;
  while (end < last && known.messages[end] === messages[end]) end += 1;
  return { ...known, end };
}

function remember(messages: readonly unknown[], { callsOf }: MessageListApi, decoded: DecodedMessages): void {
  const [first] = messages;
  // Where all are messages, their number is also the position of the next one.
  if (isObject(first) && decoded.messageCount === messages.length && Object.isFrozen(messages))
    KNOWN_MESSAGES.set(first, { ...decoded, callsOf, messages });
}

interface KnownTools {
  readonly toolOf: MessageListApi["toolOf"];
  readonly tools: readonly DeclaredTool[];
}

/** Of frozen lists: a proxy that remembers a conversation decodes the same one again and again. */
const KNOWN_TOOLS = new WeakMap<object, KnownTools>();

function toolsOf(list: unknown, { toolOf }: MessageListApi): readonly DeclaredTool[] {
  if (!Array.isArray(list)) return [];
  const known = KNOWN_TOOLS.get(list);
  if (known?.toolOf === toolOf) return known.tools;
  const tools = objects(list).flatMap((tool) => toolOf(tool) ?? []);
  if (Object.isFrozen(list)) KNOWN_TOOLS.set(list, { toolOf, tools });
  return tools;
}
