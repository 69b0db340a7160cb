import type { HistoryCall } from "../../core/wire/index.ts";

/** The recorded calls of one thread, and their approximate size in characters. */
interface CachedThread {
  readonly calls: Map<string, number>;
  weight: number;
}

export interface RecordedCallLimits {
  readonly calls?: number;
  /** Approximate characters. Needed in addition to `calls`, because models and clients choose the length of ids. */
  readonly weight?: number;
}

/** Approximate size of a map entry without its text. */
const ENTRY_OVERHEAD_CHARS = 32;

/**
 * Remembers which calls of a history are recorded, so that only the new calls of a resent history are processed.
 * Eviction is harmless: the store counts each call once, even if it is recorded again.
 */
export class RecordedCallCache {
  /** By thread, oldest first. Thread names are long, and the calls of a history share one. */
  readonly #threads = new Map<string, CachedThread>();
  readonly #limits: Required<RecordedCallLimits>;
  #latest: CachedThread | undefined;
  #size = 0;
  #weight = 0;

  constructor(limits: RecordedCallLimits = {}) {
    this.#limits = { calls: 50_000, weight: 16 << 20, ...limits };
  }

  /** Returns the recorded calls of a thread and the size of each. */
  of(thread: string): ReadonlyMap<string, number> {
    return this.#threads.get(thread)?.calls ?? EMPTY_CALLS;
  }

  /** Adds calls by {@link callCacheKey}. The size distinguishes a call from the same call with its result. */
  add(thread: string, calls: readonly (readonly [key: string, size: number])[]): void {
    if (calls.length === 0) return;
    const before = this.#threads.get(thread);
    const known = before ?? { calls: new Map(), weight: 0 };
    const [size, weight] = [known.calls.size, known.weight];
    if (before === undefined) known.weight = ENTRY_OVERHEAD_CHARS + thread.length;
    for (const [key, callSize] of calls) {
      if (!known.calls.has(key)) known.weight += ENTRY_OVERHEAD_CHARS + key.length;
      known.calls.set(key, callSize);
    }
    // Re-inserted at the end, so that active threads are evicted last.
    if (before !== undefined && this.#latest !== before) this.#threads.delete(thread);
    if (this.#latest !== known) this.#threads.set(thread, known);
    this.#latest = known;
    this.#size += known.calls.size - size;
    this.#weight += known.weight - weight;
    for (const [name, oldest] of this.#threads) {
      if (this.#size <= this.#limits.calls && this.#weight <= this.#limits.weight) break;
      this.#threads.delete(name);
      this.#size -= oldest.calls.size;
      this.#weight -= oldest.weight;
      if (oldest === known) this.#latest = undefined;
    }
  }
}

const EMPTY_CALLS: ReadonlyMap<string, number> = new Map();

/** Key of a call in its thread: its id and the number of earlier calls with the same id. */
export function callCacheKey(id: string, n: number): string {
  return n === 0 ? id : `${id}\u0000${n}`;
}

/**
 * Distinguishes a call from the same call with its result, and a result from a replaced one, without comparing texts.
 */
export function resultSize({ result, unanswered }: HistoryCall): number {
  if (result === undefined) return unanswered === true ? -2 : -1;
  const { content } = result;
  if (typeof content === "string") return content.length;
  if (typeof content !== "object" || content === null) return textLength(content);
  const known = CONTENT_SIZES.get(content);
  if (known !== undefined) return known;
  const size = textLength(content);
  CONTENT_SIZES.set(content, size);
  return size;
}

/** Of results that are lists of parts. They are the same objects in each request of a remembered conversation. */
const CONTENT_SIZES = new WeakMap<object, number>();

function textLength(content: unknown): number {
  try {
    return JSON.stringify(content ?? "").length;
  } catch {
    // Nested too deep for JSON.stringify.
    return 0;
  }
}
