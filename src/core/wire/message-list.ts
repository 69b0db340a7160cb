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
  const { messages } = body;
  const reading = readingOf(messages, api);
  const { history, prompts } = reading;
  let messageCount = reading.start;
  // If reading fails, nothing of this list is known.
  reading.messages = NO_MESSAGES;
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
  // Only where all are messages, their number is also the position of the next one.
  if (messageCount === messages.length) reading.messages = messages;
  const firstUser = firstOf(messages, "user");
  const firstAssistant = firstOf(messages, "assistant");
  return omitUndefined({
    model: text(body.model),
    streaming: body.stream === true,
    messageCount,
    tools: toolsOf(body.tools, api),
    calls: history.end(),
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

/** What was read of a list of messages, and where the next one differs. */
interface Reading {
  readonly callsOf: MessageListApi["callsOf"];
  readonly history: HistoryReader;
  readonly prompts: { readonly at: number; readonly prompt: HistoryPrompt }[];
  messages: readonly unknown[];
  start: number;
}

const NO_MESSAGES: readonly unknown[] = [];

/**
 * By the first message of a frozen list. A proxy that remembers a conversation decodes the same messages with every
 * request; only those that follow them are read. So whoever freezes a list must not change its messages either.
 */
const READINGS = new WeakMap<object, Reading>();

/** Returns the reading of an earlier list, rewound to where this one differs. */
function readingOf(messages: readonly unknown[], { callsOf }: MessageListApi): Reading {
  const [first] = messages;
  const isKept = isObject(first) && isObject(messages.at(-1)) && Object.isFrozen(messages);
  const known = isKept ? READINGS.get(first) : undefined;
  if (known?.callsOf !== callsOf) {
    const reading: Reading = { callsOf, history: new HistoryReader(), prompts: [], messages: NO_MESSAGES, start: 0 };
    if (isKept) READINGS.set(first, reading);
    return reading;
  }
  // The last message is read again, because what is open depends on it.
  const last = Math.min(known.messages.length, messages.length - 1);
  let end = 0;
  while (end < last && known.messages[end] === messages[end]) end += 1;
  known.start = end;
  known.history.rewind(end);
  while ((known.prompts.at(-1)?.at ?? -1) >= end) known.prompts.pop();
  return known;
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
