/** What is known of one thread, and about how many characters that takes. */
interface CachedThread {
  readonly calls: Map<string, number>;
  weight: number;
}

export interface RecordedCallLimits {
  readonly calls?: number;
  /** Characters, about: ids are as long as a model or a client makes them. */
  readonly weight?: number;
}

/** An entry of a map takes about this much beside its text. */
const ENTRY_OVERHEAD_CHARS = 32;

/**
 * Remembers which calls of a history were recorded already, so that a client that resends its whole history costs what is new in it. Only a
 * shortcut: the store counts once whatever arrives, and a forgotten entry is merely recorded again.
 */
export class RecordedCallCache {
  /** By thread, oldest first: the names of threads are long, and all calls of one history share it. */
  readonly #threads = new Map<string, CachedThread>();
  readonly #limits: Required<RecordedCallLimits>;
  #size = 0;
  #weight = 0;

  constructor(limits: RecordedCallLimits = {}) {
    this.#limits = { calls: 50_000, weight: 16 << 20, ...limits };
  }

  /** What is known of one thread. */
  of(thread: string): ReadonlyMap<string, number> {
    return this.#threads.get(thread)?.calls ?? NO_CALLS;
  }

  /** Calls by {@link callCacheKey}, each with a size that tells it from the same call with its result. */
  add(thread: string, calls: readonly (readonly [key: string, size: number])[]): void {
    if (calls.length === 0) return;
    const known = this.#threads.get(thread) ?? { calls: new Map(), weight: 0 };
    this.#remove(thread);
    if (known.weight === 0) known.weight = ENTRY_OVERHEAD_CHARS + thread.length;
    for (const [key, size] of calls) {
      if (!known.calls.has(key)) known.weight += ENTRY_OVERHEAD_CHARS + key.length;
      known.calls.set(key, size);
    }
    // Threads that still talk are the newest.
    this.#threads.set(thread, known);
    this.#size += known.calls.size;
    this.#weight += known.weight;
    for (const oldest of this.#threads.keys()) {
      if (this.#size <= this.#limits.calls && this.#weight <= this.#limits.weight) break;
      this.#remove(oldest);
    }
  }

  #remove(thread: string): void {
    const known = this.#threads.get(thread);
    if (known === undefined) return;
    this.#threads.delete(thread);
    this.#size -= known.calls.size;
    this.#weight -= known.weight;
  }
}

const NO_CALLS: ReadonlyMap<string, number> = new Map();

/** A call inside its thread: its id, and how often that stood there before. */
export function callCacheKey(id: string, n: number): string {
  return n === 0 ? id : `${id}\u0000${n}`;
}
