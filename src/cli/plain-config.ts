import { HEALTH_THRESHOLDS } from "../core/score/health.ts";
import { defaultDataPath } from "../ingest/data-folder.ts";
import {
  MAX_INPUT_TOKENS,
  MAX_PER_SESSION,
  SECOND_CHANCE_TIMEOUT_MS,
} from "../proxy/second-chance/second-chance-control.ts";
import type { Config } from "./config-schema.ts";

/**
 * The settings of a run without a configuration file: host, port and data folder, and defaults for the rest.
 * Undefined if anything else is set or not valid. Checked here because the schema's library is 95 files, which cost a
 * command 100 ms of CPU and a server 4 MB (docs/performance.md, Memory). A test compares this with the schema.
 */
export function plainConfig(given: unknown): Config | undefined {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return undefined;
  const config = defaultConfig();
  for (const [name, value] of Object.entries(given)) {
    if (name === "host" || name === "data") {
      if (typeof value !== "string" || value === "") return undefined;
      config[name] = value;
    } else if (name === "port") {
      const port = portOf(value);
      if (port === undefined) return undefined;
      config.port = port;
    } else if (!isUnset(config, name, value)) return undefined;
  }
  return config;
}

function portOf(value: unknown): number | undefined {
  const port = typeof value === "string" && /^\d{1,5}$/.test(value) ? Number(value) : value;
  return typeof port === "number" && Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : undefined;
}

/** Whether a setting is absent, or has no parts. */
function isUnset(known: object, name: string, value: unknown): boolean {
  if (!Object.hasOwn(known, name)) return false;
  if (value === undefined) return true;
  const part: unknown = Reflect.get(known, name);
  if (!isParts(value) || !isParts(part)) return false;
  return Object.entries(value).every(([inner, one]) => isUnset(part, inner, one));
}

function isParts(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function defaultConfig(): Config {
  return {
    host: "127.0.0.1",
    port: 4100,
    data: defaultDataPath(),
    upstreams: {},
    capture: "errors",
    redact: "secrets",
    keep: "forever",
    idleTimeout: "30m",
    callNameTtl: "1h",
    bodyMemory: 64,
    allowHosts: [],
    watch: [],
    detect: { heuristics: true, flagOnly: { upstreams: [], tools: [] }, rules: [] },
    repair: {
      mode: "known",
      upstreams: {},
      models: {},
      allow: [],
      deny: [],
      maxCandidateChars: 1 << 20,
      strictCommands: false,
      calls: { mode: "follow", upstreams: {}, models: {}, deny: [], faults: {} },
      cleanHistory: false,
      suspendFor: "24h",
    },
    guard: { mode: "observe", upstreams: {}, models: {}, ignore: [] },
    secondChance: {
      mode: "off",
      upstreams: {},
      models: {},
      timeoutSeconds: SECOND_CHANCE_TIMEOUT_MS / 1000,
      maxPerSession: MAX_PER_SESSION,
      maxInputTokens: MAX_INPUT_TOKENS,
    },
    mcp: { repairCalls: "observe" },
    prices: {},
    health: {
      minCalls: HEALTH_THRESHOLDS.min_calls,
      healthyBelow: HEALTH_THRESHOLDS.healthy_below,
      unhealthyFrom: HEALTH_THRESHOLDS.unhealthy_from,
      unhealthyUnrecovered: HEALTH_THRESHOLDS.unhealthy_unrecovered,
    },
    hooks: { transcripts: [] },
    export: { targets: [], content: false, giveUpAfter: "7d" },
    durable: false,
    websocket: "auto",
    logLevel: "warn",
  };
}
