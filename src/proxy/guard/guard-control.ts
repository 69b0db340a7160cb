import { type GuardMode, type IsIgnored, ignoredBy } from "../../core/loop/index.ts";
import { addOverride, type FeatureModes, type ModeOverride, modeFor, possibleModes } from "../../core/repair/index.ts";

export type GuardModes = FeatureModes<GuardMode>;
export type GuardOverride = ModeOverride<GuardMode>;

export interface GuardConfig extends GuardModes {
  /** Patterns of calls that may repeat. */
  readonly ignore?: readonly string[];
}

export interface GuardControlOptions {
  readonly config: GuardConfig;
  /** Overrides from earlier runs. */
  readonly overrides?: readonly GuardOverride[];
  readonly now: () => number;
  /** Saves the overrides for the next run. Throws if that fails. */
  readonly save?: (overrides: readonly GuardOverride[]) => void;
}

export interface GuardStatus extends GuardModes {
  readonly overrides: readonly GuardOverride[];
}

/** States of conversations that are remembered, so that a client's retries of one request are counted once. */
const MAX_COUNTED_STATES = 4096;

/** Holds the guard's mode for each upstream and model. A change applies to later requests. */
export class GuardControl {
  readonly #options: GuardControlOptions;
  #overrides: readonly GuardOverride[];
  readonly #countedStates = new Set<string>();
  /** Whether a call may repeat. */
  readonly isIgnored: IsIgnored;
  /** Cache by upstream, read for every request. */
  readonly #canAct = new Map<string, boolean>();

  constructor(options: GuardControlOptions) {
    this.#options = options;
    this.#overrides = options.overrides ?? [];
    this.isIgnored = ignoredBy(options.config.ignore ?? []);
  }

  modeFor(upstream: string, model: string): GuardMode {
    return modeFor(this.#options.config, this.#overrides, upstream, model);
  }

  /** Whether requests to this upstream may be changed or refused, for any model. */
  couldAct(upstream: string): boolean {
    const known = this.#canAct.get(upstream);
    if (known !== undefined) return known;
    const modes = possibleModes(this.#options.config, this.#overrides, upstream);
    const canAct = modes.has("note") || modes.has("stop");
    this.#canAct.set(upstream, canAct);
    return canAct;
  }

  /** True the first time. */
  isNewState(state: string): boolean {
    if (this.#countedStates.has(state)) return false;
    this.#countedStates.add(state);
    for (const oldest of this.#countedStates) {
      if (this.#countedStates.size <= MAX_COUNTED_STATES) break;
      this.#countedStates.delete(oldest);
    }
    return true;
  }

  choose(choice: Omit<GuardOverride, "at">): void {
    const overrides = addOverride(this.#overrides, { ...choice, at: this.#options.now() });
    this.#options.save?.(overrides);
    this.adopt(overrides);
  }

  /** Replaces the overrides, for example with those set on another server. */
  adopt(overrides: readonly GuardOverride[]): void {
    this.#overrides = overrides;
    this.#canAct.clear();
  }

  get status(): GuardStatus {
    const { mode, upstreams = {}, models = {} } = this.#options.config;
    return { mode, upstreams, models, overrides: this.#overrides };
  }
}
