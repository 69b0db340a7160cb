import { parseSpan } from "../api/parameters.ts";
import { sameValue } from "../core/model/facts.ts";
import { isObject, present } from "../core/model/narrow.ts";
import { HEALTH_THRESHOLDS, type HealthThresholds } from "../core/score/health.ts";
import type { RepairConfig } from "../proxy/repair/repair-control.ts";
import type { SecondChanceConfig } from "../proxy/second-chance/second-chance-control.ts";
import { DEFAULT_UPSTREAMS, type Upstream } from "../proxy/upstreams.ts";
import { configProblems } from "./config-problems.ts";
import type { Config } from "./config-schema.ts";
import { expandShorthands } from "./config-shorthands.ts";
import {
  configPath,
  type Flags,
  fromEnvironment,
  fromFile,
  fromFlags,
  given,
  type Settings,
} from "./config-sources.ts";
import { CliError } from "./errors.ts";
import { warnOfMistypedVariables } from "./mistyped-variables.ts";
import { plainConfig } from "./plain-config.ts";
import { type Warn, warnOnce, withNewKeys, withNewVariables } from "./renamed-names.ts";

export type { Config, Flags };

/** Merges flags over environment over file over defaults. Errors name the key. */
export async function readConfig(flags: Flags, variables: NodeJS.ProcessEnv, warn: Warn = warnOnce): Promise<Config> {
  const environment = withNewVariables(variables, warn);
  warnOfMistypedVariables(environment, warn);
  const [file, set, typed] = [
    withNewKeys(fromFile(flags.config ?? (environment.TOOLMEND_CONFIG || undefined)), warn),
    fromEnvironment(environment),
    fromFlags(flags),
  ].map(expandShorthands) as [Settings, Settings, Settings];
  const upstreams = sentTo(file.upstreams, { ...set.upstreams, ...typed.upstreams });
  const clean = given({ cleanHistory: flags.cleanHistory ?? (environment.TOOLMEND_CLEAN_HISTORY || undefined) });
  const callsMode = given({ mode: flags.repairCalls ?? (environment.TOOLMEND_REPAIR_CALLS || undefined) });
  const merged = (key: "repair" | "guard" | "secondChance" | "export"): Readonly<Record<string, unknown>> =>
    Object.assign({}, file[key], set[key], typed[key]);
  const repair = merged("repair");
  const calls = { ...Object(repair.calls), ...callsMode };
  const notify = given({ notify: flags.notify ?? (environment.TOOLMEND_NOTIFY || undefined) });
  const settings = {
    ...file,
    ...set,
    ...typed,
    upstreams,
    repair: { ...repair, ...clean, calls },
    guard: { ...merged("guard"), ...notify },
    secondChance: merged("secondChance"),
    export: merged("export"),
  };
  const path = configPath(flags.config ?? (environment.TOOLMEND_CONFIG || undefined));
  const overridden = new Set([
    ...[set, typed].flatMap((settings) => Object.keys(settings)),
    ...Object.keys({ ...clean, ...callsMode }).map(() => "repair"),
    ...Object.keys(notify).map(() => "guard"),
  ]);
  const keys = new Set(Object.keys(file).filter((key) => !overridden.has(key)));
  return await checkSettings(settings, { typed, file: { path, keys } });
}

/** Settings from flags, and the source of the others if one of them is invalid. */
interface SettingSources {
  readonly typed?: Settings;
  /** The configuration file, with those of its keys that no other source sets. */
  readonly file?: { readonly path: string; readonly keys: ReadonlySet<string> };
}

/**
 * Returns settings with defaults, or throws an error that names every invalid key. An invalid flag is a usage error.
 */
export async function checkSettings(given: unknown, { typed = {}, file }: SettingSources = {}): Promise<Config> {
  const plain = plainConfig(given);
  if (plain !== undefined) return plain;
  const { configSchema } = await import("./config-schema.ts");
  const read = configSchema.safeParse(given);
  if (read.success) return read.data;
  const problems = configProblems(read.error.issues, given);
  const isTyped = problems.some(({ path: [key = "", name = ""] }) => {
    const value: unknown = Object.hasOwn(typed, key) ? typed[key as keyof Settings] : undefined;
    return key === "upstreams" ? isObject(value) && Object.hasOwn(value, name) : value !== undefined;
  });
  const inFile = problems.every(({ path: [key = ""] }) => file?.keys.has(key) === true);
  const where = file !== undefined && inFile ? `Invalid configuration in ${file.path}.` : "Invalid configuration.";
  const texts = problems.map(({ path, text }) => (path.length === 0 ? text : `${path.join(".")}: ${text}`));
  throw new CliError(`${where} ${texts.join("; ")}.`, { exitCode: isTyped ? 2 : 1 });
}

/** Overrides an upstream's URL and keeps its project. */
function sentTo(
  file: Settings["upstreams"],
  urls: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const moved = Object.entries(urls).map(([name, url]) => {
    const before = file?.[name];
    return [name, typeof before === "object" && before !== null ? { ...before, url } : url];
  });
  return { ...file, ...Object.fromEntries(moved) };
}

/** Configured upstreams plus the default providers. Keys come only from the environment: TOOLMEND_KEY_NAME. */
export function upstreamsOf(config: Config, environment: NodeJS.ProcessEnv): ReadonlyMap<string, Upstream> {
  const named = Object.entries({ ...DEFAULT_UPSTREAMS, ...config.upstreams });
  return new Map(
    named.map(([name, given]) => {
      const key = environment[keyVariable(name)];
      const { url, project } = typeof given === "string" ? { url: given, project: undefined } : given;
      return [
        name,
        {
          ...{ name, url: new URL(url) },
          ...(project !== undefined && { project }),
          ...(key !== undefined && key !== "" && { key }),
        },
      ];
    }),
  );
}

export function keyVariable(upstream: string): string {
  return `TOOLMEND_KEY_${upstream.toUpperCase().replaceAll("-", "_")}`;
}

/** A duration of the configuration, which was validated when it was read. */
export function spanMs(text: string): number {
  return present(parseSpan(text));
}

/** Converts the repair settings to what the server expects. */
export function repairOf({ repair: { suspendFor, ...rest } }: Config): RepairConfig {
  return { ...rest, suspendForMs: spanMs(suspendFor) };
}

/** Converts the settings of second chances to what the server expects. */
export function secondChanceOf({ secondChance: { timeoutSeconds, ...rest } }: Config): SecondChanceConfig {
  return { ...rest, timeoutMs: timeoutSeconds * 1000 };
}

/** Thresholds of health by rate, or undefined for the defaults. */
export function thresholdsOf({ health }: Config): HealthThresholds | undefined {
  const thresholds: HealthThresholds = {
    min_calls: health.minCalls,
    healthy_below: health.healthyBelow,
    unhealthy_from: health.unhealthyFrom,
    unhealthy_unrecovered: health.unhealthyUnrecovered,
  };
  return sameValue(thresholds, HEALTH_THRESHOLDS) ? undefined : thresholds;
}
