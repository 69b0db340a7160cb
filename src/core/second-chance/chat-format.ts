import { present } from "../model/narrow.ts";
import { Edits, memberSpans, spanAt } from "../repair/json/json-spans.ts";
import { rebuildObject } from "../repair/json/rebuild-object.ts";
import { generateChunk } from "../repair/stream/chat-stream.ts";
import { jsonOf, newEvent, withData } from "../repair/stream/sse-frame.ts";
import type { StreamFrame } from "../repair/types.ts";
import { isDone } from "../wire/done-event.ts";
import { count, type Fields, isArray, isObject, objects, parseJsonBody, text } from "../wire/json.ts";
import { acceptableArguments, appendToList, isAcceptable } from "./json-parts.ts";
import type {
  Attempt,
  AttemptCall,
  AttemptFormat,
  AttemptReader,
  EventHandling,
  HopelessCall,
  JoinedAttempt,
  Part,
} from "./types.ts";

/** Fields of a message that cannot be copied into another response. Reasoning keeps its place. */
const OTHER_FIELDS = ["function_call", "audio", "annotations", "refusal", "images"] as const;

function hasOtherFields(message: Fields): boolean {
  return OTHER_FIELDS.some((name) => {
    const value = message[name];
    return value !== undefined && value !== null && value !== "" && !(isArray(value) && value.length === 0);
  });
}

function callPart(item: Fields, args: string): Part {
  const called = isObject(item.function) ? item.function : {};
  const call = { id: text(item.id) ?? "", name: text(called.name) ?? "", arguments: args };
  return { kind: "call", item, call: { ...call, isCustom: item.type === "custom" } };
}

function textPart(written: string): readonly Part[] {
  return written === "" ? [] : [{ kind: "text", item: {}, text: written }];
}

function readBody(source: string): Attempt | undefined {
  const body = parseJsonBody(source);
  const choices = isObject(body) ? objects(body.choices) : [];
  const [choice] = choices;
  if (!isObject(body) || choice === undefined || !isObject(choice.message)) return undefined;
  const { message } = choice;
  const isPlainText = message.content === undefined || message.content === null || typeof message.content === "string";
  const calls = objects(message.tool_calls).map((item) => {
    const args = isObject(item.function) ? item.function.arguments : undefined;
    return callPart(item, typeof args === "string" ? args : JSON.stringify(args ?? ""));
  });
  return {
    parts: [...textPart(text(message.content) ?? ""), ...calls],
    stopReason: text(choice.finish_reason),
    usage: isObject(body.usage) ? body.usage : undefined,
    hasOther: choices.length > 1 || !isPlainText || hasOtherFields(message) || isObject(choice.logprobs),
    isComplete: true,
  };
}

interface OpenCall {
  item: Fields;
  readonly texts: string[];
}

class ChatReader implements AttemptReader {
  readonly #texts: string[] = [];
  readonly #calls = new Map<number, OpenCall>();
  /** Incomplete calls. */
  readonly #open: OpenCall[] = [];
  readonly finishedCalls: AttemptCall[] = [];
  #stopReason: string | undefined;
  #usage: Fields | undefined;
  #hasOther = false;

  push(frame: StreamFrame): EventHandling {
    if (!isDone(frame.data)) {
      const event = jsonOf(frame);
      if (isObject(event)) this.#read(event);
    }
    return this.#hasOther ? "release" : this.#calls.size > 0 ? "hold" : "pass";
  }

  #read(event: Fields): void {
    if (isObject(event.usage)) this.#usage = event.usage;
    const choices = objects(event.choices);
    const [choice] = choices;
    if ((event.error ?? null) !== null || choices.length > 1) this.#hasOther = true;
    if (choice === undefined) return;
    const delta = isObject(choice.delta) ? choice.delta : {};
    if ((count(choice.index) ?? 0) !== 0 || hasOtherFields(delta) || isObject(choice.logprobs)) this.#hasOther = true;
    if (typeof delta.content === "string") this.#texts.push(delta.content);
    else if ((delta.content ?? null) !== null) this.#hasOther = true;
    for (const [at, entry] of objects(delta.tool_calls).entries()) this.#readCall(entry, at);
    if (typeof choice.finish_reason !== "string") return;
    this.#stopReason ??= choice.finish_reason;
    this.#finish();
  }

  #readCall(entry: Fields, at: number): void {
    const index = count(entry.index) ?? at;
    const called = isObject(entry.function) ? entry.function : {};
    const open = this.#calls.get(index);
    // Only repair can distinguish several calls with one index. Nothing may follow the end of the turn.
    if ((open !== undefined && isOther(entry.id, open.item.id)) || this.#stopReason !== undefined)
      this.#hasOther = true;
    if (open === undefined) {
      this.#finish();
      const call: OpenCall = { item: entry, texts: [text(called.arguments) ?? ""] };
      this.#calls.set(index, call);
      this.#open.push(call);
      return;
    }
    open.texts.push(text(called.arguments) ?? "");
    const before = isObject(open.item.function) ? open.item.function : {};
    const name = text(before.name) || text(called.name);
    open.item = { ...entry, ...open.item, function: { ...before, ...(name !== undefined && { name }) } };
  }

  /** Calls arrive one after another: those before the newest one are complete. */
  #finish(): void {
    for (const open of this.#open.splice(0)) {
      const part = this.#part(open);
      if (part.kind === "call") this.finishedCalls.push(part.call);
    }
  }

  #part({ item, texts }: OpenCall): Part {
    const called = isObject(item.function) ? item.function : {};
    const args = texts.join("");
    const { index: _index, ...rest } = item;
    return callPart({ type: "function", ...rest, function: { ...called, arguments: args } }, args);
  }

  end(): Attempt {
    const calls = [...this.#calls.values()].map((open) => this.#part(open));
    return {
      parts: [...textPart(this.#texts.join("")), ...calls],
      stopReason: this.#stopReason,
      usage: this.#usage,
      hasOther: this.#hasOther,
      isComplete: this.#stopReason !== undefined,
    };
  }
}

function isOther(id: unknown, before: unknown): boolean {
  return typeof id === "string" && id !== "" && typeof before === "string" && id !== before;
}

function appendTurn(source: string, { parts }: Attempt, results: readonly HopelessCall[]): string | undefined {
  const body = parseJsonBody(source);
  const last = isObject(body) && isArray(body.messages) ? body.messages.at(-1) : undefined;
  // The model continued a message that the client began.
  if (!isObject(last) || last.role === "assistant") return undefined;
  if (!results.every(({ call }) => isAcceptable(call))) return undefined;
  const calls = parts.flatMap((part) => {
    if (part.kind !== "call") return [];
    const called = isObject(part.item.function) ? part.item.function : {};
    return [{ ...part.item, function: { ...called, arguments: acceptableArguments(part.call) } }];
  });
  const turn = { role: "assistant", content: textOf(parts) || null, tool_calls: calls };
  const errors = results.map(({ call, message }) => ({ role: "tool", tool_call_id: call.id, content: message }));
  return appendToList(
    source,
    "messages",
    [turn, ...errors].map((message) => JSON.stringify(message)),
  );
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}

/** The text of the second response, separated from that of the first. */
function addedText({ kept, added }: JoinedAttempt): string {
  const written = textOf(added);
  return written === "" || textOf(kept) === "" ? written : `\n\n${written}`;
}

function addedCalls({ added }: JoinedAttempt): readonly Fields[] {
  return added.flatMap((part) => (part.kind === "call" ? [part.item] : []));
}

function joinBody(source: string, joined: JoinedAttempt): string {
  const choice = spanAt(source, ["choices", 0]);
  const message = choice && memberSpans(source, choice.start)?.get("message");
  const stop = choice && memberSpans(source, choice.start)?.get("finish_reason");
  if (message === undefined || stop === undefined) throw new Error("Not a Chat Completions response");
  const calls = addedCalls(joined);
  const content = textOf(joined.kept) + addedText(joined);
  const edits = new Edits();
  const changes = new Map([
    ["content", JSON.stringify(content === "" ? null : content)],
    ["tool_calls", calls.length === 0 ? undefined : JSON.stringify(calls)],
  ]);
  edits.replace(message, rebuildObject(source, message.start, changes));
  edits.replace(stop, JSON.stringify(joined.stopReason ?? null));
  const usage = memberSpans(source, 0)?.get("usage");
  if (usage !== undefined && joined.usage !== undefined) edits.replace(usage, JSON.stringify(joined.usage));
  return edits.apply(source);
}

function joinStream(held: readonly StreamFrame[], joined: JoinedAttempt): readonly Uint8Array[] {
  const template = present(held.find((frame) => isObject(jsonOf(frame)))?.data);
  const chunk = (delta: Fields): Uint8Array =>
    newEvent(generateChunk(template, `{"index":0,"delta":${JSON.stringify(delta)},"finish_reason":null}`));
  const out: Uint8Array[] = [];
  // Text from the chunks that also contained calls.
  const content = held.map(contentOf).join("") + addedText(joined);
  if (content !== "") out.push(chunk({ content }));
  for (const [index, item] of addedCalls(joined).entries()) out.push(chunk({ tool_calls: [{ index, ...item }] }));
  for (const frame of held) {
    const last = isDone(frame.data) ? frame.raw : finalChunk(frame, joined);
    if (last !== undefined) out.push(last);
  }
  return out;
}

function contentOf(frame: StreamFrame): string {
  const event = isDone(frame.data) ? undefined : jsonOf(frame);
  const [choice] = isObject(event) ? objects(event.choices) : [];
  return choice !== undefined && isObject(choice.delta) ? (text(choice.delta.content) ?? "") : "";
}

/** A chunk with the finish reason or the usage; undefined for other chunks. */
function finalChunk(frame: StreamFrame, { stopReason, usage }: JoinedAttempt): Uint8Array | undefined {
  const event = jsonOf(frame);
  if (!isObject(event)) return undefined;
  const [choice] = objects(event.choices);
  const finishes = choice !== undefined && typeof choice.finish_reason === "string";
  if (!finishes && (choice !== undefined || !isObject(event.usage))) return undefined;
  const data = present(frame.data);
  const edits = new Edits();
  const delta = spanAt(data, ["choices", 0, "delta"]);
  const stop = spanAt(data, ["choices", 0, "finish_reason"]);
  const counts = spanAt(data, ["usage"]);
  if (finishes && delta !== undefined) edits.replace(delta, "{}");
  if (finishes && stop !== undefined) edits.replace(stop, JSON.stringify(stopReason ?? null));
  if (counts !== undefined && isObject(event.usage) && usage !== undefined)
    edits.replace(counts, JSON.stringify(usage));
  return withData(frame, edits.apply(data));
}

export const chatFormat: AttemptFormat = {
  readBody,
  createReader: () => new ChatReader(),
  appendTurn,
  joinBody,
  joinStream,
};
