import { HistoryReader } from "../history.ts";
import { type HistoryPrompt, isHumanMessage } from "../human-prompt.ts";
import { type Fields, isObject, objects, omitUndefined, text } from "../json.ts";
import { type DecodedRequest, turnSignature } from "../turn.ts";
import { callOf, type ItemCall, isMessage, itemText, resultOf, toolsOf } from "./items.ts";

/** Items that declare tools within a history: tools of a client mode, and tools found by a search. */
const TOOL_ITEMS = new Set<unknown>(["additional_tools", "tool_search_output"]);

/** Decodes a Responses request. Unknown items and fields are ignored. */
export function decodeRequest(body: unknown): DecodedRequest | undefined {
  if (!isObject(body)) return undefined;
  const items = itemsOf(body.input);
  if (items === undefined) return undefined;
  const history = new HistoryReader();
  const prompts: HistoryPrompt[] = [];
  for (const item of items) {
    if (item.role === "user" && isMessage(item) && isHumanMessage(item.content))
      prompts.push({ content: item.content, calls: history.size });
    readItem(item, history);
  }
  const firstUser = items.find((item) => isMessage(item) && item.role === "user");
  return omitUndefined({
    model: text(body.model),
    streaming: body.stream === true,
    messageCount: items.length,
    tools: [...toolsOf(body.tools), ...items.flatMap((item) => (TOOL_ITEMS.has(item.type) ? toolsOf(item.tools) : []))],
    calls: history.end(),
    prompts,
    firstUserText: firstUser === undefined ? "" : itemText(firstUser),
    firstTurn: firstTurn(items),
  });
}

/** A string is one user message. The input may be absent if the provider stores the conversation. */
function itemsOf(input: unknown): readonly Fields[] | undefined {
  if (input === undefined || input === null) return [];
  if (typeof input === "string") return [{ type: "message", role: "user", content: input }];
  return Array.isArray(input) ? objects(input) : undefined;
}

function readItem(item: Fields, history: HistoryReader): void {
  const call = callOf(item);
  // Parallel calls are separate items: a call after a call does not end the turn.
  if (call === undefined) history.message();
  else history.call(call.id, call.name, call.arguments);
  const result = resultOf(item);
  if (result === undefined) return;
  const { id, ...rest } = result;
  history.result(id, rest);
}

/** The items from the model's first one up to the first result or user message. */
function firstTurn(items: readonly Fields[]): string | undefined {
  const start = items.findIndex((item) => isAssistantMessage(item) || callOf(item) !== undefined);
  if (start === -1) return undefined;
  const calls: ItemCall[] = [];
  const texts: string[] = [];
  for (const item of items.slice(start)) {
    if (resultOf(item) !== undefined || (isMessage(item) && item.role !== "assistant")) break;
    const call = callOf(item);
    if (call !== undefined) calls.push(call);
    else if (isAssistantMessage(item)) texts.push(itemText(item));
  }
  return turnOf(calls, texts.join("\n"));
}

function isAssistantMessage(item: Fields): boolean {
  return isMessage(item) && item.role === "assistant";
}

/** Uses only the first call: some clients send call, output, call, output, which hides where the turn ended. */
export function turnOf(calls: readonly ItemCall[], text: string): string {
  return turnSignature(calls.slice(0, 1), text);
}
