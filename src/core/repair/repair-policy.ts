import type { RepairMode } from "./read-request.ts";

/** The modes of a configuration: for everything, and for parts of it. */
export interface RepairModes {
  readonly mode: RepairMode;
  /** By the name of an upstream. */
  readonly upstreams?: Readonly<Record<string, RepairMode>>;
  /** By a pattern for the model that is asked for; stronger than the upstream's, and the longest that fits is the strongest. */
  readonly models?: Readonly<Record<string, RepairMode>>;
}

/** A mode that somebody chose while the server ran, for everything or for a part. `config`: what the configuration says. */
export interface RepairOverride {
  readonly mode: RepairMode | "config";
  readonly upstream?: string;
  /** A pattern. */
  readonly model?: string;
  readonly at: number;
}

/** An upstream did not take back a call of ours. */
export interface Suspension {
  readonly project: string;
  readonly session_id: string;
  readonly provider: string;
  readonly model: string;
  readonly at: number;
}

/** The mode for a model of an upstream. The newest choice that covers it decides, and without one the configuration. */
export function modeFor(
  modes: RepairModes,
  choices: readonly RepairOverride[],
  upstream: string,
  model: string,
): RepairMode {
  const chosen = choices.findLast((choice) => covers(choice, upstream, model))?.mode ?? "config";
  if (chosen !== "config") return chosen;
  const [byModel] = Object.entries(modes.models ?? {})
    .filter(([pattern]) => matchesGlob(model, pattern))
    .sort(([a], [b]) => b.length - a.length);
  return byModel?.[1] ?? upstreamMode(modes, upstream);
}

/** Every mode that some model of an upstream may have: what is known before the request says which. */
export function possibleModes(
  modes: RepairModes,
  choices: readonly RepairOverride[],
  upstream: string,
): ReadonlySet<RepairMode> {
  const possible = new Set<RepairMode | "config">();
  const own = choices.filter((choice) => choice.upstream === undefined || choice.upstream === upstream);
  // What is older than a choice for all models is never asked.
  const all = own.findLastIndex(({ model }) => model === undefined);
  for (const { mode } of own.slice(Math.max(0, all))) possible.add(mode);
  if (all === -1) possible.add("config");
  if (possible.delete("config")) {
    for (const mode of Object.values(modes.models ?? {})) possible.add(mode);
    possible.add(upstreamMode(modes, upstream));
  }
  return possible as Set<RepairMode>;
}

function upstreamMode({ mode, upstreams = {} }: RepairModes, upstream: string): RepairMode {
  return (Object.hasOwn(upstreams, upstream) ? upstreams[upstream] : undefined) ?? mode;
}

/** The choices with one more; those that it covers are gone, so that they do not pile up. */
export function addOverride(choices: readonly RepairOverride[], choice: RepairOverride): readonly RepairOverride[] {
  const isCovered = (old: RepairOverride): boolean =>
    (choice.upstream === undefined || choice.upstream === old.upstream) &&
    (choice.model === undefined || choice.model === old.model);
  return [...choices.filter((old) => !isCovered(old)), choice];
}

/** Does repair still rest because of this? Time ends it, and so does a choice that was made since and covers it. */
export function isSuspensionActive(
  { at, provider, model }: Pick<Suspension, "at" | "provider" | "model">,
  choices: readonly RepairOverride[],
  lastsMs: number,
  now: number,
): boolean {
  return now < at + lastsMs && !choices.some((choice) => choice.at >= at && covers(choice, provider, model));
}

function covers(choice: RepairOverride, upstream: string, model: string): boolean {
  return (
    (choice.upstream === undefined || choice.upstream === upstream) &&
    (choice.model === undefined || matchesGlob(model, choice.model))
  );
}

/** Does a name fit a pattern in which `*` stands for anything? Linear: each star takes the first place that fits. */
export function matchesGlob(name: string, pattern: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] as string;
  if (parts.length === 1) return name === pattern;
  const last = parts.at(-1) as string;
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

/** What the settings allow: everything without a list of allowed ones, and never what is denied. */
export function allowedBy(allow: readonly string[], deny: readonly string[]): (name: string) => boolean {
  return (name) =>
    (allow.length === 0 || allow.some((pattern) => matchesGlob(name, pattern))) &&
    !deny.some((pattern) => matchesGlob(name, pattern));
}
