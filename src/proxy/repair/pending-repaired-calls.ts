import { setTimeout as sleep } from "node:timers/promises";
import type { KeptCall } from "../../core/repair/index.ts";
import type { KnownCallOrigin, StoreReader } from "../../store/port.ts";

const DAY_MS = 24 * 3_600_000;
const MAX_PENDING_CALLS = 5000;
const MAX_PENDING_BYTES = 16 << 20;
const ENTRY_OVERHEAD_CHARS = 128;

/** What other servers mended stands in a store that all of them write. */
export interface SharedRepairs {
  readonly reader: Pick<StoreReader, "madeCalls">;
  /** Stores everything acknowledged here. */
  readonly stored: () => Promise<void>;
  readonly timeoutMs?: number;
}

/** Longer than a record takes from another server's journal to the store: a request without its call would be refused. */
const LOOKUP_TIMEOUT_MS = 2500;
const FIRST_POLL_DELAY_MS = 20;
const MAX_POLL_DELAY_MS = 150;

/**
 * Mended calls that the provider's copy of a conversation does not have, until the client answers them. The store keeps them, as calls without
 * a result; this is what requests are held against.
 */
export class PendingRepairedCalls {
  readonly #calls = new Map<string, KeptCall & { readonly until: number }>();
  readonly #now: () => number;
  readonly #shared: SharedRepairs | undefined;
  #weight = 0;

  constructor(now: () => number, shared?: SharedRepairs) {
    this.#now = now;
    this.#shared = shared;
  }

  /** What earlier runs mended and nobody has answered yet. */
  async load(reader: Pick<StoreReader, "pendingRepairedCalls">): Promise<void> {
    for (const { tool_call_id: id, ...call } of await reader.pendingRepairedCalls(
      this.#now() - DAY_MS,
      MAX_PENDING_CALLS,
    ))
      this.add(id, call);
  }

  /** Is there nothing that a request could lack? What other servers mended is not among it. */
  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  /** May other servers have mended what a request answers? */
  get isShared(): boolean {
    return this.#shared !== undefined;
  }

  add(id: string, { name, arguments: args }: KeptCall): void {
    this.#remove(id);
    this.#calls.set(id, { name, arguments: args, until: this.#now() + DAY_MS });
    this.#weight += weightOf(id, { name, arguments: args });
    for (const [oldest, { until }] of this.#calls) {
      if (this.#calls.size <= MAX_PENDING_CALLS && this.#weight <= MAX_PENDING_BYTES && until > this.#now()) break;
      this.#remove(oldest);
    }
  }

  /** Kept after it was found: a client may send its request again. */
  find(id: string): KeptCall | undefined {
    return this.#calls.get(id);
  }

  /** Calls were mended here, and acknowledged: a client may answer them at another server in a moment. */
  flushStore(): void {
    this.#shared?.stored().catch(() => undefined);
  }

  /** Looks for calls that other servers mended. Their record may still be on its way, so not only once; but somebody waits, so not for long. */
  async lookUp(project: string, ids: readonly string[]): Promise<void> {
    const { timeoutMs = LOOKUP_TIMEOUT_MS } = this.#shared ?? {};
    const end = performance.now() + timeoutMs;
    let unresolved = ids;
    for (let pause = FIRST_POLL_DELAY_MS; ; pause = Math.min(2 * pause, MAX_POLL_DELAY_MS)) {
      const origins = await this.#queryOrigins(project, unresolved, end - performance.now());
      for (const { tool_call_id, mended } of origins) if (mended !== undefined) this.add(tool_call_id, mended);
      // One that the model made itself looks like ours by accident.
      const known = new Set(origins.map(({ tool_call_id }) => tool_call_id));
      unresolved = unresolved.filter((id) => !known.has(id));
      const left = end - performance.now();
      if (unresolved.length === 0 || left <= 0) return;
      await sleep(Math.min(pause, left));
    }
  }

  /** Nothing where the store is away, or takes too long. */
  async #queryOrigins(project: string, ids: readonly string[], withinMs: number): Promise<readonly KnownCallOrigin[]> {
    const timer = new AbortController();
    const origins = await Promise.race([
      this.#shared?.reader.madeCalls(project, ids).catch(() => undefined),
      sleep(Math.max(1, withinMs), undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    return origins ?? [];
  }

  #remove(id: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#weight -= weightOf(id, call);
    this.#calls.delete(id);
  }
}

function weightOf(id: string, { name, arguments: args }: KeptCall): number {
  return ENTRY_OVERHEAD_CHARS + id.length + name.length + args.length;
}
