import { z } from "zod";
import { parseSpan } from "../api/parameters.ts";
import { checkUserRules, type UserRule } from "../core/detect/index.ts";
import { GUARD_MODES } from "../core/loop/index.ts";
import { isValidId } from "../core/model/call-key.ts";
import { REDACT_LEVELS } from "../core/redact/levels.ts";
import { CALL_FAULTS, CALL_REPAIR_MODES, REPAIR_MODES } from "../core/repair/index.ts";
import { HEALTH_THRESHOLDS } from "../core/score/health.ts";
import { EXPORT_TARGETS } from "../export/export-settings.ts";
import { defaultDataPath } from "../ingest/data-folder.ts";
import { CAPTURES } from "../ingest/observe/capture.ts";
import { SECOND_CHANCE_MODES } from "../proxy/second-chance/modes.ts";
import {
  MAX_INPUT_TOKENS,
  MAX_PER_SESSION,
  SECOND_CHANCE_TIMEOUT_MS,
} from "../proxy/second-chance/second-chance-control.ts";
import { DEFAULT_UPSTREAMS, RESERVED_NAMES } from "../proxy/upstreams.ts";
import { WEBSOCKET_MODES } from "../proxy/websocket/modes.ts";

const upstreamUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
/** The URL alone, or with the project that its calls belong to. */
const upstream = z.union(
  [
    upstreamUrl,
    z.strictObject({
      url: upstreamUrl,
      project: z.string().refine(isValidId, "must be 1 to 255 letters, digits or . _ : @ / + = -").optional(),
    }),
  ],
  { error: "must be an http or https URL, or { url, project }" },
);
const upstreamName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "names may contain only lower-case letters, digits, - and _")
  .refine((name) => !RESERVED_NAMES.has(name), "this name is reserved for a Toolmend path");

/** Validated by the detection code that uses them, so that a pattern with excessive running time is never loaded. */
const userRules = z.unknown().transform((value, context): readonly UserRule[] => {
  const { rules, problems } = checkUserRules(value);
  for (const { path, message } of problems)
    context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message });
  return rules;
});

const WHOLE_PORT = "must be a whole number from 0 to 65535";

/** Every setting with its default. Unknown keys are rejected, so that a typo is noticed. */
const callRepairMode = z.enum([...CALL_REPAIR_MODES, "follow"]);
/** Classes of faults, and their groups. */
const FAULT_NAMES: ReadonlySet<string> = new Set([...Object.keys(CALL_FAULTS), ...Object.values(CALL_FAULTS).flat()]);

/** The repair of native calls. */
const callRepair = z.strictObject({
  mode: callRepairMode.default("follow"),
  upstreams: z.record(upstreamName, callRepairMode).default({}),
  models: z.record(z.string().min(1), callRepairMode).default({}),
  deny: z.array(z.string().min(1)).default([]),
  faults: z
    .record(
      z.string().refine((name) => FAULT_NAMES.has(name), "unknown class of faults"),
      z.boolean(),
    )
    .default({}),
});

const onOrOff = z.union([z.stringbool(), z.boolean()], { error: "must be true or false" });
const price = z.number().min(0);

const settings = z.strictObject({
  host: z.string().min(1).default("127.0.0.1"),
  // Not coerced: an empty string or null would become port 0, which means any port.
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
  upstreams: z.record(upstreamName, upstream).default({}),
  capture: z.enum(CAPTURES).default("errors"),
  redact: z.enum(REDACT_LEVELS).default("secrets"),
  keep: z
    .string()
    .refine((value) => value === "forever" || (parseSpan(value) ?? 0) > 0, "use a duration such as 90d, or forever")
    .default("forever"),
  idleTimeout: z
    .string()
    .refine((value) => (parseSpan(value) ?? 0) > 0, "use a duration such as 30m or 2h")
    .default("30m"),
  callNameTtl: z
    .string()
    .refine((value) => (parseSpan(value) ?? 0) > 0, "use a duration such as 30m or 2h")
    .default("1h"),
  // In MB.
  bodyMemory: z.number().int().min(0).max(4096).default(64),
  allowHosts: z
    .array(z.string().regex(/^[^\s/]+$/, "must be a host name without scheme and path, such as toolmend.internal"))
    .default([]),
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
      maxCandidateChars: z
        .number()
        .int()
        .min(1024)
        .max(4 << 20)
        .default(1 << 20),
      strictCommands: z.boolean().default(false),
      calls: callRepair.prefault({}),
      cleanHistory: onOrOff.default(false),
      suspendFor: z
        .string()
        .refine((text) => parseSpan(text) !== undefined, "must be a duration such as 90m, 24h or 7d")
        .default("24h"),
    })
    .prefault({}),
  guard: z
    .strictObject({
      mode: z.enum(GUARD_MODES).default("observe"),
      upstreams: z.record(upstreamName, z.enum(GUARD_MODES)).default({}),
      models: z.record(z.string().min(1), z.enum(GUARD_MODES)).default({}),
      ignore: z.array(z.string().min(1).max(1000)).default([]),
      notify: z.string().min(1).optional(),
    })
    .prefault({}),
  secondChance: z
    .strictObject({
      mode: z.enum(SECOND_CHANCE_MODES).default("off"),
      upstreams: z.record(upstreamName, z.enum(SECOND_CHANCE_MODES)).default({}),
      models: z.record(z.string().min(1), z.enum(SECOND_CHANCE_MODES)).default({}),
      timeoutSeconds: z
        .number()
        .min(1)
        .max(600)
        .default(SECOND_CHANCE_TIMEOUT_MS / 1000),
      maxPerSession: z.number().int().min(1).default(MAX_PER_SESSION),
      maxInputTokens: z.number().int().min(1).default(MAX_INPUT_TOKENS),
    })
    .prefault({}),
  mcp: z.strictObject({ repairCalls: z.enum(["observe", "on"]).default("observe") }).prefault({}),
  // Per million tokens, by model.
  prices: z
    .record(
      z.string().min(1),
      z.strictObject({ input: price, output: price, cached: price.optional(), cacheWrite: price.optional() }),
    )
    .default({}),
  // Thresholds of health by rate; health by count is not configurable.
  health: z
    .strictObject({
      minCalls: z.number().int().min(1).default(HEALTH_THRESHOLDS.min_calls),
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
        .refine((span) => parseSpan(span) !== undefined, "must be a duration such as 12h or 7d")
        .default("7d"),
    })
    .prefault({}),
  // Must fit unescaped into a URL and a cookie.
  token: z
    .string()
    .regex(/^[A-Za-z0-9._~-]{16,256}$/, "use 16 to 256 letters, digits, . _ ~ or -")
    .optional(),
  durable: onOrOff.default(false),
  websocket: z.enum(WEBSOCKET_MODES).default("auto"),
  logLevel: z.enum(["debug", "info", "warn", "error", "silent"]).default("warn"),
});

/** Providers of agents whose hooks and transcripts are recorded without an upstream. */
const AGENT_PROVIDERS: ReadonlySet<string> = new Set(["google", "github"]);

/** Rejects modes for unknown upstreams: almost always a typo. */
export const configSchema = settings.superRefine(({ repair, guard, secondChance, detect, upstreams }, context) => {
  const check = (names: readonly string[], path: readonly string[]): void => {
    for (const name of names) {
      if (Object.hasOwn(DEFAULT_UPSTREAMS, name) || Object.hasOwn(upstreams, name)) continue;
      context.addIssue({ code: "custom", path: [...path, name], message: "unknown upstream" });
    }
  };
  check(Object.keys(repair.upstreams), ["repair", "upstreams"]);
  check(Object.keys(repair.calls.upstreams), ["repair", "calls", "upstreams"]);
  check(Object.keys(guard.upstreams), ["guard", "upstreams"]);
  check(Object.keys(secondChance.upstreams), ["secondChance", "upstreams"]);
  const providers = detect.flagOnly.upstreams.filter((name) => !AGENT_PROVIDERS.has(name));
  check(providers, ["detect", "flagOnly", "upstreams"]);
});

/** Validated settings of a run. */
export type Config = z.infer<typeof configSchema>;

/** Settings as written in the configuration file. */
export type ConfigInput = z.input<typeof configSchema>;
