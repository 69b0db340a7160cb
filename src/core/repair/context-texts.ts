import { writtenCall } from "../model/call-object.ts";
import type { ContextText } from "../recover/types.ts";
import { field, partsOf } from "../wire/gemini/fields.ts";
import { type Fields, isObject, objects, text } from "../wire/json.ts";
import type { Api } from "./types.ts";

type Role = ContextText["role"];

/**
 * Nested strings shorter than this cannot contain a call. Message texts have no minimum: they may be part of a call.
 */
const MIN_STRING_CHARS = 12;
/** Deeper than any real message. */
const MAX_DEPTH = 12;
/** Items written by the model itself: repeating them is not an echo. */
const MODEL_ITEMS = new Set<unknown>([
  ...["function_call", "custom_tool_call", "reasoning", "local_shell_call", "shell_call", "apply_patch_call"],
  ...["computer_call", "item_reference"],
]);
/** Fields with the result in items that contain both a call of a provider tool and its result. */
const RESULT_FIELDS = ["output", "outputs", "result", "results", "error", "content"];
/** Fields without prose. */
const ID_FIELDS = new Set([
  ...["id", "type", "role", "status", "cache_control", "call_id", "tool_call_id", "tool_use_id"],
  ...["toolCallId", "toolName", "providerOptions"],
]);
const SYSTEM_ROLES = new Set<unknown>(["system", "developer"]);
const TOOL_ROLES = new Set<unknown>(["tool", "function"]);

/**
 * The texts a request gave the model, in order and with their role: results, user and system messages. Undefined if
 * they exceed `maxChars`. Tool descriptions come from the declarations, see `toolTexts`.
 */
export function contextTexts(api: Api, body: Fields, maxChars: number): readonly ContextText[] | undefined {
  const texts = new Texts(maxChars);
  if (api === "gemini") {
    addContents(texts, body);
    return texts.isFull ? undefined : texts.list;
  }
  if (api === "anthropic") texts.add("system", body.system);
  if (api === "responses") {
    texts.add("system", body.instructions);
    if (typeof body.input === "string") texts.add("user", body.input);
  }
  for (const item of objects(api === "responses" ? body.input : body.messages)) {
    if (api === "responses" && item.role === undefined) addItem(texts, item);
    else if (api === "ollama") addMessage(texts, { role: item.role, content: item.content });
    else addMessage(texts, item);
  }
  return texts.isFull ? undefined : texts.list;
}

function addMessage(texts: Texts, { role, content, ...rest }: Fields): void {
  if (role === "assistant") {
    // The provider ran these tools itself: their blocks are results although the assistant's message contains them.
    for (const block of objects(content)) if (isResult(block)) texts.add("tool", block);
    return;
  }
  const ownRole = SYSTEM_ROLES.has(role) ? "system" : TOOL_ROLES.has(role) ? "tool" : "user";
  for (const part of Array.isArray(content) ? content : [content])
    texts.add(isObject(part) && isResult(part) ? "tool" : ownRole, part);
  texts.add(ownRole, rest);
}

/** Text written by the model is not context, but results of tools that the provider ran are. */
function addContents(texts: Texts, body: Fields): void {
  for (const part of partsOf(field(body, "systemInstruction"))) texts.add("system", part);
  for (const content of objects(body.contents)) {
    for (const part of partsOf(content).filter(isObject)) {
      const result =
        field(part, "functionResponse") ?? field(part, "toolResponse") ?? field(part, "codeExecutionResult");
      if (result !== undefined) texts.add("tool", result);
      else if (content.role !== "model") texts.add("user", text(part.text) ?? "");
    }
  }
}

function isResult({ type }: Fields): boolean {
  return typeof type === "string" && (type.endsWith("tool_result") || type === "tool-result");
}

function addItem(texts: Texts, item: Fields): void {
  if (MODEL_ITEMS.has(item.type)) return;
  const isCall = typeof item.type === "string" && item.type.endsWith("_call");
  if (!isCall) texts.add("tool", item);
  else for (const field of RESULT_FIELDS) texts.add("tool", item[field]);
}

/** Collects texts up to a limit. */
class Texts {
  readonly list: ContextText[] = [];
  readonly #maxChars: number;
  #chars = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get isFull(): boolean {
    return this.#chars > this.#maxChars;
  }

  add(role: Role, value: unknown): void {
    if (typeof value === "string") this.#push(role, value);
    else if (isObject(value) && typeof value.text === "string" && !isBinary(value)) this.#push(role, value.text);
    else this.#walk(role, value, 0);
  }

  #walk(role: Role, value: unknown, depth: number): void {
    if (this.isFull || depth > MAX_DEPTH) return;
    if (typeof value === "string") {
      if (value.length >= MIN_STRING_CHARS) this.#push(role, value);
    } else if (Array.isArray(value)) for (const item of value) this.#walk(role, item, depth + 1);
    else if (isObject(value) && !isBinary(value)) {
      const call = writtenCall(value);
      if (call !== undefined) this.#push(role, call);
      else for (const name in value) if (!ID_FIELDS.has(name)) this.#walk(role, value[name], depth + 1);
    }
  }

  #push(role: Role, text: string): void {
    if (text === "") return;
    this.#chars += text.length;
    this.list.push(Object.freeze({ role, text }));
  }
}

/** Images and files contain no prose. */
function isBinary(value: Fields): boolean {
  return (
    value.type === "base64" || value.type === "image" || value.type === "image_url" || value.type === "input_image"
  );
}
