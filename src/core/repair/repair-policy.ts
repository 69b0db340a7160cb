import { CALL_FAULTS, type CallRepairMode, type RepairClass } from "./calls/types.ts";
import type { RepairMode } from "./modes.ts";

/** The configured modes of a feature: the default and those for upstreams and models. */
export interface FeatureModes<M extends string> {
  readonly mode: M;
  /** By upstream name. */
  readonly upstreams?: Readonly<Record<string, M>>;
  /** By a pattern for the requested model. Overrides the upstream's mode; the longest matching pattern wins. */
  readonly models?: Readonly<Record<string, M>>;
}

export type RepairModes<M extends string = RepairMode> = FeatureModes<M>;

/** `follow`: native calls are repaired wherever leaks are. */
export type CallRepairChoice = CallRepairMode | "follow";

/** The mode of call repair if only the mode of leak repair is set. */
export function followedMode(mode: RepairMode): CallRepairMode {
  return mode === "known" || mode === "any" ? "on" : mode;
}

/** Whether a class of faults is repaired. A setting for the class wins over one for its group. */
export function isFaultEnabled(faults: Readonly<Record<string, boolean>>, fault: RepairClass): boolean {
  return faults[fault] ?? faults[GROUP_OF.get(fault) ?? ""] ?? true;
}

const GROUP_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(CALL_FAULTS).flatMap(([group, faults]) => faults.map((fault) => [fault, group] as const)),
);

/**
 * A mode set while the server runs, for everything or for an upstream or model. `config` returns to the configuration.
 */
export interface ModeOverride<M extends string> {
  readonly mode: M | "config";
  readonly upstream?: string;
  /** A glob pattern. */
  readonly model?: string;
  readonly at: number;
}

export interface RepairOverride extends ModeOverride<RepairMode | CallRepairMode> {
  /** Set for a mode of the repair of native calls. */
  readonly of?: "calls";
}

/** An override of any feature. */
type AnyOverride = ModeOverride<string> & Pick<RepairOverride, "of">;

/** The upstream rejected a request that contained a repaired call. */
export interface Suspension {
  readonly project: string;
  readonly session_id: string;
  readonly provider: string;
  readonly model: string;
  readonly at: number;
}

/** The mode for a model of an upstream: the newest override that covers it, otherwise the configuration. */
export function modeFor<M extends string>(
  modes: FeatureModes<M>,
  overrides: readonly AnyOverride[],
  upstream: string,
  model: string,
  of?: "calls",
): M {
  const override = overrides.findLast((entry) => entry.of === of && covers(entry, upstream, model))?.mode ?? "config";
  // Overrides were checked when they were set: they have modes of their feature.
  if (override !== "config") return override as M;
  const [byModel] = Object.entries(modes.models ?? {})
    .filter(([pattern]) => matchesGlob(model, pattern))
    .sort(([a], [b]) => b.length - a.length);
  return byModel?.[1] ?? upstreamMode(modes, upstream);
}

/** All modes that some model of an upstream may have, for decisions before the request names its model. */
export function possibleModes<M extends string>(
  modes: FeatureModes<M>,
  overrides: readonly AnyOverride[],
  upstream: string,
  of?: "calls",
): ReadonlySet<M> {
  const possible = new Set<M>();
  const relevant = overrides.filter(
    (override) => override.of === of && (override.upstream === undefined || override.upstream === upstream),
  );
  // An override for all models hides everything older.
  const all = relevant.findLastIndex(({ model }) => model === undefined);
  let usesConfiguration = all === -1;
  for (const { mode } of relevant.slice(Math.max(0, all))) {
    if (mode === "config") usesConfiguration = true;
    else possible.add(mode as M);
  }
  if (usesConfiguration) {
    for (const mode of Object.values(modes.models ?? {})) possible.add(mode);
    possible.add(upstreamMode(modes, upstream));
  }
  return possible;
}

function upstreamMode<M extends string>({ mode, upstreams = {} }: FeatureModes<M>, upstream: string): M {
  return (Object.hasOwn(upstreams, upstream) ? upstreams[upstream] : undefined) ?? mode;
}

/**
 * Adds an override and removes those it covers, so that the list does not grow without bound. `config` is only kept
 * where another override would otherwise apply, and where `isNeeded`.
 */
export function addOverride<O extends AnyOverride>(
  overrides: readonly O[],
  override: O,
  isNeeded: (override: O) => boolean = () => false,
): readonly O[] {
  const isCovered = (old: O): boolean =>
    override.of === old.of &&
    (override.upstream === undefined || override.upstream === old.upstream) &&
    (override.model === undefined || override.model === old.model);
  return withoutIdle([...overrides.filter((old) => !isCovered(old)), override], isNeeded);
}

/** Removes each `config` that shadows no older override. */
function withoutIdle<O extends AnyOverride>(overrides: readonly O[], isNeeded: (one: O) => boolean): readonly O[] {
  const kept: O[] = [];
  for (const one of overrides) {
    const isIdle = !kept.some((older) => older.mode !== "config" && mayOverlap(one, older));
    if (one.mode !== "config" || !isIdle || isNeeded(one)) kept.push(one);
  }
  return kept;
}

/** Whether some model of some upstream may be in both scopes. Two patterns are assumed to overlap. */
function mayOverlap(a: AnyOverride, b: AnyOverride): boolean {
  return a.of === b.of && (a.upstream === undefined || b.upstream === undefined || a.upstream === b.upstream);
}

/** True while repair is suspended. A suspension ends after its duration, or by a later override that covers it. */
export function isSuspensionActive(
  { at, provider, model }: Pick<Suspension, "at" | "provider" | "model">,
  overrides: readonly RepairOverride[],
  durationMs: number,
  now: number,
): boolean {
  return now < at + durationMs && !overrides.some((override) => override.at >= at && covers(override, provider, model));
}

function covers(override: ModeOverride<string>, upstream: string, model: string): boolean {
  return (
    (override.upstream === undefined || override.upstream === upstream) &&
    (override.model === undefined || matchesGlob(model, override.model))
  );
}

/** Matches a name against a pattern in which `*` matches anything. Linear: each star takes the first match. */
export function matchesGlob(name: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const [first = ""] = parts;
  if (parts.length === 1) return name === pattern;
  const last = parts.at(-1) ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** Builds the check for tool names: `deny` always wins, and an empty `allow` allows all. */
export function allowedBy(allow: readonly string[], deny: readonly string[]): (name: string) => boolean {
  return (name) =>
    (allow.length === 0 || allow.some((pattern) => matchesGlob(name, pattern))) &&
    !deny.some((pattern) => matchesGlob(name, pattern));
}
