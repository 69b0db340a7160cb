import { hasFields } from "../core/model/narrow.ts";
import type { Settings } from "./config-sources.ts";

/** Reports the use of an old name. */
export type Warn = (message: string) => void;

/** Options that were renamed. The old ones still work. */
const FLAGS: ReadonlyMap<string, string> = new Map([
  ["--quiet-after", "--idle-timeout"],
  ["--again", "--force"],
]);
/** Alternative spellings, without a warning. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([["--older-than", "--older"]]);
export const RENAMED_VARIABLES: ReadonlyMap<string, string> = new Map([
  ["TOOLMEND_QUIET_AFTER", "TOOLMEND_IDLE_TIMEOUT"],
]);
/** Keys of the configuration file: section, old name, new name. */
const KEYS: readonly (readonly [section: string | undefined, old: string, name: string])[] = [
  [undefined, "quietAfter", "idleTimeout"],
  ["health", "fewestCalls", "minCalls"],
  ["repair", "maxCandidate", "maxCandidateChars"],
];

/** The arguments with renamed options under their new names. */
export function withNewFlags(args: readonly string[], warn: Warn): readonly string[] {
  // Arguments after `--` belong to another program.
  const end = args.indexOf("--");
  return args.map((arg, at) => {
    if (!arg.startsWith("--") || (end !== -1 && at >= end)) return arg;
    const [flag = "", ...value] = arg.split(/(?==)/);
    const renamed = FLAGS.get(flag);
    if (renamed !== undefined) warn(`${flag} is now called ${renamed}. The old name will be removed.`);
    const name = renamed ?? SYNONYMS.get(flag);
    return name === undefined ? arg : name + value.join("");
  });
}

/** The environment with renamed variables under their new names. A new name that is set wins. */
export function withNewVariables(environment: NodeJS.ProcessEnv, warn: Warn): NodeJS.ProcessEnv {
  const renamed = [...RENAMED_VARIABLES].filter(([old]) => (environment[old] ?? "") !== "");
  if (renamed.length === 0) return environment;
  for (const [old, name] of renamed) warn(`${old} is now called ${name}. The old name will be removed.`);
  return { ...Object.fromEntries(renamed.map(([old, name]) => [name, environment[old]])), ...environment };
}

/** The settings of a file with renamed keys under their new names. A new name that is set wins. */
export function withNewKeys(settings: Settings, warn: Warn): Settings {
  let result = settings;
  for (const [section, old, name] of KEYS) {
    const outer = section === undefined ? result : result[section];
    if (!hasFields(outer) || !Object.hasOwn(outer, old)) continue;
    const { [old]: value, ...rest } = outer;
    const prefix = section === undefined ? "" : `${section}.`;
    warn(`${prefix}${old} in the configuration is now called ${name}. The old name will be removed.`);
    const inner = { [name]: value, ...rest };
    result = section === undefined ? inner : { ...result, [section]: inner };
  }
  return result;
}

const warned = new Set<string>();

/** Warns on standard error, once per process and message. */
export function warnOnce(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  process.stderr.write(`${message}\n`);
}
