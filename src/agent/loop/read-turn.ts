import type { RecoveredCall } from "../../core/recover/index.ts";
import type { Clock } from "../clock.ts";
import type { ModelCall } from "../model/message.ts";
import type { FinishReason, ModelDelta, ModelFunction, ModelRequest, ModelTurn } from "../model/model-function.ts";
import { CallParts } from "./call-parts.ts";
import type { LeakReader, RejectedCall } from "./leak-reader.ts";

export interface ReadTurn extends ModelTurn {
  /** The calls were written as text. */
  readonly isRecovered: boolean;
  readonly rejected: readonly RejectedCall[];
  /** Some text was given out. */
  readonly hasShown: boolean;
}

export interface TurnSettings {
  readonly clock: Clock;
  readonly newId: () => string;
  /** A model that says nothing for so long has failed. */
  readonly idleMs: number;
}

const READ: ReadonlySet<FinishReason | undefined> = new Set(["stop", "tool-calls", "length"]);

/** Asks the model and reads its turn: gives out text while it comes, and the whole at the end. Never throws. */
export async function* readTurn(
  model: ModelFunction,
  request: ModelRequest,
  leaks: LeakReader,
  { clock, newId, idleMs }: TurnSettings,
): AsyncGenerator<string, ReadTurn, void> {
  const calls = new CallParts();
  let finish: (ModelDelta & { readonly kind: "finish" }) | undefined;
  let error: unknown;
  let hasShown = false;
  try {
    for await (const delta of untilAborted(
      () => model(request),
      request.signal,
      (next) => within(next, idleMs, clock),
    )) {
      let text = "";
      if (delta.kind === "text") text = await leaks.push(String(delta.text));
      else if (delta.kind === "finish") finish = delta;
      else {
        text = leaks.giveUp();
        if (delta.kind === "call") calls.whole(delta.call);
        else calls.part(delta);
      }
      if (text !== "") {
        hasShown = true;
        yield text;
      }
      if (finish !== undefined) break;
    }
  } catch (thrown) {
    error = thrown ?? new Error("The model failed without a reason.");
  }
  // A turn that was cut off may have been cut inside a call: that is found, though it is not run.
  const isRead = error === undefined && READ.has(finish?.reason) && request.toolChoice === "auto";
  if (!isRead) {
    const rest = leaks.giveUp();
    if (rest !== "") {
      hasShown = true;
      yield rest;
    }
  }
  const reading = leaks.end();
  if (reading.rest !== "") {
    hasShown = true;
    yield reading.rest;
  }
  return {
    text: reading.text.trim() === "" ? "" : reading.text,
    calls: calls.isEmpty ? reading.calls.map(modelCall) : calls.end(newId),
    isRecovered: calls.isEmpty && reading.calls.length > 0,
    rejected: reading.rejected,
    hasShown,
    finish: error === undefined ? finish?.reason : "error",
    provider: finish?.provider,
    error: error ?? finish?.error,
  };
}

/** The call, without what only its finder needs. */
function modelCall({ id, name, arguments: args, origin, format, repairs }: RecoveredCall): ModelCall {
  return { id, name, arguments: args, origin, format, repairs };
}

/** The model's pieces; ends at once when aborted, whether the model listens or not. */
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
    const begun = (async () => await start())();
    begun.catch(() => undefined);
    const deltas = await limit(Promise.race([begun, aborted]));
    if ("done" in deltas) {
      // It may still begin: what begins late is closed.
      begun.then(close, () => undefined);
      return;
    }
    iterator = Symbol.asyncIterator in deltas ? deltas[Symbol.asyncIterator]() : deltas[Symbol.iterator]();
    for (;;) {
      const next = Promise.resolve(iterator.next());
      next.catch(() => undefined);
      const { done, value } = await limit(Promise.race([next, aborted]));
      if (done === true) return;
      yield value as ModelDelta;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not waited for: a generator that hangs would hang us.
    if (iterator !== undefined) closeIterator(iterator);
  }
}

/** Rejects when nothing comes in time. */
async function within<T>(next: Promise<T>, ms: number, clock: Clock): Promise<T> {
  const over = new AbortController();
  const late = clock.sleep(ms, over.signal).then(() => {
    if (!over.signal.aborted) throw new Error("The model timed out.");
  });
  try {
    return (await Promise.race([next, late])) as T;
  } finally {
    over.abort();
  }
}

function close(deltas: Awaited<ReturnType<ModelFunction>>): void {
  closeIterator(Symbol.asyncIterator in deltas ? deltas[Symbol.asyncIterator]() : deltas[Symbol.iterator]());
}

function closeIterator(iterator: AsyncIterator<ModelDelta> | Iterator<ModelDelta>): void {
  try {
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  } catch {
    // It was over anyway.
  }
}
