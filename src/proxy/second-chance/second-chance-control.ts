import { addOverride, type FeatureModes, type ModeOverride, modeFor, possibleModes } from "../../core/repair/index.ts";
import type { SecondChanceResult } from "../../core/second-chance/index.ts";
import type { SecondChanceMode } from "./modes.ts";

export type SecondChanceModes = FeatureModes<SecondChanceMode>;
export type SecondChanceOverride = ModeOverride<SecondChanceMode>;

export interface SecondChanceLimits {
  /** How long the client waits for a second response. */
  readonly timeoutMs?: number;
  readonly maxPerSession?: number;
  /** A request that cost more uncached input tokens is not sent again. */
  readonly maxInputTokens?: number;
}

export interface SecondChanceConfig extends SecondChanceModes, SecondChanceLimits {}

export interface SecondChanceControlOptions {
  readonly config: SecondChanceConfig;
  /** Overrides from earlier runs. */
  readonly overrides?: readonly SecondChanceOverride[];
  readonly now: () => number;
  /** Saves the overrides for the next run. Throws if that fails. */
  readonly save?: (overrides: readonly SecondChanceOverride[]) => void;
}

export interface SecondChanceStatus extends SecondChanceModes {
  readonly overrides: readonly SecondChanceOverride[];
}

export const SECOND_CHANCE_TIMEOUT_MS = 60_000;
export const MAX_PER_SESSION = 5;
export const MAX_INPUT_TOKENS = 50_000;
/** Enough for all sessions of a day; the oldest are forgotten. */
const MAX_COUNTED_SESSIONS = 10_000;
const MAX_COUNTED_MODELS = 500;
/** Of this many attempts with a model, this share must succeed. */
const JUDGED_ATTEMPTS = 20;
const MIN_HEALED_SHARE = 0.3;
const SUSPENSION_MS = 3_600_000;

interface ModelAttempts {
  readonly healed: readonly boolean[];
  readonly suspendedUntil: number;
}

/**
 * Holds the mode for each upstream and model, and limits what second chances cost. The counts live in this process:
 * after a restart they start at 0.
 */
export class SecondChanceControl {
  readonly #options: SecondChanceControlOptions;
  #overrides: readonly SecondChanceOverride[];
  readonly #canAct = new Map<string, boolean>();
  readonly #sessions = new Map<string, number>();
  readonly #models = new Map<string, ModelAttempts>();
  /** By upstream: the time before which it wants no further request. */
  readonly #pausedUntil = new Map<string, number>();

  constructor(options: SecondChanceControlOptions) {
    this.#options = options;
    this.#overrides = options.overrides ?? [];
  }

  get timeoutMs(): number {
    return this.#options.config.timeoutMs ?? SECOND_CHANCE_TIMEOUT_MS;
  }

  modeFor(upstream: string, model: string): SecondChanceMode {
    return modeFor(this.#options.config, this.#overrides, upstream, model);
  }

  /** Whether responses of this upstream may be asked for again, for any model. */
  couldAct(upstream: string): boolean {
    const known = this.#canAct.get(upstream);
    if (known !== undefined) return known;
    const canAct = possibleModes(this.#options.config, this.#overrides, upstream).has("on");
    this.#canAct.set(upstream, canAct);
    return canAct;
  }

  /** Whether the limits allow another request. Counts it. */
  take(upstream: string, model: string, session: string | undefined, inputTokens: number): boolean {
    const { maxPerSession = MAX_PER_SESSION, maxInputTokens = MAX_INPUT_TOKENS } = this.#options.config;
    const now = this.#options.now();
    const used = session === undefined ? 0 : (this.#sessions.get(session) ?? 0);
    if (used >= maxPerSession || inputTokens > maxInputTokens) return false;
    if (now < (this.#pausedUntil.get(upstream) ?? 0)) return false;
    if (now < (this.#models.get(modelKey(upstream, model))?.suspendedUntil ?? 0)) return false;
    if (session !== undefined) setBounded(this.#sessions, session, used + 1, MAX_COUNTED_SESSIONS);
    return true;
  }

  /** Suspends a model with which few second chances succeed. */
  record(upstream: string, model: string, result: SecondChanceResult): void {
    if (result === "client_gone") return;
    const key = modelKey(upstream, model);
    const known = this.#models.get(key)?.healed ?? [];
    const healed = [...known, result === "healed" || result === "text"].slice(-JUDGED_ATTEMPTS);
    const share = healed.filter(Boolean).length / healed.length;
    const isSuspended = healed.length === JUDGED_ATTEMPTS && share < MIN_HEALED_SHARE;
    const next = isSuspended
      ? { healed: [], suspendedUntil: this.#options.now() + SUSPENSION_MS }
      : { healed, suspendedUntil: 0 };
    setBounded(this.#models, key, next, MAX_COUNTED_MODELS);
  }

  /** The upstream wants no request for this long. */
  pause(upstream: string, ms: number): void {
    this.#pausedUntil.set(upstream, this.#options.now() + ms);
  }

  choose(choice: Omit<SecondChanceOverride, "at">): void {
    const overrides = addOverride(this.#overrides, { ...choice, at: this.#options.now() });
    this.#options.save?.(overrides);
    this.adopt(overrides);
  }

  /** Replaces the overrides, for example with those set on another server. */
  adopt(overrides: readonly SecondChanceOverride[]): void {
    this.#overrides = overrides;
    this.#canAct.clear();
  }

  get status(): SecondChanceStatus {
    const { mode, upstreams = {}, models = {} } = this.#options.config;
    return { mode, upstreams, models, overrides: this.#overrides };
  }
}

function modelKey(upstream: string, model: string): string {
  return `${upstream}\u0000${model}`;
}

/** Sets an entry as the newest one, and removes the oldest above the limit. */
function setBounded<V>(map: Map<string, V>, key: string, value: V, limit: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) break;
    map.delete(oldest);
  }
}
