import {
  addOverride,
  isSuspensionActive,
  modeFor,
  possibleModes,
  type RepairMode,
  type RepairModes,
  type RepairOverride,
  type RepairSettings,
  type Suspension,
} from "../../core/repair/index.ts";

/** What the configuration says about repair. */
export interface RepairConfig extends RepairSettings, RepairModes {
  /** How long repair rests after an upstream did not take back a call of ours. */
  readonly suspendForMs?: number;
  /** Leaks are taken out of the histories that clients send. */
  readonly cleanHistory?: boolean;
}

export interface RepairControlOptions {
  readonly config: RepairConfig;
  /** Chosen in earlier runs. */
  readonly choices?: readonly RepairOverride[];
  readonly now: () => number;
  /** Keeps the choices for the next run; throws when it cannot. */
  readonly save?: (choices: readonly RepairOverride[]) => void;
}

/** How repair stands, for people and programs. */
export interface RepairStatus extends RepairModes {
  readonly choices: readonly RepairOverride[];
  /** Sessions, upstreams and models for which it rests now. */
  readonly suspended: readonly Suspension[];
}

export const SUSPEND_FOR_MS: number = 24 * 3_600_000;
/** More than these at a time would mean that nothing is mended anywhere. */
const MAX_SUSPENSIONS = 1000;

/** Says for each request whether its answer may be mended. May be changed at any time: what is under way keeps what it began with. */
export class RepairControl {
  readonly #options: RepairControlOptions;
  #choices: readonly RepairOverride[];
  #suspensions: readonly Suspension[] = [];
  /** By upstream; asked for every request, and known until somebody chooses otherwise. */
  readonly #possibleModes = new Map<string, ReadonlySet<RepairMode>>();

  constructor(options: RepairControlOptions) {
    this.#options = options;
    this.#choices = options.choices ?? [];
  }

  settingsFor(upstream: string, model: string): RepairSettings {
    const { config } = this.#options;
    return { ...config, mode: modeFor(config, this.#choices, upstream, model) };
  }

  /** May leaks be looked for in answers of this upstream? */
  couldObserve(upstream: string): boolean {
    const modes = this.#modesOf(upstream);
    return modes.size > 1 || !modes.has("off");
  }

  /** May answers of this upstream be changed? */
  couldRewrite(upstream: string): boolean {
    const modes = this.#modesOf(upstream);
    return modes.has("known") || modes.has("any");
  }

  /** Upstreams are as many as the configuration names. */
  #modesOf(upstream: string): ReadonlySet<RepairMode> {
    const known = this.#possibleModes.get(upstream);
    if (known !== undefined) return known;
    const modes = possibleModes(this.#options.config, this.#choices, upstream);
    this.#possibleModes.set(upstream, modes);
    return modes;
  }

  /** May requests to this upstream be changed? */
  couldCleanHistory(upstream: string): boolean {
    return this.#options.config.cleanHistory === true && this.couldRewrite(upstream);
  }

  choose(choice: Omit<RepairOverride, "at">): void {
    const choices = addOverride(this.#choices, { ...choice, at: this.#options.now() });
    this.#options.save?.(choices);
    this.adopt(choices);
  }

  /** What was chosen at another server. */
  adopt(choices: readonly RepairOverride[]): void {
    this.#choices = choices;
    this.#possibleModes.clear();
  }

  /** Repair rests for the session, and for the upstream and model. The store keeps it; this is what requests are held against. */
  suspend(suspensions: readonly Suspension[]): void {
    const known = new Set(this.#suspensions.map(suspensionKey));
    const fresh = suspensions.filter((one) => !known.has(suspensionKey(one)));
    this.#suspensions = [...this.#suspensions, ...fresh]
      .filter((one) => this.#isSuspensionActive(one))
      .sort((a, b) => a.at - b.at)
      .slice(-MAX_SUSPENSIONS);
  }

  /** Asked for every request; `session` only where somebody's repair rests. */
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

  /** From when on suspensions may still be in force. */
  get horizon(): number {
    return this.#options.now() - this.#suspendForMs;
  }

  get status(): RepairStatus {
    const { mode, upstreams = {}, models = {} } = this.#options.config;
    const suspended = this.#suspensions.filter((one) => this.#isSuspensionActive(one));
    return { mode, upstreams, models, choices: this.#choices, suspended };
  }

  get #suspendForMs(): number {
    return this.#options.config.suspendForMs ?? SUSPEND_FOR_MS;
  }

  #isSuspensionActive(suspension: Suspension): boolean {
    return isSuspensionActive(suspension, this.#choices, this.#suspendForMs, this.#options.now());
  }
}

function suspensionKey({ project, session_id, provider, model, at }: Suspension): string {
  return [project, session_id, provider, model, at].join("\u0000");
}
