import type { RecoveredCall } from "../../core/recover/index.ts";
import type { SecondChanceReason, SecondChanceResult } from "../../core/second-chance/types.ts";
import type { Clock } from "../clock.ts";
import type { ModelCall } from "../model/message.ts";
import type { FinishReason, ModelDelta, ModelFunction, ModelRequest, ModelTurn } from "../model/model-function.ts";
import { fingerprint } from "../policy/repeats.ts";
import type { LeakReader, RejectedCall } from "./leak-reader.ts";

export interface ReadTurn extends ModelTurn {
  /** The calls were extracted from text. */
  readonly isRecovered: boolean;
  readonly rejected: readonly RejectedCall[];
  /** Some text was already yielded. */
  readonly hasShown: boolean;
  /** Set if the model was asked again. */
  readonly secondChance?: { readonly reason: SecondChanceReason; readonly result: SecondChanceResult };
}

/** What a turn yields while it streams. */
export type TurnPart =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "arguments";
      readonly index: number;
      readonly callId: string;
      readonly name: string;
      readonly text: string;
    };

export interface TurnSettings {
  readonly clock: Clock;
  readonly newId: () => string;
  /** Idle timeout of the model. */
  readonly idleMs: number;
}

const EXTRACTABLE_FINISHES: ReadonlySet<FinishReason | undefined> = new Set(["stop", "tool-calls", "length"]);

type Finish = ModelDelta & { readonly kind: "finish" };

/** Filled in while a turn streams. */
interface OpenTurn {
  readonly calls: CallParts;
  finish: Finish | undefined;
  error: unknown;
}

/** Calls the model and reads its turn: yields parts as they arrive and returns the complete turn. Never throws. */
export async function* readTurn(
  model: ModelFunction,
  request: ModelRequest,
  leaks: LeakReader,
  { clock, newId, idleMs }: TurnSettings,
): AsyncGenerator<TurnPart, ReadTurn, void> {
  const turn: OpenTurn = { calls: new CallParts(), finish: undefined, error: undefined };
  const limit = <T>(next: Promise<T>): Promise<T> => within(next, idleMs, clock);
  let hasShown = false;
  const show = function* (text: string): Generator<TurnPart, void, void> {
    if (text === "") return;
    hasShown = true;
    yield { kind: "text", text };
  };
  for await (const part of readDeltas(
    untilAborted(() => model(request), request.signal, limit),
    leaks,
    turn,
  )) {
    if (part.kind === "text") yield* show(part.text);
    else yield part;
  }
  const { calls, finish, error } = turn;
  // A truncated turn may end inside a leaked call: that is detected, although it is not run.
  // In a response without tools it is removed from the text, but not run either.
  const isExtractable = error === undefined && EXTRACTABLE_FINISHES.has(finish?.reason);
  if (!isExtractable) yield* show(leaks.giveUp());
  const reading = leaks.end();
  yield* show(reading.rest);
  return {
    text: reading.text.trim() === "" ? "" : reading.text,
    calls: calls.isEmpty ? reading.calls.map(modelCall) : calls.end(newId),
    isRecovered: calls.isEmpty && reading.calls.length > 0,
    rejected: reading.rejected,
    hasShown,
    finish: error === undefined ? finish?.reason : "error",
    provider: finish?.provider,
    usage: finish?.usage,
    error: error ?? finish?.error,
  };
}

/** Yields what can be shown after each delta. An exception of the model ends the turn as its error. */
async function* readDeltas(
  deltas: AsyncIterable<ModelDelta>,
  leaks: LeakReader,
  turn: OpenTurn,
): AsyncGenerator<TurnPart, void, void> {
  try {
    for await (const delta of deltas) {
      if (delta.kind === "text") yield { kind: "text", text: await leaks.push(String(delta.text)) };
      else if (delta.kind === "finish") {
        turn.finish = delta;
        return;
      } else {
        yield { kind: "text", text: leaks.giveUp() };
        if (delta.kind === "call") turn.calls.add(delta.call);
        else {
          const { id, name } = turn.calls.addPart(delta);
          const { index, arguments: text = "" } = delta;
          if (text !== "") yield { kind: "arguments", index, callId: id, name, text };
        }
      }
    }
  } catch (thrown) {
    turn.error = thrown ?? new Error("The model failed without a reason.");
  }
}

/** The call without fields that only the scanner needs. */
function modelCall({ id, name, arguments: args, origin, format, repairs }: RecoveredCall): ModelCall {
  return { id, name, arguments: args, origin, format, repairs };
}

/** Iterates the model's deltas; ends immediately on abort, even if the model ignores the signal. */
async function* untilAborted(
  start: () => ReturnType<ModelFunction>,
  signal: AbortSignal,
  limit: <T>(next: Promise<T>) => Promise<T>,
): AsyncGenerator<ModelDelta, void, void> {
  if (signal.aborted) return;
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<{ done: true; value: undefined }>((resolve) => {
    onAbort = () => resolve({ done: true, value: undefined });
    signal.addEventListener("abort", onAbort, { once: true });
  });
  let iterator: AsyncIterator<ModelDelta> | Iterator<ModelDelta> | undefined;
  try {
    const starting = (async () => await start())();
    starting.catch(() => undefined);
    const deltas = await limit(Promise.race([starting, aborted]));
    if ("done" in deltas) {
      // The model may still start later; its stream is closed then.
      starting.then(close, () => undefined);
      return;
    }
    iterator = Symbol.asyncIterator in deltas ? deltas[Symbol.asyncIterator]() : deltas[Symbol.iterator]();
    for (;;) {
      const next = Promise.resolve(iterator.next());
      next.catch(() => undefined);
      const delta = await limit(Promise.race([next, aborted]));
      if (delta.done === true) return;
      yield delta.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not awaited: a generator that hangs would block the loop.
    if (iterator !== undefined) closeIterator(iterator);
  }
}

/** Rejects after the timeout. */
async function within<T>(next: Promise<T>, ms: number, clock: Clock): Promise<T> {
  const timer = new AbortController();
  // Cleared only after the race is over; its result is then ignored.
  const timeout = clock.sleep(ms, timer.signal).then((): Promise<T> => {
    if (timer.signal.aborted) return next;
    throw new Error("The model timed out.");
  });
  try {
    return await Promise.race([next, timeout]);
  } finally {
    timer.abort();
  }
}

function close(deltas: Awaited<ReturnType<ModelFunction>>): void {
  closeIterator(Symbol.asyncIterator in deltas ? deltas[Symbol.asyncIterator]() : deltas[Symbol.iterator]());
}

function closeIterator(iterator: AsyncIterator<ModelDelta> | Iterator<ModelDelta>): void {
  try {
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  } catch {
    // The iterator has ended anyway.
  }
}

interface Parts {
  id: string;
  name: string;
  readonly arguments: string[];
}

/** Assembles streamed calls. Uses a map, because an index can be any number. */
export class CallParts {
  readonly #parts = new Map<number, Parts>();
  readonly #calls: (() => ModelCall)[] = [];

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  add(call: ModelCall): void {
    this.#calls.push(() => call);
  }

  /** Adds a part; returns what is known of its call so far. */
  addPart(delta: ModelDelta & { readonly kind: "call-part" }): { readonly id: string; readonly name: string } {
    const parts = this.#parts.get(delta.index) ?? this.#started(delta.index);
    // Some servers repeat id and name in every part; the first one counts.
    if (parts.id === "" && delta.id !== undefined) parts.id = delta.id;
    if (parts.name === "" && delta.name !== undefined) parts.name = delta.name;
    if (delta.arguments !== undefined) parts.arguments.push(delta.arguments);
    return parts;
  }

  #started(index: number): Parts {
    const parts: Parts = { id: "", name: "", arguments: [] };
    this.#parts.set(index, parts);
    this.#calls.push(() => ({ id: parts.id, name: parts.name, arguments: parts.arguments.join("") }));
    return parts;
  }

  /** The calls in order of appearance, with unique ids. A call that was sent twice under its id counts once. */
  end(newId: () => string): ModelCall[] {
    const used = new Map<string, string>();
    return this.#calls.flatMap((read) => {
      const call = read();
      const identity = fingerprint(call.name, call.arguments);
      const hasId = typeof call.id === "string" && call.id !== "";
      if (hasId && used.get(call.id) === identity) return [];
      const id = hasId && !used.has(call.id) ? call.id : newId();
      used.set(id, identity);
      return id === call.id ? call : { ...call, id };
    });
  }
}
