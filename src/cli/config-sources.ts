import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { messageOf } from "../core/model/errors.ts";
import { isObject } from "../core/model/narrow.ts";
import { CliError } from "./errors.ts";

/** Settings from the command line; undefined means not given. */
export interface Flags {
  readonly host?: string;
  readonly port?: string;
  readonly data?: string;
  readonly store?: string;
  readonly anthropic?: string;
  readonly openai?: string;
  readonly gemini?: string;
  readonly ollama?: string;
  readonly upstream?: readonly string[];
  readonly capture?: string;
  readonly redact?: string;
  readonly keep?: string;
  readonly idleTimeout?: string;
  readonly export?: string;
  readonly allowHost?: readonly string[];
  readonly watch?: readonly string[];
  readonly token?: string;
  readonly durable?: boolean;
  readonly repair?: string;
  readonly repairCalls?: string;
  readonly guard?: string;
  readonly secondChance?: boolean;
  readonly notify?: string;
  readonly cleanHistory?: boolean;
  readonly websocket?: string;
  readonly logLevel?: string;
  readonly config?: string;
}

/** Supported environment variables, except upstream keys (`TOOLMEND_KEY_…`). */
export const VARIABLES: ReadonlySet<string> = new Set(
  (
    "HOST PORT DATA STORE TOKEN ALLOW_HOSTS ANTHROPIC OPENAI GEMINI OLLAMA UPSTREAMS REPAIR REPAIR_CALLS CLEAN_HISTORY GUARD " +
    "NOTIFY SECOND_CHANCE STATE_KEY WATCH CAPTURE REDACT KEEP IDLE_TIMEOUT EXPORT DURABLE WEBSOCKET LOG_LEVEL CONFIG"
  )
    .split(" ")
    .map((name) => `TOOLMEND_${name}`),
);

/** Settings from one source, not yet validated. */
export type Settings = {
  [key: string]: unknown;
  upstreams?: Record<string, unknown> | undefined;
  repair?: unknown;
  guard?: unknown;
  secondChance?: unknown;
  export?: unknown;
};

/** The configuration file, by default the one in the current folder. */
export function configPath(given: string | undefined): string {
  return resolve(given ?? "toolmend.config.json");
}

/** Reads the configuration file. A missing file is an error only if its path was given. */
export function fromFile(path: string | undefined): Settings {
  const file = configPath(path);
  if (!existsSync(file)) {
    if (path === undefined) return {};
    throw new CliError(`Configuration file not found: ${file}.`);
  }
  try {
    const value: unknown = JSON.parse(textOf(file));
    // The schema of the configuration checks the values.
    if (isObject(value)) return value as Settings;
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${file} is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
  throw new CliError(`${file} must contain a JSON object.`);
}

function textOf(file: string): string {
  try {
    // Some editors start a file with a byte order mark, which is not JSON.
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new CliError(`Cannot read ${file}: ${messageOf(error)}.`, { cause: error });
  }
}

export function fromEnvironment(variables: NodeJS.ProcessEnv): Settings {
  // Compose files pass `TOOLMEND_PORT=` for an unset variable.
  const environment = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const list = (text: string | undefined): string[] | undefined => text?.split(",").map((item) => item.trim());
  const upstreams = namedUpstreams(list(environment.TOOLMEND_UPSTREAMS) ?? [], "TOOLMEND_UPSTREAMS");
  return given({
    host: environment.TOOLMEND_HOST,
    port: environment.TOOLMEND_PORT,
    data: environment.TOOLMEND_DATA,
    store: environment.TOOLMEND_STORE,
    capture: environment.TOOLMEND_CAPTURE,
    redact: environment.TOOLMEND_REDACT,
    keep: environment.TOOLMEND_KEEP,
    idleTimeout: environment.TOOLMEND_IDLE_TIMEOUT,
    export: list(environment.TOOLMEND_EXPORT),
    token: environment.TOOLMEND_TOKEN,
    durable: environment.TOOLMEND_DURABLE,
    repair: environment.TOOLMEND_REPAIR,
    guard: environment.TOOLMEND_GUARD,
    secondChance: environment.TOOLMEND_SECOND_CHANCE,
    websocket: environment.TOOLMEND_WEBSOCKET,
    logLevel: environment.TOOLMEND_LOG_LEVEL,
    allowHosts: list(environment.TOOLMEND_ALLOW_HOSTS),
    watch: list(environment.TOOLMEND_WATCH),
    ...upstreamsIn({
      anthropic: environment.TOOLMEND_ANTHROPIC,
      openai: environment.TOOLMEND_OPENAI,
      gemini: environment.TOOLMEND_GEMINI,
      ollama: environment.TOOLMEND_OLLAMA,
      ...upstreams,
    }),
  });
}

export function fromFlags(flags: Flags): Settings {
  const upstreams = namedUpstreams(flags.upstream ?? [], "--upstream");
  return given({
    host: flags.host,
    port: flags.port,
    data: flags.data,
    store: flags.store,
    capture: flags.capture,
    redact: flags.redact,
    keep: flags.keep,
    idleTimeout: flags.idleTimeout,
    export: flags.export?.split(",").map((item) => item.trim()),
    token: flags.token,
    durable: flags.durable,
    repair: flags.repair,
    guard: flags.guard,
    secondChance: flags.secondChance === true ? "on" : undefined,
    websocket: flags.websocket,
    logLevel: flags.logLevel,
    allowHosts: flags.allowHost,
    watch: flags.watch,
    ...upstreamsIn({
      anthropic: flags.anthropic,
      openai: flags.openai,
      gemini: flags.gemini,
      ollama: flags.ollama,
      ...upstreams,
    }),
  });
}

/** Absent if a source names no upstream. */
function upstreamsIn(urls: Record<string, string | undefined>): Pick<Settings, "upstreams"> {
  const upstreams = given(urls);
  return Object.keys(upstreams).length === 0 ? {} : { upstreams };
}

function namedUpstreams(items: readonly string[], from: string): Record<string, string> {
  return Object.fromEntries(
    items.map((item) => {
      const equals = item.indexOf("=");
      if (equals < 1)
        throw new CliError(`${from} must be NAME=URL, for example vllm=http://127.0.0.1:8000/v1.`, {
          exitCode: from.startsWith("--") ? 2 : 1,
        });
      return [item.slice(0, equals), item.slice(equals + 1)];
    }),
  );
}

/** Drops undefined values, which would override those of a lower-priority source. */
export function given<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}
