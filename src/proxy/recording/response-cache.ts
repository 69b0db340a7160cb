import { isReusableId } from "../../core/model/locate-call.ts";
import type { HistoryCall, MadeCall } from "../../core/wire/index.ts";
import type { PromptPosition } from "./prompt-cache.ts";

/** Data of a stored response that a request which sends only its new items does not repeat. */
export interface CachedTurn {
  readonly session_id: string;
  readonly agent_id: string;
  readonly conversation: string;
  /** The calls of the response. The next request contains only their results. */
  readonly calls: readonly MadeCall[];
  /** Occurrences of each reusable id in the history up to here. */
  readonly counts: ReadonlyMap<string, number>;
  readonly promptPosition: PromptPosition;
  /** End of the response. */
  readonly at: number;
}

interface Entry {
  readonly turn: CachedTurn;
  readonly until: number;
  readonly weight: number;
}

export interface ResponseCacheLimits {
  readonly responses?: number;
  /** Approximate characters of keys, ids, names and arguments. */
  readonly weight?: number;
  readonly ttlMs?: number;
}

const HOUR_MS = 3_600_000;
const MAX_CACHE_BYTES = 32 << 20;

/**
 * Caches responses by id, for requests that continue one (`previous_response_id`, `conversation`) instead of sending
 * the history. It provides their session and the calls that results belong to. Bounded in number, size and time;
 * docs/decisions/responses-chain.md describes the behavior after eviction.
 */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>();
  readonly #limits: Required<ResponseCacheLimits>;
  #weight = 0;

  constructor(limits: ResponseCacheLimits = {}) {
    this.#limits = { responses: 5000, weight: MAX_CACHE_BYTES, ttlMs: HOUR_MS, ...limits };
  }

  find(key: string, now: number): CachedTurn | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > now) return entry?.turn;
    this.#remove(key);
    return undefined;
  }

  add(key: string, turn: CachedTurn, now: number): void {
    this.#remove(key);
    const weight = key.length + weightOf(turn);
    this.#entries.set(key, { turn, until: now + this.#limits.ttlMs, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.responses && this.#weight <= this.#limits.weight) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}

/** Approximate size of a map entry or object without its text. */
const ENTRY_OVERHEAD_CHARS = 64;

function weightOf({ calls, counts }: CachedTurn): number {
  let weight = 4 * ENTRY_OVERHEAD_CHARS;
  for (const { id, name, arguments: args } of calls)
    weight += ENTRY_OVERHEAD_CHARS + id.length + name.length + sizeOf(args);
  for (const id of counts.keys()) weight += ENTRY_OVERHEAD_CHARS + id.length;
  return weight;
}

/** Limits for the cached arguments of one call, and of all calls of a response. */
const MAX_ARGUMENT_CHARS = 4096;
const MAX_TURN_CHARS = 64 << 10;

/** Drops long arguments: the record already has them from the response. */
export function trimCalls(calls: readonly MadeCall[]): readonly MadeCall[] {
  let left = MAX_TURN_CHARS;
  return calls.map(({ id, name, arguments: args }) => {
    const size = sizeOf(args);
    if (size > MAX_ARGUMENT_CHARS || size > left) return { id, name, arguments: undefined };
    left -= size;
    return { id, name, arguments: args };
  });
}

function sizeOf(args: unknown): number {
  if (args === undefined) return 0;
  try {
    return typeof args === "string" ? args.length : JSON.stringify(args).length;
  } catch {
    // Nested too deep for JSON.stringify.
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Converts a call of a continuing request to its form in the complete history: counted from the start, a result with
 * its call.
 */
export function continueCall(call: HistoryCall, turn: CachedTurn): HistoryCall {
  const before = turn.counts.get(call.id) ?? 0;
  if (call.name !== undefined) return { ...call, n: before + call.n };
  const made = turn.calls.find(({ id }) => id === call.id);
  return {
    ...call,
    n: Math.max(0, before - 1) + call.n,
    ...(made !== undefined && { name: made.name, arguments: made.arguments }),
  };
}

/** Keeps only reusable ids. Random ids occur once in a history and need no count. */
export function onlyReusable(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...counts].filter(([id]) => isReusableId(id)));
}
