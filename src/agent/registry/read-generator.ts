import { hasFields } from "../../core/model/narrow.ts";

/** More values than a result can sensibly have. */
const MAX_VALUES = 10_000;

interface Running {
  readonly signal: AbortSignal;
  progress(value: unknown): void;
}

/**
 * Reads the generator that a tool returned, exactly once: its values are progress, and its return value is the result;
 * without one, its last value is. A synchronous generator becomes the list of its values. Everything else is returned
 * unchanged.
 */
export async function readGenerator(value: unknown, { signal, progress }: Running): Promise<unknown> {
  if (!isGenerator(value)) return value;
  if (Symbol.iterator in value) return readSync(value as Generator<unknown, unknown>);
  const generator = value as AsyncGenerator<unknown, unknown>;
  // The call ends at its time limit or abort without waiting; the generator must not continue.
  signal.addEventListener("abort", () => void generator.return?.(undefined)?.catch?.(() => undefined), { once: true });
  let last: unknown;
  for (;;) {
    const { done, value: next } = await generator.next();
    if (done === true) return next === undefined ? last : next;
    last = next;
    progress(next);
  }
}

function readSync(generator: Generator<unknown, unknown>): unknown[] {
  const values: unknown[] = [];
  for (const one of generator) {
    values.push(one);
    if (values.length >= MAX_VALUES) break;
  }
  return values;
}

function isGenerator(value: unknown): value is object {
  if (!hasFields(value) || typeof value.next !== "function") return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}
