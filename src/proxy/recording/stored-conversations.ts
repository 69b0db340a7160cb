import { setTimeout as sleep } from "node:timers/promises";
import type { Workflow } from "../../core/score/workflow/workflow.ts";
import type { StoredResponseKey, StoredTurn, StoreReader } from "../../store/port.ts";
import type { CachedTurn } from "./response-cache.ts";

/** Which answer a request goes on from, and what is waited for. */
export interface ConversationLookup {
  readonly key: StoredResponseKey;
  /** What the memory knows by now. */
  readonly recall: () => CachedTurn | undefined;
  /** Ids of results that the request brings without their calls: some answer made them. */
  readonly results: readonly string[];
  /** How many bytes are kept from being collected meanwhile. */
  readonly size: number;
  /** Others wait for what will be recorded: calls were mended, and their outputs may come to another server. */
  readonly isUrgent?: boolean;
}

export interface StoredConversationsOptions {
  readonly reader: Pick<StoreReader, "threadOfResponse">;
  /** Do other servers write to the same store? Then an answer may be on its way there. */
  readonly isShared: boolean;
  /** Waits until everything acknowledged here is stored. */
  readonly stored: () => Promise<void>;
  readonly timeoutMs?: number;
  /** Reports exceptions. */
  readonly onFailure?: (error: unknown) => void;
}

/** Another server's answer reaches the store after it was gathered and committed, and perhaps waited for itself: 0.3 s, or a few under load. */
const LOOKUP_TIMEOUT_MS = 10_000;
/** Less than a server waits for what another one mended; see `server-state-calls.ts`. */
const URGENT_TIMEOUT_MS = 1500;
const FIRST_POLL_DELAY_MS = 30;
const MAX_POLL_DELAY_MS = 200;
/** Requests are held while they wait. Beyond this, they are recorded with what the memory knows. */
const MAX_WAITING_LOOKUPS = 1000;
const MAX_WAITING_BYTES = 64 << 20;

/**
 * Finds in the store the answers that requests go on from and that the memory does not know: another server saw them, or this one before a restart. Only
 * recording waits for it, never a client, and not for long: what cannot be found is unknown.
 */
export class StoredConversations {
  readonly #options: StoredConversationsOptions;
  readonly #pending = new Set<Promise<void>>();
  #bytes = 0;

  constructor(options: StoredConversationsOptions) {
    this.#options = options;
  }

  /** May the store know a newer answer of a conversation than the memory does? */
  get isShared(): boolean {
    return this.#options.isShared;
  }

  /** Calls `tell` once; at once where too many wait already. It must not throw. */
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

  /** A chain that came from another server goes on at another one: waits must not add up along it. */
  #flushStore(): void {
    if (this.#options.isShared) this.#options.stored().catch(() => undefined);
  }

  /** Everything asked so far has been told. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** `earlier`: what was being looked for when this was asked; its answer may be the one that this goes on from. */
  async #find(lookup: ConversationLookup, earlier: readonly Promise<void>[]): Promise<CachedTurn | undefined> {
    const { isShared, timeoutMs = LOOKUP_TIMEOUT_MS } = this.#options;
    const end = performance.now() + (lookup.isUrgent === true ? Math.min(URGENT_TIMEOUT_MS, timeoutMs) : timeoutMs);
    let best: CachedTurn | undefined;
    for (let pause = FIRST_POLL_DELAY_MS; ; pause = Math.min(pause * 1.5, MAX_POLL_DELAY_MS)) {
      best = betterTurn(lookup, best, lookup.recall());
      // An answer never changes once it has an id; the last one of a conversation does.
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

  /** Nothing where the store is away, or takes too long. */
  async #queryStore(key: StoredResponseKey, withinMs: number): Promise<CachedTurn | undefined> {
    const { reader, isShared, stored } = this.#options;
    const query = async (): Promise<StoredTurn | undefined> => {
      // What was acknowledged before a restart may still be on its way from the journal.
      if (!isShared) await stored();
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

/** The one that made more of the calls whose results came; or else the later one. */
function betterTurn(
  { results }: ConversationLookup,
  a: CachedTurn | undefined,
  b: CachedTurn | undefined,
): CachedTurn | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const more = countOwnResults(results, a) - countOwnResults(results, b);
  return more > 0 || (more === 0 && a.at >= b.at) ? a : b;
}

/** How many of these results the turn made the calls of. */
export function countOwnResults(results: readonly string[], turn: CachedTurn | undefined): number {
  const ids = new Set(turn?.calls.map(({ id }) => id));
  return results.filter((id) => ids.has(id)).length;
}

function toCachedTurn({ counts, asked, calls, ended_at, ...thread }: StoredTurn): CachedTurn {
  const { count = 0, prompt, workflow } = asked ?? {};
  return {
    ...thread,
    at: ended_at,
    calls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    counts: new Map(Object.entries(counts ?? {})),
    promptPosition: { count, ...(prompt !== undefined && { last: { prompt, workflow: workflow as Workflow } }) },
  };
}
