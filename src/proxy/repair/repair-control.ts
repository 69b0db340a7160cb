import {
  addOverride,
  type CallRepairChoice,
  type CallRepairMode,
  type CallRepairSettings,
  followedMode,
  isSuspensionActive,
  modeFor,
  possibleModes,
  type RepairMode,
  type RepairModes,
  type RepairOverride,
  type RepairSettings,
  type Suspension,
} from "../../core/repair/index.ts";

/** The configured repair of native calls. */
export type CallRepairConfig = Omit<CallRepairSettings, "mode"> & RepairModes<CallRepairChoice>;

export interface RepairConfig extends Omit<RepairSettings, "calls">, RepairModes {
  /** By default, native calls are repaired where leaks are. */
  readonly calls?: CallRepairConfig;
  /** How long repair is suspended after an upstream rejected a repaired call. */
  readonly suspendForMs?: number;
  /** Removes leaks from the histories that clients send. */
  readonly cleanHistory?: boolean;
}

export interface RepairControlOptions {
  readonly config: RepairConfig;
  /** Overrides from earlier runs. */
  readonly overrides?: readonly RepairOverride[];
  readonly now: () => number;
  /** Saves the overrides for the next run. Throws if that fails. */
  readonly save?: (overrides: readonly RepairOverride[]) => void;
}

export interface RepairStatus extends RepairModes {
  readonly calls: RepairModes<CallRepairChoice>;
  readonly overrides: readonly RepairOverride[];
  /** Active suspensions. */
  readonly suspended: readonly Suspension[];
}

const FOLLOW: CallRepairConfig = { mode: "follow" };

export const SUSPEND_FOR_MS: number = 24 * 3_600_000;
/** With more active suspensions than this, nearly all repair is suspended anyway. */
const MAX_SUSPENSIONS = 1000;
const MAX_KNOWN_SETTINGS = 500;

/** Holds the repair mode of each upstream and model. A change applies to later requests, not to open ones. */
export class RepairControl {
  readonly #options: RepairControlOptions;
  #overrides: readonly RepairOverride[];
  #suspensions: readonly Suspension[] = [];
  /** Cache by upstream, read for every request and cleared when an override changes. */
  readonly #possibleModes = new Map<string, ReadonlySet<RepairMode>>();
  /** Modes of call repair that do not follow those of leak repair. */
  readonly #possibleCallModes = new Map<string, readonly CallRepairMode[]>();

  readonly #settings = new Map<string, RepairSettings>();

  constructor(options: RepairControlOptions) {
    this.#options = options;
    this.#overrides = options.overrides ?? [];
  }

  settingsFor(upstream: string, model: string): RepairSettings {
    const key = `${upstream}\u0000${model}`;
    const known = this.#settings.get(key);
    if (known !== undefined) return known;
    const settings = this.#readSettings(upstream, model);
    if (this.#settings.size >= MAX_KNOWN_SETTINGS) this.#settings.clear();
    // Clients choose the name.
    if (model.length <= 200) this.#settings.set(key, settings);
    return settings;
  }

  #readSettings(upstream: string, model: string): RepairSettings {
    const { calls = FOLLOW, ...config } = this.#options.config;
    const mode = modeFor(config, this.#overrides, upstream, model);
    const choice = modeFor(calls, this.#overrides, upstream, model, "calls");
    const callMode = choice === "follow" ? followedMode(mode) : choice;
    return { ...config, mode, calls: { ...calls, mode: callMode } };
  }

  /** Whether leaks may be detected in responses of this upstream, for any model. */
  couldObserve(upstream: string): boolean {
    const modes = this.#modesOf(upstream);
    return modes.size > 1 || !modes.has("off") || this.#callModesOf(upstream).some((mode) => mode !== "off");
  }

  /** Whether responses of this upstream may be rewritten, for any model. */
  couldRewrite(upstream: string): boolean {
    return this.#couldRepairLeaks(upstream) || this.#callModesOf(upstream).includes("on");
  }

  #couldRepairLeaks(upstream: string): boolean {
    const modes = this.#modesOf(upstream);
    return modes.has("known") || modes.has("any");
  }

  #callModesOf(upstream: string): readonly CallRepairMode[] {
    const known = this.#possibleCallModes.get(upstream);
    if (known !== undefined) return known;
    const choices = possibleModes(this.#options.config.calls ?? FOLLOW, this.#overrides, upstream, "calls");
    const modes = [...choices].flatMap((choice) => (choice === "follow" ? [] : [choice]));
    this.#possibleCallModes.set(upstream, modes);
    return modes;
  }

  /** The cache is bounded: its keys are the configured upstreams. */
  #modesOf(upstream: string): ReadonlySet<RepairMode> {
    const known = this.#possibleModes.get(upstream);
    if (known !== undefined) return known;
    const modes = possibleModes(this.#options.config, this.#overrides, upstream);
    this.#possibleModes.set(upstream, modes);
    return modes;
  }

  /** Whether histories of requests to this upstream may be changed. */
  couldCleanHistory(upstream: string): boolean {
    return this.#options.config.cleanHistory === true && this.couldRewrite(upstream);
  }

  choose(choice: Omit<RepairOverride, "at">): void {
    const override = { ...choice, at: this.#options.now() };
    const overrides = addOverride(this.#overrides, override, (one) => this.#endsSuspension(one));
    this.#options.save?.(overrides);
    this.adopt(overrides);
  }

  /** Replaces the overrides, for example with those set on another server. */
  adopt(overrides: readonly RepairOverride[]): void {
    this.#overrides = overrides;
    this.#settings.clear();
    this.#possibleModes.clear();
    this.#possibleCallModes.clear();
  }

  /**
   * Suspends repair for sessions, and for pairs of upstream and model. A copy for fast checks; the store has them too.
   */
  suspend(suspensions: readonly Suspension[]): void {
    const known = new Set(this.#suspensions.map(suspensionKey));
    const fresh = suspensions.filter((one) => !known.has(suspensionKey(one)));
    this.#suspensions = [...this.#suspensions, ...fresh]
      // Those that an override ended are kept: without the override they would be active again.
      .filter((one) => this.#isRecent(one))
      .sort((a, b) => a.at - b.at)
      .slice(-MAX_SUSPENSIONS);
  }

  /** Called for every request. Calls `session` only if a suspension is active. */
  isSuspended(
    upstream: string,
    model: string,
    session: () => { readonly project: string; readonly session_id: string } | undefined,
  ): boolean {
    if (this.#suspensions.length === 0) return false;
    const active = this.#suspensions.filter((one) => this.#isSuspensionActive(one));
    if (active.some((one) => one.provider === upstream && one.model === model)) return true;
    const own = active.length === 0 ? undefined : session();
    return active.some(({ project, session_id }) => project === own?.project && session_id === own.session_id);
  }

  /** Suspensions before this time have expired. */
  get horizon(): number {
    return this.#options.now() - this.#suspendForMs;
  }

  get status(): RepairStatus {
    const { mode, upstreams = {}, models = {}, calls = FOLLOW } = this.#options.config;
    const suspended = this.#suspensions.filter((one) => this.#isSuspensionActive(one));
    const callModes = { mode: calls.mode, upstreams: calls.upstreams ?? {}, models: calls.models ?? {} };
    return { mode, upstreams, models, calls: callModes, overrides: this.#overrides, suspended };
  }

  get #suspendForMs(): number {
    return this.#options.config.suspendForMs ?? SUSPEND_FOR_MS;
  }

  #isRecent(suspension: Suspension): boolean {
    return isSuspensionActive(suspension, [], this.#suspendForMs, this.#options.now());
  }

  /** Whether the override ends a suspension that has not expired. */
  #endsSuspension(override: RepairOverride): boolean {
    const [duration, now] = [this.#suspendForMs, this.#options.now()];
    return this.#suspensions.some((one) => this.#isRecent(one) && !isSuspensionActive(one, [override], duration, now));
  }

  #isSuspensionActive(suspension: Suspension): boolean {
    return isSuspensionActive(suspension, this.#overrides, this.#suspendForMs, this.#options.now());
  }
}

function suspensionKey({ project, session_id, provider, model, at }: Suspension): string {
  return [project, session_id, provider, model, at].join("\u0000");
}
