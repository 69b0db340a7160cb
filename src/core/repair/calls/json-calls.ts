import { placeholderId } from "../../wire/call-position.ts";
import { callOf, partsOf, spelling } from "../../wire/gemini/fields.ts";
import { type Fields, isArray, isObject, text } from "../../wire/json.ts";
import { qualified } from "../../wire/responses-items.ts";
import type { MadeCall } from "../../wire/turn.ts";
import { Edits, type JsonSpan, JsonSpans } from "../json/json-spans.ts";
import { rebuildObject } from "../json/rebuild-object.ts";
import { endProblem } from "../json/responses-json.ts";
import { stopProblem } from "../stop-reason.ts";
import type { Api, RepairOptions } from "../types.ts";
import { CallContext, NativeCall } from "./native-call.ts";
import type { CallRepairOptions, CallReport } from "./types.ts";

/** The native calls of a complete response after repair. `text` is the source if nothing changed. */
export interface RepairedCalls {
  readonly text: string;
  readonly reports: readonly CallReport[];
}

/** Repairs the native calls of a complete response. Everything else is copied byte for byte. */
export function repairJsonCalls(
  api: Api,
  source: string,
  body: Fields,
  options: RepairOptions,
  calls: CallRepairOptions,
): RepairedCalls {
  const response = new JsonCalls(source, new CallContext(api, options, calls));
  READERS[api](response, body);
  return { text: calls.blocked === undefined ? response.text : source, reports: response.reports };
}

const READERS: Readonly<Record<Api, (response: JsonCalls, body: Fields) => void>> = {
  anthropic: (response, body) => response.readMessages(body),
  chat: (response, body) => response.readChat(body),
  responses: (response, body) => response.readResponses(body),
  gemini: (response, body) => response.readGemini(body),
  ollama: (response, body) => response.readOllama(body),
};

/** Checks the calls of a response that is sent unchanged. */
export function observeCalls(
  api: Api,
  made: readonly MadeCall[],
  options: RepairOptions,
  calls: CallRepairOptions,
): readonly CallReport[] {
  const context = new CallContext(api, options, calls);
  return made.flatMap(({ id, name, arguments: args }) => {
    const call = new NativeCall(context, id, false);
    call.nameAs(name);
    call.check(typeof args === "string" ? args : (JSON.stringify(args) ?? ""));
    return call.report ?? [];
  });
}

/** The native calls of a response, or of an event that contains complete calls. */
export class JsonCalls {
  readonly #source: string;
  readonly #spans: JsonSpans;
  readonly #context: CallContext;
  readonly #edits = new Edits();
  readonly #calls: NativeCall[];

  /** `calls`: those of earlier events of the same response, to which the new ones are added. */
  constructor(source: string, context: CallContext, calls: NativeCall[] = []) {
    this.#source = source;
    this.#spans = new JsonSpans(source);
    this.#context = context;
    this.#calls = calls;
  }

  /** The source if nothing changed. */
  get text(): string {
    return this.#edits.hasEdits ? this.#edits.apply(this.#source) : this.#source;
  }

  get reports(): readonly CallReport[] {
    return this.#calls.flatMap(({ report }) => report ?? []);
  }

  readChat({ choices }: Fields): void {
    for (const [at, choice] of isArray(choices) ? choices.entries() : []) {
      const message = isObject(choice) && isObject(choice.message) ? choice.message : {};
      const made = isArray(message.tool_calls) ? message.tool_calls : [];
      const reason = isObject(choice) ? text(choice.finish_reason) : undefined;
      const isCutOff = reason !== undefined && stopProblem(reason) !== undefined;
      const before = this.#calls.length;
      for (const [index, entry] of made.entries())
        if (isObject(entry)) this.#readChatCall(entry, ["choices", at, "message", "tool_calls", index], isCutOff);
      this.#fixStopReason(this.#calls[before], reason === "stop", ["choices", at, "finish_reason"], "tool_calls");
    }
  }

  #readChatCall(entry: Fields, path: readonly (string | number)[], isCutOff: boolean): void {
    const { function: called, id: writtenId, type } = entry;
    if (!isObject(called) || typeof called.name !== "string" || type === "custom") return;
    const call = this.#open(text(writtenId) ?? "", called.name, this.#context.calls.isEnabled("id"));
    const changes = new Map<string, string | undefined>();
    if (call.id !== writtenId && call.id !== "") changes.set("id", JSON.stringify(call.id));
    if (typeof type !== "string" && call.allows("type")) {
      changes.set("type", '"function"');
      call.note("type", "type");
    }
    const inner = new Map<string, string | undefined>();
    if (call.name !== called.name) inner.set("name", JSON.stringify(call.name));
    const written = this.#textOf(called.arguments, [...path, "function", "arguments"]);
    const sent = this.#check(call, written, isCutOff);
    if (sent !== written || (isObject(called.arguments) && call.allows("arguments-as-object"))) {
      inner.set("arguments", JSON.stringify(sent));
      if (isObject(called.arguments)) call.note("arguments-as-object", "$");
    }
    const functionSpan = inner.size === 0 ? undefined : this.#spans.at([...path, "function"]);
    if (functionSpan !== undefined) changes.set("function", rebuildObject(this.#source, functionSpan.start, inner));
    this.#rebuild(path, changes);
  }

  readMessages({ content, stop_reason: reason }: Fields): void {
    const isCutOff = stopProblem(text(reason)) !== undefined;
    for (const [at, block] of isArray(content) ? content.entries() : []) {
      if (!isObject(block) || block.type !== "tool_use" || typeof block.name !== "string") continue;
      const call = this.#open(text(block.id) ?? "", block.name, this.#context.calls.isEnabled("id"));
      const changes = new Map<string, string | undefined>();
      if (call.id !== block.id && call.id !== "") changes.set("id", JSON.stringify(call.id));
      if (call.name !== block.name) changes.set("name", JSON.stringify(call.name));
      const written = this.#argumentsAt(["content", at, "input"]);
      const sent = this.#check(call, written, isCutOff);
      // Only an object is valid here; other values stay unchanged.
      if (sent !== written && sent.trimStart().startsWith("{")) changes.set("input", sent);
      this.#rebuild(["content", at], changes);
    }
    this.#fixStopReason(this.#calls[0], reason === "end_turn", ["stop_reason"], "tool_use");
  }

  readResponses(body: Fields): void {
    const isCutOff = endProblem(body) !== undefined;
    for (const [at, item] of isArray(body.output) ? body.output.entries() : []) {
      if (!isObject(item) || item.type !== "function_call" || typeof item.name !== "string") continue;
      const namespace = text(item.namespace);
      const name = qualified(namespace, item.name);
      const call = this.#open(text(item.call_id) ?? "", name, false, namespace !== undefined);
      const changes = new Map<string, string | undefined>();
      if (call.name !== name) changes.set("name", JSON.stringify(call.name));
      const written = this.#textOf(item.arguments, ["output", at, "arguments"]);
      const sent = this.#check(call, written, isCutOff);
      if (sent !== written || (isObject(item.arguments) && call.allows("arguments-as-object"))) {
        changes.set("arguments", JSON.stringify(sent));
        if (isObject(item.arguments)) call.note("arguments-as-object", "$");
      }
      this.#rebuild(["output", at], changes);
    }
  }

  readGemini({ candidates }: Fields): void {
    for (const [at, candidate] of isArray(candidates) ? candidates.entries() : []) {
      if (!isObject(candidate)) continue;
      for (const [index, part] of partsOf(candidate.content).entries()) {
        const called = callOf(part);
        if (called === undefined || !isObject(part)) continue;
        const path = ["candidates", at, "content", "parts", index, spelling(part, "functionCall")];
        this.#readWhole(called.id, called.name, path, "args");
      }
    }
  }

  readOllama({ message }: Fields): void {
    const calls = isObject(message) && isArray(message.tool_calls) ? message.tool_calls : [];
    for (const [index, entry] of calls.entries()) {
      const called = isObject(entry) ? entry.function : undefined;
      if (!isObject(entry) || !isObject(called) || typeof called.name !== "string") continue;
      const path = ["message", "tool_calls", index, "function"];
      this.#readWhole(text(entry.id) || undefined, called.name, path, "arguments");
    }
  }

  /** A call whose arguments are an object, and which may have no id. */
  #readWhole(id: string | undefined, name: string, path: readonly (string | number)[], field: string): void {
    const call = this.#open(id ?? placeholderId(this.#calls.length), name, false);
    const changes = new Map<string, string | undefined>();
    if (call.name !== name) changes.set("name", JSON.stringify(call.name));
    const written = this.#argumentsAt([...path, field]);
    const sent = this.#check(call, written === "" ? "{}" : written, false);
    // Only an object is valid here; other values stay unchanged. Absent arguments are an empty object.
    if (sent !== (written === "" ? "{}" : written) && sent.trimStart().startsWith("{")) changes.set(field, sent);
    this.#rebuild(path, changes);
  }

  #open(id: string, name: string, isIdRequired: boolean, isFixed = false): NativeCall {
    const call = new NativeCall(this.#context, id, isIdRequired);
    call.nameAs(name, { isFixed });
    this.#calls.push(call);
    return call;
  }

  #check(call: NativeCall, written: string, isCutOff: boolean): string {
    if (!isCutOff) return call.check(written);
    call.leave(written);
    return written;
  }

  /** Arguments as text. An object's text is taken from the source. */
  #textOf(args: unknown, path: readonly (string | number)[]): string {
    return typeof args === "string" ? args : this.#argumentsAt(path);
  }

  /** Arguments as text; for an object, its source text. */
  #argumentsAt(path: readonly (string | number)[]): string {
    const span = this.#spans.at(path);
    if (span === undefined) return "";
    const written = this.#source.slice(span.start, span.end);
    return written.startsWith('"') ? (JSON.parse(written) as string) : written;
  }

  #rebuild(path: readonly (string | number)[], changes: ReadonlyMap<string, string | undefined>): void {
    const span: JsonSpan | undefined = changes.size === 0 ? undefined : this.#spans.at(path);
    if (span !== undefined) this.#edits.replace(span, rebuildObject(this.#source, span.start, changes));
  }

  #fixStopReason(
    first: NativeCall | undefined,
    isWrong: boolean,
    path: readonly (string | number)[],
    reason: string,
  ): void {
    if (!isWrong || first?.allows("stop-reason") !== true) return;
    const span = this.#spans.at(path);
    if (span === undefined) return;
    first.note("stop-reason", String(path.at(-1)));
    this.#edits.replace(span, JSON.stringify(reason));
  }
}
