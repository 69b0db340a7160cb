/**
 * Remembers which calls of a history were recorded already, so that a client that resends its whole history costs what is new in it. Only a
 * shortcut: the store counts once whatever arrives, and a forgotten entry is merely recorded again.
 */
export class SeenCalls {
  /** By thread, oldest first: the names of threads are long, and all calls of one history share it. */
  readonly #threads = new Map<string, Map<string, number>>();
  readonly #limit: number;
  #size = 0;

  constructor(limit = 50_000) {
    this.#limit = limit;
  }

  /** What is known of one thread. */
  of(thread: string): ReadonlyMap<string, number> {
    return this.#threads.get(thread) ?? NOTHING;
  }

  /** Calls by {@link seenKey}, each with a size that tells it from the same call with its result. */
  add(thread: string, calls: readonly (readonly [key: string, size: number])[]): void {
    if (calls.length === 0) return;
    const known = this.#threads.get(thread) ?? new Map<string, number>();
    this.#size -= known.size;
    for (const [key, size] of calls) known.set(key, size);
    this.#size += known.size;
    // Threads that still talk are the newest.
    this.#threads.delete(thread);
    this.#threads.set(thread, known);
    for (const [oldest, { size }] of this.#threads) {
      if (this.#size <= this.#limit) break;
      this.#threads.delete(oldest);
      this.#size -= size;
    }
  }
}

const NOTHING: ReadonlyMap<string, number> = new Map();

/** A call inside its thread: its id, and how often that stood there before. */
export function seenKey(id: string, n: number): string {
  return n === 0 ? id : `${id}\u0000${n}`;
}
