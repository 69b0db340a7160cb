import { setTimeout as sleep } from "node:timers/promises";
import type { Workflow } from "../../core/score/workflow/workflow.ts";
import type { StoredResponseKey, StoredTurn, StoreReader } from "../../store/port.ts";
import type { CachedTurn } from "./response-cache.ts";

/** A lookup of the response that a request continues. */
export interface ConversationLookup {
  readonly key: StoredResponseKey;
  /** Reads the cache again. */
  readonly recall: () => CachedTurn | undefined;
  /** Ids of results that the request contains without their calls. */
  readonly results: readonly string[];
  /** Bytes retained in memory during the lookup. */
  readonly size: number;
  /** The response has repaired calls, whose outputs may be sent to another server that waits for their record. */
  readonly isUrgent?: boolean;
}

export interface StoredConversationsOptions {
  readonly reader: Pick<StoreReader, "threadOfResponse">;
  /** Other servers write to the same store, so a response may not be stored yet. */
  readonly isShared: boolean;
  /** Waits until everything acknowledged by this server is stored. */
  readonly waitUntilStored: () => Promise<void>;
  readonly timeoutMs?: number;
  /** Reports exceptions. */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Another server stores a response after batching, committing and possibly its own lookup: 0.3 s, or a few seconds
 * under load.
 */
const LOOKUP_TIMEOUT_MS = 10_000;
/** Shorter than a server waits for calls that another one repaired; see `pending-repaired-calls.ts`. */
const URGENT_TIMEOUT_MS = 1500;
const FIRST_POLL_DELAY_MS = 30;
const MAX_POLL_DELAY_MS = 200;
/** A request stays in memory during its lookup. Above these limits it is recorded with the cached data only. */
const MAX_WAITING_LOOKUPS = 1000;
const MAX_WAITING_BYTES = 64 << 20;

/**
 * Looks up uncached responses in the store: those handled by another server, or by this one before a restart. Only
 * recording waits for a lookup, never a client. After the timeout the response counts as unknown.
 */
export class StoredConversations {
  readonly #options: StoredConversationsOptions;
  readonly #pending = new Set<Promise<void>>();
  #bytes = 0;

  constructor(options: StoredConversationsOptions) {
    this.#options = options;
  }

  /** Whether the store may have a newer response of a conversation than the cache. */
  get isShared(): boolean {
    return this.#options.isShared;
  }

  /** Calls `onTurn` once, synchronously if too many lookups are pending. `onTurn` must not throw. */
  find(lookup: ConversationLookup, onTurn: (turn: CachedTurn | undefined) => void): void {
    if (this.#pending.size >= MAX_WAITING_LOOKUPS || this.#bytes + lookup.size > MAX_WAITING_BYTES) {
      onTurn(lookup.recall());
      return;
    }
    this.#bytes += lookup.size;
    const work = this.#find(lookup, [...this.#pending])
      .then((turn) => {
        onTurn(turn);
        this.#flushStore();
      })
      .catch((error: unknown) => this.#options.onFailure?.(error))
      .finally(() => {
        this.#bytes -= lookup.size;
        this.#pending.delete(work);
      });
    this.#pending.add(work);
  }

  /** Stores the result without delay: the conversation may continue on another server, and delays must not add up. */
  #flushStore(): void {
    if (this.#options.isShared) this.#options.waitUntilStored().catch(() => undefined);
  }

  /** Waits for all lookups started so far. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /**
   * `earlier` are the lookups that were pending at the start. One of them may record the response that this one needs.
   */
  async #find(lookup: ConversationLookup, earlier: readonly Promise<void>[]): Promise<CachedTurn | undefined> {
    const { isShared, timeoutMs = LOOKUP_TIMEOUT_MS } = this.#options;
    const end = performance.now() + (lookup.isUrgent === true ? Math.min(URGENT_TIMEOUT_MS, timeoutMs) : timeoutMs);
    let best: CachedTurn | undefined;
    for (let pause = FIRST_POLL_DELAY_MS; ; pause = Math.min(pause * 1.5, MAX_POLL_DELAY_MS)) {
      best = betterTurn(lookup, best, lookup.recall());
      // A response never changes; the latest response of a conversation does.
      if (best !== undefined && (lookup.key.kind === "answer" || !isShared)) return best;
      best = betterTurn(lookup, best, await this.#queryStore(lookup.key, end - performance.now()));
      const left = end - performance.now();
      if (isEnough(lookup, best) || left <= 0) return best;
      if (!isShared) {
        await Promise.all(earlier);
        return betterTurn(lookup, best, lookup.recall());
      }
      await sleep(Math.min(pause, left));
    }
  }

  /** Returns undefined if the store is unavailable or too slow. */
  async #queryStore(key: StoredResponseKey, withinMs: number): Promise<CachedTurn | undefined> {
    const { reader, isShared, waitUntilStored } = this.#options;
    const query = async (): Promise<StoredTurn | undefined> => {
      // Observations acknowledged before a restart may still be in the journal.
      if (!isShared) await waitUntilStored();
      return await reader.threadOfResponse(key);
    };
    const timer = new AbortController();
    const found = await Promise.race([
      query().catch(() => undefined),
      sleep(Math.max(1, withinMs), undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    return found && toCachedTurn(found);
  }
}

function isEnough({ key, results }: ConversationLookup, turn: CachedTurn | undefined): boolean {
  return key.kind === "answer" ? turn !== undefined : countOwnResults(results, turn) === results.length;
}

/** Returns the turn that made more of the calls with results, or the later one. */
function betterTurn(
  { results }: ConversationLookup,
  a: CachedTurn | undefined,
  b: CachedTurn | undefined,
): CachedTurn | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const more = countOwnResults(results, a) - countOwnResults(results, b);
  return more > 0 || (more === 0 && a.at >= b.at) ? a : b;
}

/** Counts the results whose calls the turn made. */
export function countOwnResults(results: readonly string[], turn: CachedTurn | undefined): number {
  const ids = new Set(turn?.calls.map(({ id }) => id));
  return results.filter((id) => ids.has(id)).length;
}

function toCachedTurn({ counts, prompt_position, calls, ended_at, ...thread }: StoredTurn): CachedTurn {
  const { count = 0, prompt, workflow } = prompt_position ?? {};
  return {
    ...thread,
    at: ended_at,
    calls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    counts: new Map(Object.entries(counts ?? {})),
    // Written by this program; a name of a newer version is passed on as it is.
    promptPosition: { count, ...(prompt !== undefined && { last: { prompt, workflow: workflow as Workflow } }) },
  };
}
