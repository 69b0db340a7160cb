import type { ContextText } from "../../recover/index.ts";
import { type Fields, isObject, objects, parseJson, text } from "../../wire/json.ts";
import { requestTools } from "../client-tools.ts";
import { contextTexts } from "../context-texts.ts";
import { argumentsText } from "../eligibility.ts";
import { memberSpans } from "../json/json-spans.ts";
import type { RepairSettings } from "../read-request.ts";
import { allowedBy } from "../repair-policy.ts";
import { TextSegment } from "../text-segment.ts";
import type { Api, ClientTool } from "../types.ts";
import { isContinued, orphanResults } from "./history-items.ts";
import { type ItemChange, writeHistory } from "./write-history.ts";

/** A request whose history no longer shows the model how to leak. */
export interface CleanedHistory {
  readonly text: string;
  /** How many calls were taken out of texts. */
  readonly calls: number;
}

export type CleanSettings = Pick<RepairSettings, "allow" | "deny" | "maxCandidate" | "strictCommands">;

/** More was given before a message than leaks in it are compared with: it is left alone. */
const MAX_CONTEXT_CHARS = 4 << 20;
/** How much is compared a second time. */
const MAX_COMPARED_CHARS = 8 << 20;
/** So many texts with leaks are looked at, from the front: each is compared with all that was given. */
const MAX_TEXTS = 400;

/**
 * Takes leaked calls of declared tools out of the model's own messages: one leak in a history makes the next more likely. What becomes of a
 * message depends on it, on what stands before it and on its results alone, so that the beginning of a conversation is the same text in every
 * request. Undefined: nothing to clean.
 */
export function cleanHistory(api: Api, source: string, settings: CleanSettings = {}): CleanedHistory | undefined {
  const body = parseJson(source);
  const field = api === "responses" ? "input" : "messages";
  if (!isObject(body) || !Array.isArray(body[field])) return undefined;
  const { client } = requestTools(api, body);
  if (client.length === 0) return undefined;
  const list = body[field] as readonly unknown[];
  const changes = findChanges(api, body, list, client, settings);
  const start = memberSpans(source, 0)?.get(field)?.start;
  if (changes.size === 0 || start === undefined) return undefined;
  const calls = [...changes.values()].reduce((sum, { found }) => sum + found, 0);
  return { text: writeHistory(api, source, start, list, changes), calls };
}

function findChanges(
  api: Api,
  body: Fields,
  list: readonly unknown[],
  client: readonly ClientTool[],
  { allow = [], deny = [], maxCandidate, strictCommands }: CleanSettings,
): ReadonlyMap<number, ItemChange> {
  const tools = new Map(client.map((tool) => [tool.name, tool]));
  const options = {
    tools: client,
    names: "known",
    isAllowed: allowedBy(allow, deny),
    parallel: true,
    randomAlphanumeric: () => "",
    ...(maxCandidate !== undefined && { maxCandidate }),
    ...(strictCommands !== undefined && { strictCommands }),
  } as const;
  const given = new GivenTexts(api, body, list);
  const readUnit = (words: string, context: readonly ContextText[]): TextSegment => {
    const unit = new TextSegment({ api, options: { ...options, context: () => context }, tools }, () => undefined);
    unit.push(words);
    unit.end();
    return unit;
  };
  // With thinking on, a turn with calls must begin with thoughts, and these had none. Other kinds of tools are not called by one name and JSON.
  const thinks = isObject(body.thinking) && body.thinking.type !== "disabled";
  const canCall = (name: string): boolean => {
    const tool = tools.get(name);
    return !thinks && tool !== undefined && tool.custom !== true && tool.namespace === undefined;
  };
  const changes = new Map<number, ItemChange>();
  let looked = 0;
  // Not the last message: the model goes on from it.
  for (const [index, item] of list.slice(0, -1).entries()) {
    if (!isObject(item) || item.role !== "assistant" || isContinued(api, list, index)) continue;
    const texts = leakyTexts(item, (words) => {
      if (looked >= MAX_TEXTS || !given.isKnownBefore(index)) return undefined;
      const unit = readUnit(words, given.all);
      if (unit.accepted.length + unit.unrepaired.length > 0) looked += 1;
      // Only what was given before it makes it a quotation, not what came later.
      return unit.unrepaired.some(({ reason }) => reason === "echo") ? readUnit(words, given.before(index)) : unit;
    });
    if (texts.size > 0) changes.set(index, changeOf(texts, orphanResults(api, list, index), canCall));
  }
  return changes;
}

/** The texts of a message that hold calls, by their place in it; -1: the content is one text. */
function leakyTexts(
  { content }: Fields,
  unitOf: (words: string) => TextSegment | undefined,
): ReadonlyMap<number, TextSegment> {
  const texts = new Map<number, TextSegment>();
  const read = (at: number, words: string): void => {
    const unit = unitOf(words);
    if (unit !== undefined && unit.accepted.length > 0) texts.set(at, unit);
  };
  if (typeof content === "string") read(-1, content);
  for (const [at, block] of (Array.isArray(content) ? (content as readonly unknown[]) : []).entries()) {
    if (!isObject(block) || objects(block.citations).length > 0 || objects(block.annotations).length > 0) continue;
    if (block.type === "text" || block.type === "output_text") read(at, text(block.text) ?? "");
  }
  return texts;
}

/** A leak becomes a call only where its result stands behind it; a call without one would be refused. */
function changeOf(
  texts: ReadonlyMap<number, TextSegment>,
  results: readonly string[],
  canCall: (name: string) => boolean,
): ItemChange {
  const found = [...texts.values()].flatMap(({ accepted }) => accepted.flatMap(({ calls }) => calls));
  const answered = results.length === found.length && found.every(({ name }) => canCall(name));
  const calls = found.map((call, at) => ({
    id: results[at] as string,
    name: call.name,
    arguments: argumentsText(call),
  }));
  return { texts, calls: answered ? calls : [], found: found.length };
}

/** What the model was given, and what of it before a place in the history. */
class GivenTexts {
  /** Up to a bound, counted from the front, so that it is the same place in every request. */
  readonly all: readonly ContextText[];
  /** How many of these stand before each message; fewer entries than messages where the bound was reached. */
  readonly #counts: number[] = [];
  #compared = 0;

  constructor(api: Api, { system, instructions }: Fields, list: readonly unknown[]) {
    const texts = [...(contextTexts(api, { system, instructions }, MAX_CONTEXT_CHARS) ?? [])];
    let size = texts.reduce((sum, { text }) => sum + text.length, 0);
    for (const item of list) {
      if (size > MAX_CONTEXT_CHARS) break;
      this.#counts.push(texts.length);
      const own = contextTexts(api, api === "responses" ? { input: [item] } : { messages: [item] }, MAX_CONTEXT_CHARS);
      size = own === undefined ? Number.POSITIVE_INFINITY : own.reduce((sum, { text }) => sum + text.length, size);
      for (const text of own ?? []) texts.push(text);
    }
    // Frozen, so that it is prepared once for all texts of the model.
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
