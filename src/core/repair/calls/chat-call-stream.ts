import type { ArgumentsPiece } from "../../calls/index.ts";
import { present } from "../../model/narrow.ts";
import { isDone } from "../../wire/done-event.ts";
import { count, type Fields, isArray, isObject, text } from "../../wire/json.ts";
import { reasoningText } from "../json/chat-json.ts";
import { Edits, JsonSpans } from "../json/json-spans.ts";
import { rebuildObject } from "../json/rebuild-object.ts";
import { stopProblem } from "../stop-reason.ts";
import { generateChunk, keepAliveChunk } from "../stream/chat-stream.ts";
import { type QueuedEvent, type StreamReader, UnchangedEvent } from "../stream/queued-event.ts";
import { jsonOf, newEvent, withData } from "../stream/sse-frame.ts";
import type { StreamFrame } from "../types.ts";
import { type CallContext, NativeCall } from "./native-call.ts";
import type { CallReport } from "./types.ts";

/** One entry of `tool_calls` in a chunk. */
interface Entry {
  readonly choiceAt: number;
  readonly at: number;
  readonly fields: Fields;
  readonly owner: ChatCall;
  readonly isFirst: boolean;
  /** Whether this entry carries the name. */
  readonly hasName: boolean;
  readonly piece: ArgumentsPiece | undefined;
  readonly written: string | undefined;
}

interface ChatCall {
  /** Absent for calls that are not read, such as those of tools with free text. */
  readonly call: NativeCall | undefined;
  readonly number: number;
  readonly writtenId: string;
  nameParts: string[];
  /** Whether the parts of the name stay in separate entries. */
  keepsParts: boolean;
}

interface Choice {
  readonly index: number;
  readonly calls: ChatCall[];
  readonly byIndex: Map<number, ChatCall>;
  /** The first call with each id. */
  readonly byId: Map<string, ChatCall>;
  /** Calls with a new piece since the last call began: only these can have become complete. */
  readonly changed: Set<ChatCall>;
  isOver: boolean;
}

/** Arguments that need a separate chunk. */
interface Addition {
  readonly choice: number;
  readonly number: number;
  readonly text: string;
}

/** The changes in one chunk. */
interface Changes {
  readonly entries: readonly Entry[];
  readonly additions: readonly Addition[];
  /** Choices whose empty list of calls is removed. */
  readonly emptyLists: readonly number[];
  /** Choices with a wrong finish reason. */
  readonly stops: readonly number[];
}

/** Repairs the native calls in a stream of chunks: indexes, ids and names first, then the arguments. */
export class ChatCallStream implements StreamReader {
  readonly turns = [];
  readonly #context: CallContext;
  readonly #choices = new Map<number, Choice>();
  #latestChunk: string | undefined;

  constructor(context: CallContext) {
    this.#context = context;
  }

  get callReports(): readonly CallReport[] {
    return this.#calls.flatMap(({ call }) => call?.report ?? []);
  }

  keepAlive(): Uint8Array | undefined {
    return this.#latestChunk === undefined ? undefined : keepAliveChunk(this.#latestChunk);
  }

  release(): void {
    for (const { call } of this.#calls) call?.end(true);
  }

  get #calls(): readonly ChatCall[] {
    return [...this.#choices.values()].flatMap(({ calls }) => calls);
  }

  read(frame: StreamFrame): QueuedEvent {
    if (isDone(frame.data)) return this.#readDone(frame);
    const body = jsonOf(frame);
    const choices = isObject(body) && isArray(body.choices) ? body.choices : [];
    const next = choices.length === 1 ? this.#nextPiece(choices[0], frame) : undefined;
    if (next !== undefined) return next;
    const entries: Entry[] = [];
    const additions: Addition[] = [];
    const emptyLists: number[] = [];
    const stops: number[] = [];
    const spans = new JsonSpans(frame.data ?? "");
    for (const [at, choice] of choices.entries()) {
      if (!isObject(choice)) continue;
      const delta = isObject(choice.delta) ? choice.delta : {};
      const calls = isArray(delta.tool_calls) ? delta.tool_calls : [];
      if (isArray(delta.tool_calls) && this.#isNeedlessList(delta)) emptyLists.push(at);
      const reason = text(choice.finish_reason);
      if (calls.length === 0 && reason === undefined) continue;
      const open = this.#choiceAt(count(choice.index) ?? at);
      for (const [entryAt, fields] of calls.entries())
        if (isObject(fields))
          entries.push(this.#readEntry(open, { choiceAt: at, at: entryAt, fields }, spans, additions));
      if (reason === undefined || open.isOver) continue;
      this.#end(open, stopProblem(reason) !== undefined, additions);
      const isWrongReason = reason === "stop" && open.calls.length > 0;
      if (isWrongReason && this.#noteFirst(open, "stop-reason", "finish_reason")) stops.push(at);
    }
    if (entries.length > 0) this.#latestChunk = frame.data;
    if (entries.length + additions.length + emptyLists.length + stops.length === 0) return new UnchangedEvent(frame);
    return {
      frame,
      isReady: () => entries.every(isReady),
      render: () => this.#render(frame, spans, { entries, additions, emptyLists, stops }),
    };
  }

  /** Fast path for most chunks: only the next piece of the arguments of a call. */
  #nextPiece(choice: unknown, frame: StreamFrame): QueuedEvent | undefined {
    if (!isObject(choice) || !isObject(choice.delta) || choice.finish_reason != null) return undefined;
    const { tool_calls: calls } = choice.delta;
    if (calls === undefined && choice.delta.function_call === undefined) return new UnchangedEvent(frame);
    const entry = isArray(calls) && calls.length === 1 ? calls[0] : undefined;
    if (!isObject(entry) || entry.id !== undefined || !isObject(entry.function)) return undefined;
    const { arguments: written, name } = entry.function;
    if (typeof written !== "string" || name !== undefined || typeof entry.index !== "number") return undefined;
    const open = this.#choices.get(count(choice.index) ?? 0);
    const owner = open?.byIndex.get(entry.index);
    if (owner?.call?.isNamed !== true || owner.number !== entry.index || owner.call.isOver) return undefined;
    open?.changed.add(owner);
    const piece = owner.call.push(written);
    if (piece.isDecided && piece.text === written) return new UnchangedEvent(frame, true);
    const place = { choiceAt: 0, at: 0, fields: entry, owner, isFirst: false, hasName: false, piece, written };
    const changes: Changes = { entries: [place], additions: [], emptyLists: [], stops: [] };
    return {
      frame,
      isReady: () => isReady(place),
      render: () => this.#render(frame, new JsonSpans(present(frame.data)), changes),
    };
  }

  /** An empty list beside reasoning ends the reasoning for some clients. */
  #isNeedlessList(delta: Fields): boolean {
    const isEmpty = isArray(delta.tool_calls) && delta.tool_calls.length === 0;
    return isEmpty && (reasoningText(delta) ?? "") !== "" && this.#context.calls.isEnabled("empty-list");
  }

  #choiceAt(index: number): Choice {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice: Choice = { index, calls: [], byIndex: new Map(), byId: new Map(), changed: new Set(), isOver: false };
    this.#choices.set(index, choice);
    return choice;
  }

  #readEntry(
    choice: Choice,
    place: Pick<Entry, "choiceAt" | "at" | "fields">,
    spans: JsonSpans,
    additions: Addition[],
  ): Entry {
    const { fields } = place;
    const called = isObject(fields.function) ? fields.function : {};
    const name = text(called.name) ?? "";
    const id = text(fields.id) ?? "";
    const path = ["choices", place.choiceAt, "delta", "tool_calls", place.at, "function", "arguments"];
    const written = text(called.arguments);
    const args = isObject(called.arguments) ? spans.textAt(path) : written;
    const index = count(fields.index);
    const known = this.#ownerOf(choice, index, id, name, args ?? "");
    const owner =
      known ?? this.#newCall(choice, id, fields.custom !== undefined || fields.type === "custom", additions);
    if (index !== undefined && choice.byIndex.get(index) !== owner) choice.byIndex.set(index, owner);
    const { call } = owner;
    const hasName = name !== "" && owner.nameParts.length === 0;
    if (call !== undefined) {
      choice.changed.add(owner);
      if (isObject(called.arguments)) call.note("arguments-as-object", "$");
      this.#readName(owner, call, name, (args ?? "") !== "");
    }
    const piece = args === undefined || call === undefined ? undefined : call.push(args);
    return { ...place, owner, isFirst: known === undefined, hasName, piece, written };
  }

  /** The call that an entry continues; undefined for a new call. */
  #ownerOf(choice: Choice, index: number | undefined, id: string, name: string, args: string): ChatCall | undefined {
    const running = index === undefined ? choice.calls.at(-1) : choice.byIndex.get(index);
    const isComplete = running?.call?.isComplete === true;
    if (running === undefined) {
      // One call under several indexes: its id exists already, and its arguments are incomplete.
      const same = id === "" ? undefined : choice.byId.get(id);
      const isContinued =
        same?.call?.hasArguments === true && !same.call.isComplete && (name === "" || same.call.name === name);
      return isContinued ? same : undefined;
    }
    if (name === "") return isComplete && id !== "" && id !== running.writtenId ? undefined : running;
    const hasOtherId = id !== "" && running.writtenId !== "" && id !== running.writtenId;
    if (isComplete && (hasOtherId || id === "")) return undefined;
    // Some servers generate an id for every chunk: arguments that continue belong to the current call.
    const goesOn = running.call?.hasArguments === true && args !== "" && !args.trimStart().startsWith("{");
    return hasOtherId && !goesOn ? undefined : running;
  }

  #newCall(choice: Choice, writtenId: string, isCustom: boolean, additions: Addition[]): ChatCall {
    // A complete call ends when the next one begins.
    for (const { call, number } of choice.changed) {
      if (call?.isComplete !== true) continue;
      const rest = call.end();
      if (rest !== "") additions.push({ choice: choice.index, number, text: rest });
    }
    choice.changed.clear();
    const call = isCustom ? undefined : new NativeCall(this.#context, writtenId, this.#context.calls.isEnabled("id"));
    const owner: ChatCall = { call, number: choice.calls.length, writtenId, nameParts: [], keepsParts: false };
    choice.calls.push(owner);
    if (!choice.byId.has(writtenId)) choice.byId.set(writtenId, owner);
    return owner;
  }

  #readName(owner: ChatCall, call: NativeCall, name: string, hasArguments: boolean): void {
    if (call.isNamed) return;
    const joined = owner.nameParts.join("");
    if (name !== "" && name !== joined) owner.nameParts.push(name);
    const whole = owner.nameParts.join("");
    // A declared name is complete. Any other name may arrive in parts until the arguments begin.
    if (whole !== "" && (this.#context.tools.has(whole) || hasArguments)) this.#settleName(owner, call);
  }

  #settleName(owner: ChatCall, call: NativeCall): void {
    const name = owner.nameParts.join("");
    if (call.isNamed || name === "") return;
    const isSplit = owner.nameParts.length > 1;
    owner.keepsParts = isSplit && !(this.#context.tools.has(name) && call.allows("split-name"));
    call.nameAs(name, { isFixed: isSplit });
    if (isSplit && !owner.keepsParts) call.note("split-name", "name", owner.nameParts.join(" "), name);
  }

  #end(choice: Choice, isCutOff: boolean, additions: Addition[]): void {
    choice.isOver = true;
    for (const owner of choice.calls) {
      const { call, number } = owner;
      if (call === undefined) continue;
      this.#settleName(owner, call);
      const rest = call.end(isCutOff);
      if (rest !== "") additions.push({ choice: choice.index, number, text: rest });
    }
  }

  /** The stream ends without a finish reason: clients would treat the calls as truncated. */
  #readDone(frame: StreamFrame): QueuedEvent {
    const additions: Addition[] = [];
    const finished: Choice[] = [];
    for (const choice of this.#choices.values()) {
      if (choice.isOver) continue;
      const isComplete = choice.calls.length > 0 && choice.calls.every(({ call }) => call?.isComplete === true);
      this.#end(choice, !isComplete, additions);
      if (isComplete && this.#noteFirst(choice, "missing-event", "finish_reason")) finished.push(choice);
    }
    if (additions.length + finished.length === 0) return new UnchangedEvent(frame);
    const template = this.#latestChunk ?? "{}";
    const ends = finished.map(({ index }) =>
      newEvent(generateChunk(template, `{"index":${index},"delta":{},"finish_reason":"tool_calls"}`)),
    );
    return { frame, isReady: () => true, render: () => [...this.#added(template, additions), ...ends, frame.raw] };
  }

  #noteFirst({ calls }: Choice, fault: "stop-reason" | "missing-event", path: string): boolean {
    const first = calls.find(({ call }) => call !== undefined)?.call;
    if (first?.allows(fault) !== true) return false;
    first.note(fault, path);
    return true;
  }

  #added(template: string, additions: readonly Addition[]): readonly Uint8Array[] {
    return additions.map(({ choice, number, text: rest }) => {
      const delta = `{"tool_calls":[{"index":${number},"function":{"arguments":${JSON.stringify(rest)}}}]}`;
      return newEvent(generateChunk(template, `{"index":${choice},"delta":${delta},"finish_reason":null}`));
    });
  }

  #render(
    frame: StreamFrame,
    spans: JsonSpans,
    { entries, additions, emptyLists, stops }: Changes,
  ): readonly Uint8Array[] {
    const data = present(frame.data);
    const edits = new Edits();
    for (const entry of entries) writeEntry(data, spans, entry, edits);
    for (const at of emptyLists) {
      const delta = spans.at(["choices", at, "delta"]);
      if (delta !== undefined)
        edits.replace(delta, rebuildObject(data, delta.start, new Map([["tool_calls", undefined]])));
    }
    for (const at of stops) {
      const reason = spans.at(["choices", at, "finish_reason"]);
      if (reason !== undefined) edits.replace(reason, '"tool_calls"');
    }
    return [...this.#added(data, additions), edits.hasEdits ? withData(frame, edits.apply(data)) : frame.raw];
  }
}

/** An entry waits for the name of its call, and until its arguments are decided. */
function isReady({ owner: { call }, piece }: Entry): boolean {
  return call === undefined || call.isOver || (call.isNamed && piece?.isDecided !== false);
}

/** Writes the changes of an entry; an entry without changes keeps its text. */
function writeEntry(data: string, spans: JsonSpans, entry: Entry, edits: Edits): void {
  const { owner, fields, isFirst, hasName, piece, written } = entry;
  const { call, number } = owner;
  if (call === undefined) return;
  const changes = new Map<string, string | undefined>();
  const inner = new Map<string, string | undefined>();
  const called = isObject(fields.function) ? fields.function : {};
  if (fields.index !== number && call.allows("index")) {
    changes.set("index", String(number));
    call.note("index", "index");
  }
  if (isFirst && fields.id !== call.id && call.id !== "") changes.set("id", JSON.stringify(call.id));
  if (isFirst && typeof fields.type !== "string" && call.allows("type")) {
    changes.set("type", '"function"');
    call.note("type", "type");
  }
  const mayRemove = call.allows("repeated-header");
  if (!isFirst && fields.id !== undefined && mayRemove) changes.set("id", undefined);
  if (!owner.keepsParts) {
    if (hasName && called.name !== call.name) inner.set("name", JSON.stringify(call.name));
    if (!hasName && !isFirst && called.name !== undefined && mayRemove) inner.set("name", undefined);
  }
  if (changes.has("id") && !isFirst) call.note("repeated-header", "id");
  if (inner.has("name") && !hasName) call.note("repeated-header", "name");
  if (piece !== undefined && piece.text !== written) inner.set("arguments", JSON.stringify(piece.text));
  const { choiceAt, at } = entry;
  const path = ["choices", choiceAt, "delta", "tool_calls", at];
  const span = changes.size + inner.size === 0 ? undefined : spans.at(path);
  if (span === undefined) return;
  const functionSpan = spans.at([...path, "function"]);
  if (inner.size > 0 && functionSpan !== undefined)
    changes.set("function", rebuildObject(data, functionSpan.start, inner));
  edits.replace(span, rebuildObject(data, span.start, changes));
}
