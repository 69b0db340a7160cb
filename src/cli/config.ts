import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { parseSpan } from "../api/parameters.ts";
import { checkUserRules, type UserRule } from "../core/detect/index.ts";
import { REPAIR_MODES } from "../core/mend/index.ts";
import { sameValue } from "../core/model/facts.ts";
import { HEALTH_THRESHOLDS, type HealthThresholds } from "../core/score/health.ts";
import { EXPORT_TARGETS } from "../export/export-settings.ts";
import { defaultDataPath } from "../ingest/data-folder.ts";
import { CAPTURES } from "../ingest/observe/observe-call.ts";
import type { RepairConfig } from "../proxy/repair-control.ts";
import { DEFAULT_UPSTREAMS, RESERVED_NAMES, type Upstream } from "../proxy/upstreams.ts";
import { StartError } from "./start-error.ts";

const upstreamUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
const upstreamName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "names are lower case letters, digits, - and _")
  .refine((name) => !RESERVED_NAMES.has(name), "this name is a path of Toolmend's own");

/** Rules are checked where they are matched, so that a pattern that could take long never gets that far. */
const userRules = z.unknown().transform((value, context): readonly UserRule[] => {
  const { rules, problems } = checkUserRules(value);
  for (const { path, message } of problems)
    context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message });
  return rules;
});

const WHOLE_PORT = "must be a whole number from 0 to 65535";

/** Every setting, its default, and nothing else: a mistyped key is an error. */
const settings = z.strictObject({
  host: z.string().min(1).default("127.0.0.1"),
  // Not coerced: an empty text or null would be port 0, any port.
  port: z
    .preprocess(
      (value) => (typeof value === "string" && /^\d{1,5}$/.test(value) ? Number(value) : value),
      z.number(WHOLE_PORT).int(WHOLE_PORT).min(0, WHOLE_PORT).max(65535, WHOLE_PORT),
    )
    .default(4100),
  data: z.string().min(1).default(defaultDataPath()),
  store: z
    .string()
    .refine(
      (url) => /^postgres(?:ql)?:\/\/./.test(url) && URL.canParse(url),
      "must be postgres://user:password@host/database",
    )
    .optional(),
  upstreams: z.record(upstreamName, upstreamUrl).default({}),
  capture: z.enum(CAPTURES).default("errors"),
  keep: z
    .string()
    .refine((value) => value === "forever" || (parseSpan(value) ?? 0) > 0, "use a span such as 90d, or forever")
    .default("forever"),
  allowHosts: z.array(z.string().min(1)).default([]),
  watch: z.array(z.string().min(1)).default([]),
  detect: z
    .strictObject({
      heuristics: z.boolean().default(true),
      flagOnly: z
        .strictObject({ upstreams: z.array(z.string()).default([]), tools: z.array(z.string()).default([]) })
        .prefault({}),
      rules: userRules.default([]),
    })
    .prefault({}),
  repair: z
    .strictObject({
      mode: z.enum(REPAIR_MODES).default("known"),
      upstreams: z.record(upstreamName, z.enum(REPAIR_MODES)).default({}),
      models: z.record(z.string().min(1), z.enum(REPAIR_MODES)).default({}),
      allow: z.array(z.string().min(1)).default([]),
      deny: z.array(z.string().min(1)).default([]),
      maxCandidate: z
        .number()
        .int()
        .min(1024)
        .max(4 << 20)
        .default(1 << 20),
      cleanHistory: z.stringbool().or(z.boolean()).default(false),
      suspendFor: z
        .string()
        .refine((text) => parseSpan(text) !== undefined, "must be a span such as 90m, 24h or 7d")
        .default("24h"),
    })
    .prefault({}),
  // What health by rate is judged by; health by count is the same everywhere.
  health: z
    .strictObject({
      fewestCalls: z.number().int().min(1).default(HEALTH_THRESHOLDS.fewest_calls),
      healthyBelow: z.number().min(0).max(1).default(HEALTH_THRESHOLDS.healthy_below),
      unhealthyFrom: z.number().min(0).max(1).default(HEALTH_THRESHOLDS.unhealthy_from),
      unhealthyUnrecovered: z.number().int().min(1).default(HEALTH_THRESHOLDS.unhealthy_unrecovered),
    })
    .refine(({ healthyBelow, unhealthyFrom }) => healthyBelow <= unhealthyFrom, {
      path: ["healthyBelow"],
      message: "must not be above unhealthyFrom",
    })
    .prefault({}),
  hooks: z.strictObject({ transcripts: z.array(z.string().min(1)).default([]) }).prefault({}),
  export: z
    .strictObject({
      targets: z.array(z.enum(EXPORT_TARGETS)).default([]),
      content: z.boolean().default(false),
      giveUpAfter: z
        .string()
        .refine((span) => parseSpan(span) !== undefined, "must be a span such as 12h or 7d")
        .default("7d"),
    })
    .prefault({}),
  // It must fit into a URL and a cookie as it is.
  token: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{16,256}$/, "use 16 to 256 letters, digits, . _ ~ or -")
    .optional(),
  durable: z.stringbool().or(z.boolean()).default(false),
  logLevel: z.enum(["debug", "info", "warn", "error", "silent"]).default("warn"),
});

/** A mode for an upstream that does not exist is a slip of the pen. */
const schema = settings.superRefine(({ repair, upstreams }, context) => {
  for (const name of Object.keys(repair.upstreams)) {
    if (Object.hasOwn(DEFAULT_UPSTREAMS, name) || Object.hasOwn(upstreams, name)) continue;
    context.addIssue({ code: "custom", path: ["repair", "upstreams", name], message: "there is no such upstream" });
  }
});

export type Config = z.infer<typeof schema>;

/** What may stand in the configuration file. */
export type ConfigInput = z.input<typeof schema>;

/** Settings as the command line gives them; undefined means not given. */
export interface Flags {
  readonly host?: string;
  readonly port?: string;
  readonly data?: string;
  readonly store?: string;
  readonly anthropic?: string;
  readonly openai?: string;
  readonly upstream?: readonly string[];
  readonly capture?: string;
  readonly keep?: string;
  readonly export?: string;
  readonly allowHost?: readonly string[];
  readonly watch?: readonly string[];
  readonly token?: string;
  readonly durable?: boolean;
  readonly repair?: string;
  readonly cleanHistory?: boolean;
  readonly logLevel?: string;
  readonly config?: string;
}

/** What is read of the environment, besides keys (`TOOLMEND_KEY_…`). */
export const VARIABLES: ReadonlySet<string> = new Set(
  [
    ...[
      "HOST",
      "PORT",
      "DATA",
      "STORE",
      "TOKEN",
      "ALLOW_HOSTS",
      "ANTHROPIC",
      "OPENAI",
      "UPSTREAMS",
      "REPAIR",
      "CLEAN_HISTORY",
    ],
    ...["WATCH", "CAPTURE", "KEEP", "EXPORT", "DURABLE", "LOG_LEVEL", "CONFIG"],
  ].map((name) => `TOOLMEND_${name}`),
);

type Settings = { [key: string]: unknown; upstreams?: Record<string, unknown>; repair?: unknown; export?: unknown };

/** Flags over environment over file over defaults. Errors name the key and where it came from. */
export function readConfig(flags: Flags, environment: NodeJS.ProcessEnv): Config {
  const file = fileSettings(flags.config ?? (environment.TOOLMEND_CONFIG || undefined));
  const [set, typed] = [fromEnvironment(environment), fromFlags(flags)];
  const upstreams = { ...file.upstreams, ...set.upstreams, ...typed.upstreams };
  const clean = given({ cleanHistory: flags.cleanHistory ?? (environment.TOOLMEND_CLEAN_HISTORY || undefined) });
  const repair = { ...repairIn(file), ...repairIn(set), ...repairIn(typed), ...clean };
  return checkSettings({
    ...file,
    ...set,
    ...typed,
    upstreams,
    repair,
    export: { ...exportIn(file), ...exportIn(set), ...exportIn(typed) },
  });
}

/** Settings with their defaults, or an error that names every key that is wrong. */
export function checkSettings(given: unknown): Config {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const problems = read.error.issues.map((issue) => `${issue.path.join(".") || "settings"}: ${messageOf(issue)}`);
  throw new StartError(`The configuration is not valid. ${problems.join("; ")}.`);
}

/** What is wrong with a name stands one level below. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
}

/** The upstreams of a configuration, the two providers included. Keys come from the environment alone: TOOLMEND_KEY_NAME. */
export function upstreamsOf(config: Config, environment: NodeJS.ProcessEnv): ReadonlyMap<string, Upstream> {
  const named = Object.entries({ ...DEFAULT_UPSTREAMS, ...config.upstreams });
  return new Map(
    named.map(([name, url]) => {
      const key = environment[keyVariable(name)];
      return [name, { name, url: new URL(url), ...(key !== undefined && key !== "" && { key }) }];
    }),
  );
}

export function keyVariable(upstream: string): string {
  return `TOOLMEND_KEY_${upstream.toUpperCase().replaceAll("-", "_")}`;
}

/** What the server is told about repair. */
export function repairOf({ repair: { suspendFor, ...rest } }: Config): RepairConfig {
  return { ...rest, suspendForMs: parseSpan(suspendFor) as number };
}

/** What health by rate is judged by; undefined where that is the default. */
export function thresholdsOf({ health }: Config): HealthThresholds | undefined {
  const thresholds: HealthThresholds = {
    fewest_calls: health.fewestCalls,
    healthy_below: health.healthyBelow,
    unhealthy_from: health.unhealthyFrom,
    unhealthy_unrecovered: health.unhealthyUnrecovered,
  };
  return sameValue(thresholds, HEALTH_THRESHOLDS) ? undefined : thresholds;
}

/** A list of targets may stand for the whole. */
function exportIn({ export: given }: Settings): object {
  return Array.isArray(given) ? { targets: given } : typeof given === "object" && given !== null ? given : {};
}

/** The mode alone may stand for the whole. */
function repairIn({ repair }: Settings): object {
  return typeof repair === "object" && repair !== null ? repair : repair === undefined ? {} : { mode: repair };
}

function fileSettings(path: string | undefined): Settings {
  const file = resolve(path ?? "toolmend.config.json");
  if (!existsSync(file)) {
    if (path === undefined) return {};
    throw new StartError(`There is no configuration file ${file}.`);
  }
  try {
    const value: unknown = JSON.parse(textOf(file));
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value as Settings;
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${file} is not JSON: ${(error as Error).message}`);
  }
  throw new StartError(`${file} must hold a JSON object.`);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

function fromEnvironment(variables: NodeJS.ProcessEnv): Settings {
  // `TOOLMEND_PORT=` is how compose files say "not set".
  const environment = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const list = (text: string | undefined): string[] | undefined => text?.split(",").map((item) => item.trim());
  const upstreams = namedUpstreams(list(environment.TOOLMEND_UPSTREAMS) ?? [], "TOOLMEND_UPSTREAMS");
  return given({
    host: environment.TOOLMEND_HOST,
    port: environment.TOOLMEND_PORT,
    data: environment.TOOLMEND_DATA,
    store: environment.TOOLMEND_STORE,
    capture: environment.TOOLMEND_CAPTURE,
    keep: environment.TOOLMEND_KEEP,
    export: list(environment.TOOLMEND_EXPORT),
    token: environment.TOOLMEND_TOKEN,
    durable: environment.TOOLMEND_DURABLE,
    repair: environment.TOOLMEND_REPAIR,
    logLevel: environment.TOOLMEND_LOG_LEVEL,
    allowHosts: list(environment.TOOLMEND_ALLOW_HOSTS),
    watch: list(environment.TOOLMEND_WATCH),
    upstreams: given({ anthropic: environment.TOOLMEND_ANTHROPIC, openai: environment.TOOLMEND_OPENAI, ...upstreams }),
  });
}

function fromFlags(flags: Flags): Settings {
  const upstreams = namedUpstreams(flags.upstream ?? [], "--upstream");
  return given({
    host: flags.host,
    port: flags.port,
    data: flags.data,
    store: flags.store,
    capture: flags.capture,
    keep: flags.keep,
    export: flags.export?.split(",").map((item) => item.trim()),
    token: flags.token,
    durable: flags.durable,
    repair: flags.repair,
    logLevel: flags.logLevel,
    allowHosts: flags.allowHost,
    watch: flags.watch,
    upstreams: given({ anthropic: flags.anthropic, openai: flags.openai, ...upstreams }),
  });
}

function namedUpstreams(items: readonly string[], from: string): Record<string, string> {
  return Object.fromEntries(
    items.map((item) => {
      const equals = item.indexOf("=");
      if (equals < 1) throw new StartError(`${from} must be NAME=URL, for example vllm=http://127.0.0.1:8000/v1.`);
      return [item.slice(0, equals), item.slice(equals + 1)];
    }),
  );
}

function given<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;
}
