import type { ContextText } from "../../recover/index.ts";
import { type Fields, isArray, isObject, objects, parseJsonBody, text } from "../../wire/json.ts";
import { type Api, type CleanableApi, historyField, isCleanable } from "../../wire/turn.ts";
import { requestTools } from "../client-tools.ts";
import { contextTexts } from "../context-texts.ts";
import { argumentsText } from "../eligibility.ts";
import { memberSpans } from "../json/json-spans.ts";
import { isThinking } from "../json/messages-json.ts";
import type { RepairSettings } from "../read-request.ts";
import { allowedBy } from "../repair-policy.ts";
import { TextSegment } from "../text-segment.ts";
import type { ClientTool } from "../types.ts";
import { type ItemChange, writeHistory } from "./write-history.ts";

/** A request whose history no longer contains leaked calls as examples. */
export interface CleanedHistory {
  readonly text: string;
  /** Number of calls removed from texts. */
  readonly calls: number;
}

export type CleanSettings = Pick<RepairSettings, "allow" | "deny" | "maxCandidateChars" | "strictCommands">;

/** Messages with more context before them than this are not cleaned: leaks are compared with all of the context. */
const MAX_CONTEXT_CHARS = 4 << 20;
/** Limit for the second comparison of leaks that look like echoes, over the whole request. */
const MAX_COMPARED_CHARS = 8 << 20;
/** Maximum number of texts with leaks that are examined, from the front: each is compared with the whole context. */
const MAX_LEAKY_TEXTS = 400;

/**
 * Removes leaked calls of declared tools from the model's own messages, because one leak in a history makes the next
 * more likely. The result for a message depends only on the message, what precedes it and its results. The start of a
 * conversation is therefore identical in every request, and the provider's cache stays valid. Returns undefined if
 * there is nothing to clean.
 */
export function cleanHistory(api: Api, source: string, settings: CleanSettings = {}): CleanedHistory | undefined {
  if (!isCleanable(api)) return undefined;
  const body = parseJsonBody(source);
  const field = historyField(api);
  const list = isObject(body) ? body[field] : undefined;
  if (!isObject(body) || !isArray(list)) return undefined;
  const { client } = requestTools(api, body);
  if (client.length === 0) return undefined;
  const changes = findChanges(api, body, list, client, settings);
  const start = memberSpans(source, 0)?.get(field)?.start;
  if (changes.size === 0 || start === undefined) return undefined;
  const calls = [...changes.values()].reduce((sum, { found }) => sum + found, 0);
  return { text: writeHistory(api, source, start, list, changes), calls };
}

function findChanges(
  api: CleanableApi,
  body: Fields,
  list: readonly unknown[],
  client: readonly ClientTool[],
  { allow = [], deny = [], maxCandidateChars, strictCommands }: CleanSettings,
): ReadonlyMap<number, ItemChange> {
  const tools = new Map(client.map((tool) => [tool.name, tool]));
  const options = {
    tools: client,
    names: "known",
    isAllowed: allowedBy(allow, deny),
    parallel: true,
    randomAlphanumeric: () => "",
    ...(maxCandidateChars !== undefined && { maxCandidateChars }),
    ...(strictCommands !== undefined && { strictCommands }),
  } as const;
  const promptTexts = new PromptTexts(api, body, list);
  const readSegment = (source: string, context: readonly ContextText[]): TextSegment => {
    const segment = new TextSegment({ api, options: { ...options, context: () => context }, tools }, () => undefined);
    segment.push(source);
    segment.end();
    return segment;
  };
  // With thinking enabled, a turn with calls must start with thinking, and these turns did not. Custom and namespaced
  // tools need more than a name and JSON.
  const thinks = isObject(body.thinking) && body.thinking.type !== "disabled";
  const canCall = (name: string): boolean => {
    const tool = tools.get(name);
    return !thinks && tool !== undefined && tool.custom !== true && tool.namespace === undefined;
  };
  const changes = new Map<number, ItemChange>();
  let examined = 0;
  // The last message is skipped: the model continues it.
  for (const [index, item] of list.slice(0, -1).entries()) {
    if (!isObject(item) || item.role !== "assistant" || isContinued(api, list, index)) continue;
    const texts = leakyTexts(item, (source) => {
      if (examined >= MAX_LEAKY_TEXTS || !promptTexts.isKnownBefore(index)) return undefined;
      const segment = readSegment(source, promptTexts.all);
      if (segment.accepted.length + segment.unrepaired.length > 0) examined += 1;
      // Only texts before the message make it an echo, not later ones.
      return segment.unrepaired.some(({ reason }) => reason === "echo")
        ? readSegment(source, promptTexts.before(index))
        : segment;
    });
    if (texts.size > 0) changes.set(index, changeOf(texts, orphanResults(api, list, index), canCall));
  }
  return changes;
}

/** The texts of a message that contain leaks, by block index; -1 if the content is a string. */
function leakyTexts(
  { content }: Fields,
  segmentOf: (source: string) => TextSegment | undefined,
): ReadonlyMap<number, TextSegment> {
  const texts = new Map<number, TextSegment>();
  const read = (at: number, source: string): void => {
    const segment = segmentOf(source);
    if (segment !== undefined && segment.accepted.length > 0) texts.set(at, segment);
  };
  if (typeof content === "string") read(-1, content);
  for (const [at, block] of isArray(content) ? content.entries() : []) {
    if (!isObject(block) || objects(block.citations).length > 0 || objects(block.annotations).length > 0) continue;
    if (block.type === "text" || block.type === "output_text") read(at, text(block.text) ?? "");
  }
  return texts;
}

/** Replaces leaks by calls only if each has a result after the message: a call without a result would be rejected. */
function changeOf(
  texts: ReadonlyMap<number, TextSegment>,
  results: readonly string[],
  canCall: (name: string) => boolean,
): ItemChange {
  const found = [...texts.values()].flatMap(({ accepted }) => accepted.flatMap(({ calls }) => calls));
  const hasResults = results.length === found.length && found.every(({ name }) => canCall(name));
  const calls = found.map((call, at) => ({
    id: results[at] ?? "",
    name: call.name,
    arguments: argumentsText(call),
  }));
  return { texts, calls: hasResults ? calls : [], found: found.length };
}

/** The texts the model was given, and those that precede a message. */
class PromptTexts {
  /** Limited from the front, so that the limit falls on the same message in every request. */
  readonly all: readonly ContextText[];
  /** Number of texts before each message; shorter than the list of messages if the limit was reached. */
  readonly #counts: number[] = [];
  #compared = 0;

  constructor(api: CleanableApi, { system, instructions }: Fields, list: readonly unknown[]) {
    const texts = [...(contextTexts(api, { system, instructions }, MAX_CONTEXT_CHARS) ?? [])];
    let size = texts.reduce((sum, { text }) => sum + text.length, 0);
    for (const item of list) {
      if (size > MAX_CONTEXT_CHARS) break;
      this.#counts.push(texts.length);
      const own = contextTexts(api, api === "responses" ? { input: [item] } : { messages: [item] }, MAX_CONTEXT_CHARS);
      size = own === undefined ? Number.POSITIVE_INFINITY : own.reduce((sum, { text }) => sum + text.length, size);
      for (const text of own ?? []) texts.push(text);
    }
    // Frozen, because the engine prepares a frozen context once for all texts.
    this.all = Object.freeze(texts);
  }

  isKnownBefore(index: number): boolean {
    return index < this.#counts.length && this.#compared <= MAX_COMPARED_CHARS;
  }

  before(index: number): readonly ContextText[] {
    const texts = this.all.slice(0, this.#counts[index]);
    this.#compared += texts.reduce((sum, { text }) => sum + text.length, 0);
    return texts;
  }
}

function itemOf(list: readonly unknown[], index: number): Fields {
  const item = list[index];
  return isObject(item) ? item : {};
}

/** Ids of results directly after a message that belong to no call. */
export function orphanResults(api: CleanableApi, list: readonly unknown[], index: number): readonly string[] {
  const knownIds = callIds(api, list, index);
  const results: string[] = [];
  for (const item of list.slice(index + 1)) {
    const ids = isObject(item) ? resultIds(api, item) : undefined;
    if (ids === undefined) break;
    for (const id of ids) if (!knownIds.has(id)) results.push(id);
    // A Messages request has all results of a turn in one message.
    if (api === "anthropic") break;
  }
  return [...new Set(results)];
}

/**
 * True if the turn continues after this message and contains reasoning: providers require such a turn back unchanged.
 * The items after a message never change, so this is the same in every request.
 */
export function isContinued(api: CleanableApi, list: readonly unknown[], index: number): boolean {
  const item = itemOf(list, index);
  const next = list[index + 1];
  if (api === "responses") {
    const before = list[index - 1];
    return isObject(before) && before.type === "reasoning";
  }
  // Results have no id: with another number of calls before them, they would belong to another call.
  if (api === "ollama") return isObject(next) && next.role === "tool";
  const continues = isObject(next) && (resultIds(api, next)?.length ?? 0) > 0;
  if (api === "anthropic") return continues && objects(item.content).some(isThinking);
  return continues && [item.reasoning_content, item.reasoning, item.reasoning_details].some((value) => value != null);
}

/** Ids of the calls that the results after a message may belong to. */
function callIds(api: CleanableApi, list: readonly unknown[], index: number): ReadonlySet<string> {
  const item = itemOf(list, index);
  switch (api) {
    case "anthropic":
      return new Set(objects(item.content).flatMap(({ type, id }) => (type === "tool_use" ? (text(id) ?? []) : [])));
    case "ollama":
      return new Set();
    case "chat":
      return new Set(objects(item.tool_calls).flatMap(({ id }) => text(id) ?? []));
    case "responses":
      return new Set(
        objects(list).flatMap(({ type, call_id }) => (text(type)?.endsWith("_call") ? (text(call_id) ?? []) : [])),
      );
  }
}

/** Ids of the results in an item; undefined if this kind of item cannot contain results. */
function resultIds(api: CleanableApi, item: Fields): readonly string[] | undefined {
  switch (api) {
    case "anthropic": {
      const results = objects(item.content).filter(({ type }) => type === "tool_result");
      return item.role === "user" ? results.flatMap(({ tool_use_id: id }) => text(id) ?? []) : undefined;
    }
    case "ollama":
      return undefined;
    case "chat":
      return item.role === "tool" ? [text(item.tool_call_id) ?? ""] : undefined;
    case "responses":
      return item.type === "function_call_output" ? [text(item.call_id) ?? ""] : undefined;
  }
}
