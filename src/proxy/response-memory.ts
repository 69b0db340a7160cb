import { isReusableId } from "../core/model/place.ts";
import type { HistoryCall, MadeCall } from "../core/wire/index.ts";
import type { AskedSoFar } from "./request-prompts.ts";

/** What a request that sends only its new items leaves to the provider's memory, and therefore to ours. */
export interface RememberedTurn {
  readonly session_id: string;
  readonly agent_id: string;
  readonly conversation: string;
  /** The calls of that answer: the next request brings their results alone. */
  readonly calls: readonly MadeCall[];
  /** How often each id that servers hand out again stands in the history up to here. */
  readonly counts: ReadonlyMap<string, number>;
  /** What people had said up to here. */
  readonly asked: AskedSoFar;
}

interface Entry {
  readonly turn: RememberedTurn;
  readonly until: number;
}

const HOUR_MS = 3_600_000;

/**
 * Answers by id, for requests that go on from one (`previous_response_id`, `conversation`) instead of sending the history: whose they are,
 * and which tools the results belong to. Bounded in number and time; docs/decisions/responses-chain.md says what happens beyond.
 */
export class ResponseMemory {
  readonly #entries = new Map<string, Entry>();
  readonly #limit: number;
  readonly #ttlMs: number;

  constructor(limit = 5000, ttlMs = HOUR_MS) {
    this.#limit = limit;
    this.#ttlMs = ttlMs;
  }

  find(key: string, now: number): RememberedTurn | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > now) return entry?.turn;
    this.#entries.delete(key);
    return undefined;
  }

  add(key: string, turn: RememberedTurn, now: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { turn, until: now + this.#ttlMs });
    if (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value as string);
  }
}

/** A call of a request as it would stand in the whole history: counted from its start, a result with the call it belongs to. */
export function continueCall(call: HistoryCall, turn: RememberedTurn): HistoryCall {
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
