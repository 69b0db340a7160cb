import type { RepairMode } from "./read-request.ts";

/** The configured modes of a feature: the default and those for upstreams and models. */
export interface FeatureModes<M extends string> {
  readonly mode: M;
  /** By upstream name. */
  readonly upstreams?: Readonly<Record<string, M>>;
  /** By a pattern for the requested model. Overrides the upstream's mode; the longest matching pattern wins. */
  readonly models?: Readonly<Record<string, M>>;
}

export type RepairModes = FeatureModes<RepairMode>;

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

export type RepairOverride = ModeOverride<RepairMode>;

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
  overrides: readonly ModeOverride<M>[],
  upstream: string,
  model: string,
): M {
  const override = overrides.findLast((entry) => covers(entry, upstream, model))?.mode ?? "config";
  if (override !== "config") return override as M;
  const [byModel] = Object.entries(modes.models ?? {})
    .filter(([pattern]) => matchesGlob(model, pattern))
    .sort(([a], [b]) => b.length - a.length);
  return byModel?.[1] ?? upstreamMode(modes, upstream);
}

/** All modes that some model of an upstream may have, for decisions before the request names its model. */
export function possibleModes<M extends string>(
  modes: FeatureModes<M>,
  overrides: readonly ModeOverride<M>[],
  upstream: string,
): ReadonlySet<M> {
  const possible = new Set<M>();
  const relevant = overrides.filter((override) => override.upstream === undefined || override.upstream === upstream);
  // An override for all models hides everything older.
  const all = relevant.findLastIndex(({ model }) => model === undefined);
  let usesConfiguration = all === -1;
  for (const { mode } of relevant.slice(Math.max(0, all))) {
    if (mode === "config") usesConfiguration = true;
    else possible.add(mode);
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

/** Adds an override and removes those it covers, so that the list does not grow without bound. */
export function addOverride<M extends string>(
  overrides: readonly ModeOverride<M>[],
  override: ModeOverride<M>,
): readonly ModeOverride<M>[] {
  const isCovered = (old: ModeOverride<M>): boolean =>
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
