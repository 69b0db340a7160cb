import { CALL_FAULTS, type CallRepairMode, type RepairClass } from "./calls/types.ts";
import type { RepairMode } from "./read-request.ts";

/** The configured modes: the default and those for upstreams and models. */
export interface RepairModes<Mode = RepairMode> {
  readonly mode: Mode;
  /** By upstream name. */
  readonly upstreams?: Readonly<Record<string, Mode>>;
  /** By a pattern for the requested model. Overrides the upstream's mode; the longest matching pattern wins. */
  readonly models?: Readonly<Record<string, Mode>>;
}

/** `follow`: native calls are repaired where leaks are. */
export type CallRepairChoice = CallRepairMode | "follow";

/** The mode of call repair where only the mode of leak repair is set. */
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
export interface RepairOverride {
  /** Set for a mode of the repair of native calls. */
  readonly of?: "calls";
  readonly mode: RepairMode | CallRepairMode | "config";
  readonly upstream?: string;
  /** A glob pattern. */
  readonly model?: string;
  readonly at: number;
}

/** The upstream rejected a request that contained a repaired call. */
export interface Suspension {
  readonly project: string;
  readonly session_id: string;
  readonly provider: string;
  readonly model: string;
  readonly at: number;
}

/** The mode for a model of an upstream: the newest override that covers it, otherwise the configuration. */
export function modeFor<Mode extends string = RepairMode>(
  modes: RepairModes<Mode>,
  overrides: readonly RepairOverride[],
  upstream: string,
  model: string,
  of?: "calls",
): Mode {
  const override = overrides.findLast((entry) => entry.of === of && covers(entry, upstream, model))?.mode ?? "config";
  // Overrides were checked when they were set: those for calls have modes of calls.
  if (override !== "config") return override as Mode;
  const [byModel] = Object.entries(modes.models ?? {})
    .filter(([pattern]) => matchesGlob(model, pattern))
    .sort(([a], [b]) => b.length - a.length);
  return byModel?.[1] ?? upstreamMode(modes, upstream);
}

/** All modes that some model of an upstream may have, for decisions before the request names its model. */
export function possibleModes<Mode extends string = RepairMode>(
  modes: RepairModes<Mode>,
  overrides: readonly RepairOverride[],
  upstream: string,
  of?: "calls",
): ReadonlySet<Mode> {
  const possible = new Set<Mode>();
  const relevant = overrides.filter(
    (override) => override.of === of && (override.upstream === undefined || override.upstream === upstream),
  );
  // An override for all models hides everything older.
  const all = relevant.findLastIndex(({ model }) => model === undefined);
  let usesConfiguration = all === -1;
  for (const { mode } of relevant.slice(Math.max(0, all))) {
    if (mode === "config") usesConfiguration = true;
    else possible.add(mode as Mode);
  }
  if (usesConfiguration) {
    for (const mode of Object.values(modes.models ?? {})) possible.add(mode);
    possible.add(upstreamMode(modes, upstream));
  }
  return possible;
}

function upstreamMode<Mode>({ mode, upstreams = {} }: RepairModes<Mode>, upstream: string): Mode {
  return (Object.hasOwn(upstreams, upstream) ? upstreams[upstream] : undefined) ?? mode;
}

/** Adds an override and removes those it covers, so that the list does not grow without bound. */
export function addOverride(overrides: readonly RepairOverride[], override: RepairOverride): readonly RepairOverride[] {
  const isCovered = (old: RepairOverride): boolean =>
    override.of === old.of &&
    (override.upstream === undefined || override.upstream === old.upstream) &&
    (override.model === undefined || override.model === old.model);
  return [...overrides.filter((old) => !isCovered(old)), override];
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

function covers(override: RepairOverride, upstream: string, model: string): boolean {
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
