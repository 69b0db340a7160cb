import { setTimeout as sleep } from "node:timers/promises";
import type { StoredCall } from "../../core/repair/index.ts";
import type { KnownCallOrigin, StoreReader } from "../../store/port.ts";
import type { CallVault } from "./call-vault.ts";

const DAY_MS = 24 * 3_600_000;
const MAX_PENDING_CALLS = 5000;
const MAX_PENDING_BYTES = 16 << 20;
const ENTRY_OVERHEAD_CHARS = 128;

/** Access to calls that other servers on the same store repaired. */
export interface SharedRepairs {
  readonly reader: Pick<StoreReader, "callOrigins">;
  /** Flushes everything acknowledged by this server to the store. */
  readonly waitUntilStored: () => Promise<void>;
  readonly timeoutMs?: number;
}

/**
 * Where a repaired call is kept until its result is sent. `record`: its record has complete arguments. `vault`:
 * encrypted in the store. `memory`: only in this process, so that a restart loses it.
 */
export type CallPlace = "record" | "vault" | "memory";

/** What decides where a call may be kept. */
export interface CallPrivacy {
  /** Whether its record stores these arguments completely. */
  capturesWhole(argumentsText: string): boolean;
  /** Whether these arguments must not reach a disk, even encrypted: they contain a secret, or nothing is captured. */
  isMemoryOnly(argumentsText: string): boolean;
}

export interface PendingCallsOptions {
  readonly now: () => number;
  /** Absent if the store belongs to this server alone. */
  readonly shared?: SharedRepairs | undefined;
  /** Absent without a key. */
  readonly vault?: CallVault | undefined;
  readonly onProblem?: (error: unknown) => void;
}

/** Longer arguments stay text. */
const MAX_ARGUMENTS_CHARS = 1 << 20;

/** Longer than another server needs to store a record. Without its call, the upstream would reject the request. */
const LOOKUP_TIMEOUT_MS = 2500;
const FIRST_POLL_DELAY_MS = 20;
const MAX_POLL_DELAY_MS = 150;

/**
 * Repaired calls that the provider's stored conversation does not contain, until the client sends their results. A
 * bounded in-memory copy for checking requests; see {@link CallPlace} for what survives a restart.
 */
export class PendingRepairedCalls {
  readonly #calls = new Map<string, StoredCall & { readonly until: number }>();
  readonly #now: () => number;
  readonly #shared: SharedRepairs | undefined;
  readonly #vault: CallVault | undefined;
  readonly #onProblem: (error: unknown) => void;
  #weight = 0;

  constructor({ now, shared, vault, onProblem = () => undefined }: PendingCallsOptions) {
    this.#now = now;
    this.#shared = shared;
    this.#vault = vault;
    this.#onProblem = onProblem;
  }

  /** Where a call with these arguments would be kept; undefined if it is too long. */
  placeFor(argumentsText: string, privacy: CallPrivacy): CallPlace | undefined {
    if (argumentsText.length > MAX_ARGUMENTS_CHARS) return undefined;
    if (privacy.capturesWhole(argumentsText)) return "record";
    return this.#vault === undefined || privacy.isMemoryOnly(argumentsText) ? "memory" : "vault";
  }

  /** Keeps a repaired call. Must be called before the client can send its result. */
  keep(project: string, id: string, call: StoredCall, privacy: CallPrivacy): void {
    this.add(id, call);
    if (this.placeFor(call.arguments, privacy) !== "vault") return;
    this.#vault?.save({ project, id, call }, this.#now()).catch(this.#onProblem);
  }

  /** The provider has accepted these calls, and has them now. They stay in memory, because the client may retry. */
  markUsed(project: string, ids: readonly string[]): void {
    if (ids.length > 0) this.#vault?.remove(project, ids).catch(this.#onProblem);
  }

  /** Deletes stored calls that are older than a day. */
  async removeExpired(): Promise<void> {
    await this.#vault?.removeBefore(this.#now() - DAY_MS);
  }

  /** Loads calls without a result that earlier runs repaired. */
  async load(reader: Pick<StoreReader, "pendingRepairedCalls">): Promise<void> {
    for (const { id, call } of (await this.#vault?.load(this.#now() - DAY_MS, MAX_PENDING_CALLS)) ?? [])
      this.add(id, call);
    for (const { tool_call_id: id, ...call } of await reader.pendingRepairedCalls(
      this.#now() - DAY_MS,
      MAX_PENDING_CALLS,
    ))
      this.add(id, call);
  }

  /** Whether this server knows no pending calls. Other servers may have some. */
  get isEmpty(): boolean {
    return this.#calls.size === 0;
  }

  /** Whether other servers use the same store and may have repaired a call of a request. */
  get isShared(): boolean {
    return this.#shared !== undefined;
  }

  add(id: string, { name, arguments: args }: StoredCall): void {
    this.#remove(id);
    this.#calls.set(id, { name, arguments: args, until: this.#now() + DAY_MS });
    this.#weight += weightOf(id, { name, arguments: args });
    for (const [oldest, { until }] of this.#calls) {
      if (this.#calls.size <= MAX_PENDING_CALLS && this.#weight <= MAX_PENDING_BYTES && until > this.#now()) break;
      this.#remove(oldest);
    }
  }

  /** Does not remove the call, because the client may retry its request. */
  find(id: string): StoredCall | undefined {
    return this.#calls.get(id);
  }

  /** Stores repaired calls without delay, because the client may send their results to another server. */
  flushStore(): void {
    this.#shared?.waitUntilStored().catch(() => undefined);
  }

  /**
   * Polls the store for calls that other servers repaired, because they may not be stored yet. Bounded, since a client
   * waits.
   */
  async lookUp(project: string, ids: readonly string[]): Promise<void> {
    const { timeoutMs = LOOKUP_TIMEOUT_MS } = this.#shared ?? {};
    const end = performance.now() + timeoutMs;
    let unresolved = ids;
    for (let pause = FIRST_POLL_DELAY_MS; ; pause = Math.min(2 * pause, MAX_POLL_DELAY_MS)) {
      await this.#addSealed(project, unresolved, end);
      unresolved = unresolved.filter((id) => !this.#calls.has(id));
      if (unresolved.length === 0) return;
      const origins = await this.#queryOrigins(project, unresolved, end);
      for (const { tool_call_id, mended } of origins) if (mended !== undefined) this.add(tool_call_id, mended);
      // Another server saves a call before it is recorded, and may have done both since the vault was read.
      const recorded = origins.flatMap(({ tool_call_id: id }) => (this.#calls.has(id) ? [] : [id]));
      if (recorded.length > 0) await this.#addSealed(project, recorded, end);
      // The others are native calls whose ids look like repair ids, or in the memory of their server only.
      const known = new Set(origins.map(({ tool_call_id }) => tool_call_id));
      unresolved = unresolved.filter((id) => !known.has(id));
      const left = end - performance.now();
      if (unresolved.length === 0 || left <= 0) return;
      await sleep(Math.min(pause, left));
    }
  }

  async #addSealed(project: string, ids: readonly string[], end: number): Promise<void> {
    for (const { id, call } of (await this.#within(this.#vault?.find(project, ids), end)) ?? []) this.add(id, call);
  }

  /** Returns nothing if the store is unavailable or too slow. */
  async #queryOrigins(project: string, ids: readonly string[], end: number): Promise<readonly KnownCallOrigin[]> {
    return (await this.#within(this.#shared?.reader.callOrigins(project, ids), end)) ?? [];
  }

  /** Returns undefined if the query fails or takes too long. */
  async #within<T>(query: Promise<T> | undefined, end: number): Promise<T | undefined> {
    if (query === undefined) return undefined;
    const timer = new AbortController();
    const found = await Promise.race([
      query.catch(() => undefined),
      sleep(Math.max(1, end - performance.now()), undefined, { signal: timer.signal }).catch(() => undefined),
    ]);
    timer.abort();
    return found;
  }

  #remove(id: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#weight -= weightOf(id, call);
    this.#calls.delete(id);
  }
}

function weightOf(id: string, { name, arguments: args }: StoredCall): number {
  return ENTRY_OVERHEAD_CHARS + id.length + name.length + args.length;
}
