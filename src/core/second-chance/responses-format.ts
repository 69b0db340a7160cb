import { present } from "../model/narrow.ts";
import { Edits, itemSpans, memberSpans, spanAt } from "../repair/json/json-spans.ts";
import { jsonOf, newEvent, withData } from "../repair/stream/sse-frame.ts";
import type { StreamFrame } from "../repair/types.ts";
import { count, type Fields, isArray, isObject, objects, parseJsonBody, text } from "../wire/json.ts";
import { itemText, qualified } from "../wire/responses-items.ts";
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

/** An output item; undefined for one that cannot be written into another response. */
function partOf(item: Fields): Part | undefined {
  switch (item.type) {
    case "message":
      return isPlainMessage(item) ? { kind: "text", item, text: itemText(item) } : undefined;
    case "reasoning":
      // A provider that encrypts reasoning ties it to the call that follows.
      return (item.encrypted_content ?? null) === null ? { kind: "thinking", item } : undefined;
    case "function_call":
    case "custom_tool_call": {
      const isCustom = item.type === "custom_tool_call";
      const written = isCustom ? item.input : item.arguments;
      const name = qualified(text(item.namespace), text(item.name) ?? "");
      const args = typeof written === "string" ? written : JSON.stringify(written ?? "");
      return { kind: "call", item, call: { id: text(item.call_id) ?? "", name, arguments: args, isCustom } };
    }
    default:
      return undefined;
  }
}

/** Text without refusals and citations. */
function isPlainMessage({ content }: Fields): boolean {
  return objects(content).every(
    (part) =>
      part.type === "output_text" && objects(part.annotations).length === 0 && objects(part.logprobs).length === 0,
  );
}

function attemptOf(response: Fields, items: readonly unknown[]): Attempt {
  const parts = items.map((item) => (isObject(item) ? partOf(item) : undefined));
  const known = parts.filter((part) => part !== undefined);
  const first = known.findIndex(({ kind }) => kind === "call");
  // The order of kept and added items would be wrong.
  const hasTextAfterCall = first !== -1 && known.slice(first).some(({ kind }) => kind !== "call");
  return {
    parts: known,
    stopReason: text(response.status),
    usage: isObject(response.usage) ? response.usage : undefined,
    hasOther: known.length < parts.length || hasTextAfterCall || (response.error ?? null) !== null,
    isComplete: true,
  };
}

function readBody(source: string): Attempt | undefined {
  const body = parseJsonBody(source);
  return isObject(body) && isArray(body.output) ? attemptOf(body, body.output) : undefined;
}

class ResponsesReader implements AttemptReader {
  readonly #items = new Map<number, Fields>();
  readonly finishedCalls: AttemptCall[] = [];
  #response: Fields | undefined;
  #hasOther = false;
  #holds = false;

  push(frame: StreamFrame): EventHandling {
    const event = jsonOf(frame);
    if (isObject(event)) this.#read(event);
    return this.#hasOther ? "release" : this.#holds ? "hold" : "pass";
  }

  #read(event: Fields): void {
    switch (event.type) {
      case "response.output_item.added":
      case "response.output_item.done":
        this.#readItem(event, event.type === "response.output_item.done");
        break;
      case "response.completed":
      case "response.incomplete":
        this.#response = isObject(event.response) ? event.response : undefined;
        break;
      case "response.failed":
      case "error":
        this.#hasOther = true;
        break;
    }
  }

  #readItem(event: Fields, isDone: boolean): void {
    const item = isObject(event.item) ? event.item : {};
    this.#items.set(count(event.output_index) ?? this.#items.size, item);
    const part = partOf(item);
    if (part === undefined || (this.#holds && part.kind !== "call")) this.#hasOther = true;
    if (part?.kind !== "call") return;
    this.#holds = true;
    if (isDone || part.call.isCustom) this.finishedCalls.push(part.call);
  }

  end(): Attempt {
    const items = [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
    const attempt = attemptOf(this.#response ?? {}, items);
    return {
      ...attempt,
      hasOther: this.#hasOther || attempt.hasOther,
      isComplete: this.#response !== undefined,
    };
  }
}

function appendTurn(source: string, { parts }: Attempt, results: readonly HopelessCall[]): string | undefined {
  if (!results.every(({ call }) => isAcceptable(call))) return undefined;
  const items = parts.map((part) =>
    part.kind === "call" ? { ...part.item, arguments: acceptableArguments(part.call) } : part.item,
  );
  const errors = results.map(({ call, message }) => ({
    type: "function_call_output",
    call_id: call.id,
    output: message,
  }));
  const added = [...items, ...errors].map((item) => JSON.stringify(item));
  const input = memberSpans(source, 0)?.get("input");
  if (input === undefined || source[input.start] !== '"') return appendToList(source, "input", added);
  // A text is one message of the user.
  const edits = new Edits();
  const message = `{"role":"user","content":${source.slice(input.start, input.end)}}`;
  edits.replace(input, `[${[message, ...added].join(",")}]`);
  return edits.apply(source);
}

function joinBody(source: string, { added, usage }: JoinedAttempt): string {
  const members = memberSpans(source, 0);
  const output = members?.get("output");
  const items = output && itemSpans(source, output.start);
  if (output === undefined || items === undefined) throw new Error("Not a response");
  const kept = items.map(({ start, end }) => source.slice(start, end)).filter((item) => !isCallItem(item));
  const edits = new Edits();
  edits.replace(output, `[${[...kept, ...added.map(({ item }) => JSON.stringify(item))].join(",")}]`);
  const counts = members?.get("usage");
  if (counts !== undefined && usage !== undefined) edits.replace(counts, JSON.stringify(usage));
  return edits.apply(source);
}

function isCallItem(source: string): boolean {
  const item = parseJsonBody(source);
  return isObject(item) && partOf(item)?.kind === "call";
}

function joinStream(held: readonly StreamFrame[], joined: JoinedAttempt): readonly Uint8Array[] {
  // The first held event begins the first call, so its place and number are free.
  let sequence = numberIn(held[0], "sequence_number");
  const nextIndex = numberIn(held[0], "output_index") ?? 0;
  const numbered = (): { readonly sequence_number?: number } => {
    if (sequence === undefined) return {};
    sequence += 1;
    return { sequence_number: sequence - 1 };
  };
  const out: Uint8Array[] = [];
  for (const [at, part] of joined.added.entries())
    for (const { type, ...fields } of itemEvents(part, nextIndex + at))
      out.push(newEvent(JSON.stringify({ type, ...numbered(), ...fields }), text(type)));
  const last = held.find((frame) => typeOf(frame) === "response.completed");
  if (last !== undefined) out.push(finalEvent(last, joined, numbered().sequence_number));
  return out;
}

function typeOf(frame: StreamFrame): unknown {
  const event = jsonOf(frame);
  return isObject(event) ? event.type : undefined;
}

function itemEvents(part: Part, index: number): readonly Fields[] {
  const { item } = part;
  const at = { output_index: index, item_id: text(item.id) ?? "" };
  const added = (fields: Fields): Fields => ({
    type: "response.output_item.added",
    output_index: index,
    item: { ...item, ...fields, status: "in_progress" },
  });
  const done = { type: "response.output_item.done", output_index: index, item };
  if (part.kind === "thinking") return [added({}), done];
  if (part.kind === "call") {
    const [prefix, field] = part.call.isCustom
      ? ["response.custom_tool_call_input", "input"]
      : ["response.function_call_arguments", "arguments"];
    return [
      added({ [field]: "" }),
      { type: `${prefix}.delta`, ...at, delta: part.call.arguments },
      { type: `${prefix}.done`, ...at, name: item.name, [field]: part.call.arguments },
      done,
    ];
  }
  return [added({ content: [] }), ...objects(item.content).flatMap((one, number) => textEvents(one, at, number)), done];
}

function textEvents(part: Fields, at: Fields, number: number): readonly Fields[] {
  const place = { ...at, content_index: number };
  const written = text(part.text) ?? "";
  return [
    { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
    { type: "response.output_text.delta", ...place, delta: written, logprobs: [] },
    { type: "response.output_text.done", ...place, text: written, logprobs: [] },
    { type: "response.content_part.done", ...place, part },
  ];
}

/** The last event of the first response, with the items of both and the sum of their usages. */
function finalEvent(
  frame: StreamFrame,
  { kept, added, usage }: JoinedAttempt,
  sequence: number | undefined,
): Uint8Array {
  const data = present(frame.data);
  const edits = new Edits();
  const output = spanAt(data, ["response", "output"]);
  const counts = spanAt(data, ["response", "usage"]);
  const number = spanAt(data, ["sequence_number"]);
  if (output !== undefined) edits.replace(output, JSON.stringify([...kept, ...added].map(({ item }) => item)));
  if (counts !== undefined && usage !== undefined) edits.replace(counts, JSON.stringify(usage));
  if (number !== undefined && sequence !== undefined) edits.replace(number, String(sequence));
  return withData(frame, edits.apply(data));
}

export const responsesFormat: AttemptFormat = {
  readBody,
  createReader: () => new ResponsesReader(),
  appendTurn,
  joinBody,
  joinStream,
};
