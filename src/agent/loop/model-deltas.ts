import type { Clock } from "../clock.ts";
import type { ModelDelta, ModelFunction } from "../model/model-function.ts";

/** Iterates the model's deltas; ends immediately on abort, even if the model ignores the signal. */
export async function* untilAborted(
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
export async function within<T>(next: Promise<T>, ms: number, clock: Clock): Promise<T> {
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
