import { isReusableId } from "../../core/model/locate-call.ts";
import type { HistoryCall, MadeCall } from "../../core/wire/index.ts";
import type { PromptPosition } from "./request-prompts.ts";

/** What a request that sends only its new items leaves to the provider's memory, and therefore to ours. */
export interface CachedTurn {
  readonly session_id: string;
  readonly agent_id: string;
  readonly conversation: string;
  /** The calls of that answer: the next request brings their results alone. */
  readonly calls: readonly MadeCall[];
  /** How often each id that servers hand out again stands in the history up to here. */
  readonly counts: ReadonlyMap<string, number>;
  /** What people had said up to here. */
  readonly promptPosition: PromptPosition;
  /** When the answer ended. */
  readonly at: number;
}

interface Entry {
  readonly turn: CachedTurn;
  readonly until: number;
  readonly weight: number;
}

export interface ResponseCacheLimits {
  readonly responses?: number;
  /** Characters, about: of keys, ids, names and arguments. */
  readonly weight?: number;
  readonly ttlMs?: number;
}

const HOUR_MS = 3_600_000;
const MAX_CACHE_BYTES = 32 << 20;

/**
 * Answers by id, for requests that go on from one (`previous_response_id`, `conversation`) instead of sending the history: whose they are,
 * and which tools the results belong to. Bounded in number, size and time; docs/decisions/responses-chain.md says what happens beyond.
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

/** An entry of a map, and an object, take about this much beside their texts. */
const ENTRY_OVERHEAD_CHARS = 64;

function weightOf({ calls, counts }: CachedTurn): number {
  let weight = 4 * ENTRY_OVERHEAD_CHARS;
  for (const { id, name, arguments: args } of calls)
    weight += ENTRY_OVERHEAD_CHARS + id.length + name.length + sizeOf(args);
  for (const id of counts.keys()) weight += ENTRY_OVERHEAD_CHARS + id.length;
  return weight;
}

/** Of one call, and of all calls of an answer. */
const MAX_ARGUMENT_CHARS = 4096;
const MAX_TURN_CHARS = 64 << 10;

/** Calls as they are remembered. Long arguments are not worth their memory: the record has them from the answer. */
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
    // Nested deeper than can be written.
    return Number.POSITIVE_INFINITY;
  }
}

/** A call of a request as it would stand in the whole history: counted from its start, a result with the call it belongs to. */
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

/** Random ids stand once in a history: only the others need counting, and they are few. */
export function onlyReusable(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...counts].filter(([id]) => isReusableId(id)));
}
