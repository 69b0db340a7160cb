import { Edits, itemSpans, memberSpans, rebuildList, spanAt } from "../repair/json/json-spans.ts";
import { jsonOf, newEvent, withData } from "../repair/stream/sse-frame.ts";
import type { StreamFrame } from "../repair/types.ts";
import { count, type Fields, isArray, isObject, objects, parseJsonBody, text } from "../wire/json.ts";
import { acceptableArguments, appendToList, isAcceptable, numberIn } from "./json-parts.ts";
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

/** A content block; undefined for one that cannot be written into another response. */
function partOf(block: Fields, args: string): Part | undefined {
  switch (block.type) {
    case "text":
      if (objects(block.citations).length > 0) return undefined;
      return { kind: "text", item: block, text: text(block.text) ?? "" };
    case "thinking":
    case "redacted_thinking":
      return { kind: "thinking", item: block };
    case "tool_use": {
      const [id, name] = [text(block.id) ?? "", text(block.name) ?? ""];
      return { kind: "call", item: block, call: { id, name, arguments: args, isCustom: false } };
    }
    default:
      return undefined;
  }
}

function readBody(source: string): Attempt | undefined {
  const body = parseJsonBody(source);
  if (!isObject(body) || body.type !== "message" || !isArray(body.content)) return undefined;
  const spans = itemSpans(source, memberSpans(source, 0)?.get("content")?.start ?? 0) ?? [];
  const parts = body.content.map((block, index) => {
    const input = memberSpans(source, spans[index]?.start ?? 0)?.get("input");
    return isObject(block) ? partOf(block, input === undefined ? "" : source.slice(input.start, input.end)) : undefined;
  });
  const known = parts.filter((part) => part !== undefined);
  return {
    parts: known,
    stopReason: text(body.stop_reason),
    usage: isObject(body.usage) ? body.usage : undefined,
    hasOther: known.length < parts.length || hasTextAfterCall(known),
    isComplete: true,
  };
}

/** The order of kept and added blocks would be wrong. */
function hasTextAfterCall(parts: readonly Part[]): boolean {
  const first = parts.findIndex(({ kind }) => kind === "call");
  return first !== -1 && parts.slice(first).some(({ kind }) => kind !== "call");
}

/** The field of a block that each kind of delta continues. */
const DELTA_FIELDS: ReadonlyMap<string, readonly [delta: string, block: string]> = new Map([
  ["text_delta", ["text", "text"]],
  ["thinking_delta", ["thinking", "thinking"]],
  ["signature_delta", ["signature", "signature"]],
  ["input_json_delta", ["partial_json", "input"]],
]);

interface OpenBlock {
  readonly start: Fields;
  readonly texts: Map<string, string[]>;
}

class MessagesReader implements AttemptReader {
  readonly #blocks = new Map<number, OpenBlock>();
  readonly finishedCalls: AttemptCall[] = [];
  #stopReason: string | undefined;
  #usage: Fields | undefined;
  #hasOther = false;
  #isComplete = false;
  #holds = false;

  push(frame: StreamFrame): EventHandling {
    const event = jsonOf(frame);
    if (!isObject(event)) return this.#verdict;
    const index = count(event.index) ?? 0;
    switch (event.type) {
      case "message_start":
        if (isObject(event.message) && isObject(event.message.usage)) this.#usage = event.message.usage;
        break;
      case "content_block_start":
        this.#start(index, isObject(event.content_block) ? event.content_block : {});
        break;
      case "content_block_delta":
        this.#delta(index, isObject(event.delta) ? event.delta : {});
        break;
      case "content_block_stop": {
        const part = this.#partAt(index);
        if (part?.kind === "call") this.finishedCalls.push(part.call);
        break;
      }
      case "message_delta":
        if (isObject(event.delta)) this.#stopReason = text(event.delta.stop_reason) ?? this.#stopReason;
        // The counts of the last event are totals.
        if (isObject(event.usage)) this.#usage = { ...this.#usage, ...withoutNull(event.usage) };
        break;
      case "message_stop":
        this.#isComplete = true;
        break;
      case "error":
        this.#hasOther = true;
        break;
    }
    return this.#verdict;
  }

  get #verdict(): EventHandling {
    return this.#hasOther ? "release" : this.#holds ? "hold" : "pass";
  }

  #start(index: number, block: Fields): void {
    // Several blocks with one index cannot be distinguished.
    if (this.#blocks.has(index)) this.#hasOther = true;
    this.#blocks.set(index, { start: block, texts: new Map() });
    const part = partOf(block, "");
    if (part === undefined || (this.#holds && part.kind !== "call")) this.#hasOther = true;
    if (part?.kind === "call") this.#holds = true;
  }

  #delta(index: number, delta: Fields): void {
    const fields = DELTA_FIELDS.get(text(delta.type) ?? "");
    const open = this.#blocks.get(index);
    const written = fields === undefined ? undefined : text(delta[fields[0]]);
    // Held text would be lost with its call.
    const isHeldText = this.#holds && open?.start.type !== "tool_use";
    if (fields === undefined || open === undefined || written === undefined || isHeldText) {
      this.#hasOther = true;
      return;
    }
    const texts = open.texts.get(fields[1]);
    if (texts === undefined) open.texts.set(fields[1], [written]);
    else texts.push(written);
  }

  #partAt(index: number): Part | undefined {
    const open = this.#blocks.get(index);
    if (open === undefined) return undefined;
    const block: Record<string, unknown> = { ...open.start };
    let args = open.start.input === undefined ? "" : JSON.stringify(open.start.input);
    for (const [name, texts] of open.texts) {
      const joined = texts.join("");
      if (name === "input") args = joined === "" ? args : joined;
      else block[name] = (text(block[name]) ?? "") + joined;
    }
    return partOf(block, args);
  }

  end(): Attempt {
    const parts = [...this.#blocks.keys()].sort((a, b) => a - b).flatMap((index) => this.#partAt(index) ?? []);
    const hasOther = this.#hasOther || parts.length < this.#blocks.size;
    return { parts, stopReason: this.#stopReason, usage: this.#usage, hasOther, isComplete: this.#isComplete };
  }
}

function withoutNull(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function appendTurn(source: string, { parts }: Attempt, results: readonly HopelessCall[]): string | undefined {
  const body = parseJsonBody(source);
  const last = isObject(body) && isArray(body.messages) ? body.messages.at(-1) : undefined;
  // The model continued a message that the client began.
  if (!isObject(last) || last.role === "assistant") return undefined;
  if (!results.every(({ call }) => isAcceptable(call) && !call.name.includes("."))) return undefined;
  const blocks = parts.flatMap((part) => {
    if (part.kind === "call") return [callBlock(part.item, acceptableArguments(part.call))];
    return part.kind === "text" && part.text.trim() === "" ? [] : [JSON.stringify(part.item)];
  });
  const errors = results.map(({ call, message }) => ({
    type: "tool_result",
    tool_use_id: call.id,
    content: message,
    is_error: true,
  }));
  return appendToList(source, "messages", [
    `{"role":"assistant","content":[${blocks.join(",")}]}`,
    JSON.stringify({ role: "user", content: errors }),
  ]);
}

/** A call with its input as written: numbers keep their digits. */
function callBlock({ input: _input, ...rest }: Fields, args: string): string {
  return `${JSON.stringify(rest).slice(0, -1)},"input":${args === "" ? "{}" : args}}`;
}

function joinBody(source: string, { added, stopReason, usage }: JoinedAttempt): string {
  const members = memberSpans(source, 0);
  const [content, stop, sequence] = ["content", "stop_reason", "stop_sequence"].map((name) => members?.get(name));
  const items = content && itemSpans(source, content.start);
  if (content === undefined || items === undefined || stop === undefined) throw new Error("Not a Messages response");
  const isCall = items.map(({ start }) => {
    const type = memberSpans(source, start)?.get("type");
    return type !== undefined && source.slice(type.start, type.end) === '"tool_use"';
  });
  const blocks = added.map((part) =>
    part.kind === "call" ? callBlock(part.item, part.call.arguments) : JSON.stringify(part.item),
  );
  const edits = new Edits();
  edits.replace(
    content,
    rebuildList(source, items, new Edits(), (index) => isCall[index] === true, blocks),
  );
  edits.replace(stop, JSON.stringify(stopReason ?? null));
  if (sequence !== undefined) edits.replace(sequence, "null");
  const counts = members?.get("usage");
  if (counts !== undefined && usage !== undefined) edits.replace(counts, JSON.stringify(usage));
  return edits.apply(source);
}

function joinStream(held: readonly StreamFrame[], joined: JoinedAttempt): readonly Uint8Array[] {
  // The first held event begins the first call, so its place is free.
  const nextIndex = numberIn(held[0], "index") ?? 0;
  const events = joined.added.flatMap((part, at) => blockEvents(part, nextIndex + at));
  const out = events.map((event) => newEvent(JSON.stringify(event), text(event.type)));
  for (const frame of held) {
    const event = jsonOf(frame);
    if (!isObject(event)) continue;
    if (event.type === "message_stop") out.push(frame.raw);
    else if (event.type === "message_delta") out.push(finalDelta(frame, joined));
  }
  return out;
}

function blockEvents(part: Part, index: number): readonly Fields[] {
  const start = (block: Fields): Fields => ({ type: "content_block_start", index, content_block: block });
  const delta = (fields: Fields): Fields => ({ type: "content_block_delta", index, delta: fields });
  const stop = { type: "content_block_stop", index };
  const { item } = part;
  if (part.kind === "call")
    return [
      start({ ...item, input: {} }),
      delta({ type: "input_json_delta", partial_json: part.call.arguments }),
      stop,
    ];
  if (part.kind === "text") return [start({ ...item, text: "" }), delta({ type: "text_delta", text: part.text }), stop];
  if (item.type !== "thinking") return [start(item), stop];
  return [
    start({ ...item, thinking: "", signature: "" }),
    delta({ type: "thinking_delta", thinking: text(item.thinking) ?? "" }),
    delta({ type: "signature_delta", signature: text(item.signature) ?? "" }),
    stop,
  ];
}

/** The last event of the first response, with the stop reason of the second one and the sum of both usages. */
function finalDelta(frame: StreamFrame, { stopReason, usage }: JoinedAttempt): Uint8Array {
  const data = frame.data ?? "";
  const edits = new Edits();
  const [stop, sequence, counts] = [["delta", "stop_reason"], ["delta", "stop_sequence"], ["usage"]].map((path) =>
    spanAt(data, path),
  );
  if (stop !== undefined) edits.replace(stop, JSON.stringify(stopReason ?? null));
  if (sequence !== undefined) edits.replace(sequence, "null");
  if (counts !== undefined && usage !== undefined) edits.replace(counts, JSON.stringify(usage));
  return withData(frame, edits.apply(data));
}

export const messagesFormat: AttemptFormat = {
  readBody,
  createReader: () => new MessagesReader(),
  appendTurn,
  joinBody,
  joinStream,
};
