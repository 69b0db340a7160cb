import { isArray, isObject } from "../../core/model/narrow.ts";
import { type Overlap, RememberedBody, type RememberedValue } from "./remembered-body.ts";

export interface BodyMemoryOptions {
  /** Memory for bytes and values together. */
  readonly maxBytes: number;
  /** A conversation without requests for this long is dropped. */
  readonly idleMs?: number;
  readonly now: () => number;
}

/** A large body that is read value by value. Both functions throw if it is not JSON. */
export interface SlowRead {
  /** Returns whether there is more to read. */
  readonly step: () => boolean;
  /** Reads what is left. */
  readonly end: () => RememberedValue;
}

interface Entry {
  readonly remembered: RememberedBody;
  readonly key: string;
  weight: number;
  usedAt: number;
}

/** Below this, parsing costs less than comparing. */
const MIN_BYTES = 8 << 10;
/** Parsing more than this in one go delays other requests. */
const LARGE_BYTES = 1 << 20;
/** A client may run several agents under one key; beyond this, the one unused longest makes room. */
const MAX_PER_KEY = 8;
/** A body that repeats less than this of another is read whole. */
const MIN_SHARE = 0.2;
/** A body that repeats this much is the next one of the conversation, else another one with the same tools. */
const SAME_SHARE = 0.8;
const IDLE_MS = 10 * 60_000;

/**
 * Remembers the last request of each conversation, because agents send all of it again with every request. Reading the
 * next one then costs what is new in it, and what is not, is the same objects as before. Losing an entry costs time
 * only.
 */
export class BodyMemory {
  readonly #options: BodyMemoryOptions;
  /** The entry used last is at the end. */
  readonly #entries = new Set<Entry>();
  readonly #byKey = new Map<string, Entry[]>();
  #weight = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BodyMemoryOptions) {
    this.#options = options;
  }

  /** Approximate bytes in use. */
  get weight(): number {
    return this.#weight;
  }

  /**
   * Reads a body. The key must distinguish clients that must not learn from each other. Returns undefined if the body
   * is not remembered, or not JSON: then it must be read whole.
   */
  read(key: () => string, chunks: readonly Buffer[]): RememberedValue | undefined {
    const size = sizeOf(chunks);
    if (!this.#accepts(size)) return undefined;
    try {
      const name = key();
      return this.#update(name, chunks, size) ?? this.#add(name, chunks, size);
    } catch {
      return undefined;
    }
  }

  /** Whether the last body of this key declares tools, so that the next one most likely does. */
  hasTools(key: () => string): boolean {
    if (this.#entries.size === 0) return false;
    const body = this.#byKey.get(key())?.[0]?.remembered.value.body;
    return isObject(body) && isArray(body.tools) && body.tools.length > 0;
  }

  /**
   * Starts to read a large body of which nothing is known, so that it need not be read in one go. Returns undefined if
   * {@link read} does not take long, or if the body is not remembered.
   */
  readSlowly(key: () => string, chunks: readonly Buffer[]): SlowRead | undefined {
    const size = sizeOf(chunks);
    if (size < LARGE_BYTES || !this.#accepts(size)) return undefined;
    const name = key();
    const steps = this.#closest(name, chunks, size) === undefined ? RememberedBody.inSteps(chunks, size) : undefined;
    if (steps === undefined) return undefined;
    return {
      step: steps.step,
      end: () => this.#insert({ remembered: steps.end(), key: name, weight: 0, usedAt: 0 }),
    };
  }

  #accepts(size: number): boolean {
    return size >= MIN_BYTES && 4 * size <= this.#options.maxBytes;
  }

  /** Forgets everything. */
  clear(): void {
    for (const entry of this.#entries) this.#remove(entry);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Finds the body that this one has most in common with. */
  #closest(key: string, chunks: readonly Buffer[], size: number): { entry: Entry; shared: Overlap } | undefined {
    let best: Entry | undefined;
    let shared = { prefix: 0, suffix: 0 };
    for (const entry of this.#byKey.get(key) ?? []) {
      const overlap = entry.remembered.overlap(chunks, size);
      if (best !== undefined && total(overlap) <= total(shared)) continue;
      [best, shared] = [entry, overlap];
      if (total(shared) >= SAME_SHARE * entry.remembered.size) break;
    }
    return best === undefined || total(shared) < MIN_SHARE * size ? undefined : { entry: best, shared };
  }

  #update(key: string, chunks: readonly Buffer[], size: number): RememberedValue | undefined {
    const closest = this.#closest(key, chunks, size);
    if (closest === undefined) return undefined;
    const { entry: best, shared } = closest;
    if (total(shared) < SAME_SHARE * best.remembered.size)
      return this.#insert({ remembered: best.remembered.fork(chunks, size, shared), key, weight: 0, usedAt: 0 });
    // If reading fails, the entry is gone.
    this.#remove(best);
    best.remembered.update(chunks, size, shared);
    return this.#insert(best);
  }

  #add(key: string, chunks: readonly Buffer[], size: number): RememberedValue | undefined {
    const remembered = RememberedBody.read(chunks, size);
    return remembered && this.#insert({ remembered, key, weight: 0, usedAt: 0 });
  }

  #insert(entry: Entry): RememberedValue {
    const { maxBytes, now } = this.#options;
    entry.weight = entry.remembered.weight;
    entry.usedAt = now();
    this.#weight += entry.weight;
    this.#entries.add(entry);
    const same = this.#byKey.get(entry.key) ?? [];
    this.#byKey.set(entry.key, [entry, ...same]);
    if (same.length >= MAX_PER_KEY) this.#remove(same.at(-1) as Entry);
    for (const oldest of this.#entries) {
      if (this.#weight <= maxBytes || oldest === entry) break;
      this.#remove(oldest);
    }
    this.#timer ??= setTimeout(() => this.#dropIdle(), this.#idleMs).unref();
    return entry.remembered.value;
  }

  #remove(entry: Entry): void {
    if (!this.#entries.delete(entry)) return;
    this.#weight -= entry.weight;
    const others = this.#byKey.get(entry.key)?.filter((one) => one !== entry) ?? [];
    if (others.length > 0) this.#byKey.set(entry.key, others);
    else this.#byKey.delete(entry.key);
  }

  get #idleMs(): number {
    return this.#options.idleMs ?? IDLE_MS;
  }

  #dropIdle(): void {
    this.#timer = undefined;
    const before = this.#options.now() - this.#idleMs;
    for (const entry of this.#entries) {
      if (entry.usedAt > before) break;
      this.#remove(entry);
    }
    if (this.#entries.size > 0) this.#timer = setTimeout(() => this.#dropIdle(), this.#idleMs).unref();
  }
}

function total({ prefix, suffix }: Overlap): number {
  return prefix + suffix;
}

function sizeOf(chunks: readonly Buffer[]): number {
  let size = 0;
  for (const chunk of chunks) size += chunk.length;
  return size;
}
