import type { ArgumentsPiece } from "../../calls/index.ts";
import { present } from "../../model/narrow.ts";
import { count, type Fields, isArray, isObject, text } from "../../wire/json.ts";
import { qualified } from "../../wire/responses-items.ts";
import { Edits, type JsonSpan, JsonSpans, spanAt } from "../json/json-spans.ts";
import { type QueuedEvent, type StreamReader, UnchangedEvent } from "../stream/queued-event.ts";
import { SequenceNumbers } from "../stream/sequence-numbers.ts";
import { jsonOf, newEvent, withData } from "../stream/sse-frame.ts";
import type { StreamFrame } from "../types.ts";
import { type CallContext, NativeCall } from "./native-call.ts";
import type { CallReport } from "./types.ts";

const ENDINGS = new Set<unknown>(["response.completed", "response.incomplete", "response.failed", "error"]);

interface OpenItem {
  readonly call: NativeCall;
  readonly itemId: string;
  readonly written: string;
}

/**
 * Repairs the native calls in a stream of items. All events that repeat the arguments of a call contain the same text.
 */
export class ResponsesCallStream implements StreamReader {
  readonly turns = [];
  readonly #context: CallContext;
  readonly #items = new Map<number, OpenItem>();
  readonly #byCallId = new Map<string, OpenItem>();
  readonly #numbers = new SequenceNumbers();

  constructor(context: CallContext) {
    this.#context = context;
  }

  get callReports(): readonly CallReport[] {
    return [...this.#items.values()].flatMap(({ call }) => call.report ?? []);
  }

  keepAlive(): Uint8Array | undefined {
    return this.#numbers.keepAlive();
  }

  release(): void {
    for (const { call } of this.#items.values()) call.end(true);
  }

  read(frame: StreamFrame): QueuedEvent {
    const event = jsonOf(frame);
    if (!isObject(event)) return new UnchangedEvent(frame);
    switch (event.type) {
      case "response.created":
        this.#numbers.open(frame.data);
        break;
      case "response.output_item.added":
        return this.#added(frame, event);
      case "response.function_call_arguments.delta":
        return this.#delta(frame, event);
      case "response.function_call_arguments.done":
        return this.#done(frame, event, ["arguments"], ["name"]);
      case "response.output_item.done":
        return this.#done(frame, event, ["item", "arguments"], ["item", "name"]);
    }
    return ENDINGS.has(event.type) ? this.#end(frame, event) : this.#queue(frame, event, () => true);
  }

  #added(frame: StreamFrame, event: Fields): QueuedEvent {
    const item = isObject(event.item) ? event.item : {};
    const open = this.#open(event, item);
    if (open === undefined || !isRenamed(open)) return this.#queue(frame, event, () => true);
    return this.#queue(
      frame,
      event,
      () => true,
      (edits, data) => replace(edits, spanAt(data, ["item", "name"]), open.call.name),
    );
  }

  #open(event: Fields, item: Fields): OpenItem | undefined {
    const index = count(event.output_index) ?? 0;
    const known = this.#items.get(index);
    if (known !== undefined || item.type !== "function_call" || typeof item.name !== "string") return known;
    // Ids stay: the provider may store the conversation under them.
    const call = new NativeCall(this.#context, text(item.call_id) ?? "", false);
    const namespace = text(item.namespace);
    const name = qualified(namespace, item.name);
    call.nameAs(name, { isFixed: namespace !== undefined });
    const open = { call, itemId: text(item.id) ?? "", written: name };
    this.#items.set(index, open);
    if (call.id !== "" && !this.#byCallId.has(call.id)) this.#byCallId.set(call.id, open);
    return open;
  }

  #delta(frame: StreamFrame, event: Fields): QueuedEvent {
    const open = this.#items.get(count(event.output_index) ?? 0);
    const written = text(event.delta);
    if (open === undefined || written === undefined) return this.#queue(frame, event, () => true);
    const piece: ArgumentsPiece = open.call.push(written);
    return this.#queue(
      frame,
      event,
      () => piece.isDecided,
      (edits, data) => {
        if (piece.text !== written) replace(edits, spanAt(data, ["delta"]), piece.text);
      },
    );
  }

  /** An event with the complete arguments: the end of the deltas, or the finished item. */
  #done(frame: StreamFrame, event: Fields, path: readonly string[], namePath: readonly string[]): QueuedEvent {
    const item = isObject(event.item) ? event.item : {};
    const open = this.#open(event, item);
    if (open === undefined) return this.#queue(frame, event, () => true);
    const { call } = open;
    const data = present(frame.data);
    const whole = argumentsAt(data, spanAt(data, path));
    const isCutOff = item.status === "incomplete";
    let added = "";
    if (!call.isOver) {
      const hadDeltas = call.hasArguments;
      const isLate = !hadDeltas && (whole ?? "") !== "";
      if (isLate) {
        const piece = call.push(whole ?? "");
        const rest = call.end(isCutOff);
        // The end decides the piece.
        added = piece.text + rest;
        if (call.allows("missing-event")) call.note("missing-event", "response.function_call_arguments.delta");
        else added = "";
      } else added = call.end(isCutOff);
    }
    return this.#queue(
      frame,
      event,
      () => true,
      (edits, source) => {
        writeCall(edits, source, open, whole, { name: spanAt(source, namePath), arguments: spanAt(source, path) });
      },
      added === "" ? undefined : { item: open, text: added },
    );
  }

  #end(frame: StreamFrame, event: Fields): QueuedEvent {
    for (const { call } of this.#items.values()) call.end(true);
    const response = isObject(event.response) ? event.response : {};
    const output = isArray(response.output) ? response.output : [];
    // This event contains all calls: the spans index it once for all of them.
    const source = present(frame.data);
    const spans = new JsonSpans(source);
    if (event.type === "response.completed") this.#checkNewItems(output, source, spans);
    return this.#queue(
      frame,
      event,
      () => true,
      (edits) => {
        for (const [at, item] of output.entries()) {
          const open = isObject(item) && item.type === "function_call" ? this.#itemOf(at, item) : undefined;
          if (open === undefined) continue;
          const path = ["response", "output", at];
          const places = { name: spans.at([...path, "name"]), arguments: spans.at([...path, "arguments"]) };
          writeCall(edits, source, open, argumentsAt(source, places.arguments), places);
        }
      },
    );
  }

  /** Checks calls that no earlier event contained. */
  #checkNewItems(output: readonly unknown[], source: string, spans: JsonSpans): void {
    for (const [at, item] of output.entries()) {
      if (!isObject(item) || this.#itemOf(at, item) !== undefined) continue;
      const whole = argumentsAt(source, spans.at(["response", "output", at, "arguments"]));
      if (whole !== undefined) this.#open({ output_index: at }, item)?.call.check(whole);
    }
  }

  #itemOf(at: number, item: Fields): OpenItem | undefined {
    return this.#byCallId.get(text(item.call_id) ?? "") ?? this.#items.get(at);
  }

  #queue(
    frame: StreamFrame,
    event: Fields,
    isReady: () => boolean,
    write?: (edits: Edits, data: string) => void,
    added?: { readonly item: OpenItem; readonly text: string },
  ): QueuedEvent {
    return { frame, isReady, render: () => this.#render(frame, event, write, added) };
  }

  #render(
    frame: StreamFrame,
    event: Fields,
    write: ((edits: Edits, data: string) => void) | undefined,
    added: { readonly item: OpenItem; readonly text: string } | undefined,
  ): readonly Uint8Array[] {
    const number = count(event.sequence_number);
    const before: Uint8Array[] = [];
    if (added !== undefined) {
      const delta = {
        type: "response.function_call_arguments.delta",
        item_id: added.item.itemId,
        output_index: count(event.output_index) ?? 0,
        delta: added.text,
        ...this.#numbers.insertBefore(number),
      };
      before.push(newEvent(JSON.stringify(delta), delta.type));
    }
    const emitted = number === undefined ? undefined : this.#numbers.emit(number);
    if (write === undefined && !this.#numbers.isShifted) return [frame.raw];
    const data = present(frame.data);
    const edits = new Edits();
    write?.(edits, data);
    if (emitted !== undefined && this.#numbers.isShifted) replace(edits, spanAt(data, ["sequence_number"]), emitted);
    return [...before, edits.hasEdits ? withData(frame, edits.apply(data)) : frame.raw];
  }
}

/** The complete arguments in an event: a string, or the source text of an object. */
function argumentsAt(data: string, span: JsonSpan | undefined): string | undefined {
  if (span === undefined) return undefined;
  const written = data.slice(span.start, span.end);
  if (written.startsWith("{")) return written;
  return written.startsWith('"') ? (JSON.parse(written) as string) : undefined;
}

/** Writes the name and the complete arguments of a call into an event that repeats them. */
function writeCall(
  edits: Edits,
  source: string,
  open: OpenItem,
  whole: string | undefined,
  at: { readonly name: JsonSpan | undefined; readonly arguments: JsonSpan | undefined },
): void {
  if (isRenamed(open)) replace(edits, at.name, open.call.name);
  const final = whole === undefined ? undefined : open.call.repeated(whole);
  if (final !== undefined && (final !== whole || !isText(source, at.arguments))) replace(edits, at.arguments, final);
}

function isText(data: string, span: JsonSpan | undefined): boolean {
  return span !== undefined && data[span.start] === '"';
}

function replace(edits: Edits, span: JsonSpan | undefined, value: string | number): void {
  if (span !== undefined) edits.replace(span, JSON.stringify(value));
}

function isRenamed({ call, written }: OpenItem): boolean {
  return call.name !== written;
}
