import { createHash } from "node:crypto";
import type { ExportTarget } from "./export-target.ts";
import type { ExportTargetName } from "./export-target-names.ts";
import { type LangfuseSettings, langfuseTarget } from "./langfuse/langfuse-target.ts";
import type { AttributeValue } from "./otlp/otlp-json.ts";
import { type OtlpSettings, otlpTarget } from "./otlp/otlp-target.ts";

export { EXPORT_TARGETS, type ExportTargetName } from "./export-target-names.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A missing or invalid setting. The message names the variable and never contains a value. */
export class ExportSettingsError extends Error {
  readonly code = "export-settings";
  override readonly name = "ExportSettingsError";
}

const LANGFUSE_CLOUD = "https://cloud.langfuse.com";
const TIMEOUT_MS = 10_000;

/** Keys are read from the environment only: a config file might be committed. */
export function langfuseSettings(env: Environment): LangfuseSettings {
  const { LANGFUSE_PUBLIC_KEY: publicKey, LANGFUSE_SECRET_KEY: secretKey } = env;
  const missing = ["LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY"].filter((name) => !env[name]);
  if (!publicKey || !secretKey)
    throw new ExportSettingsError(
      `Export to Langfuse needs ${missing.join(" and ")} in the environment (Langfuse: project settings, API keys).`,
    );
  const environment = env.LANGFUSE_TRACING_ENVIRONMENT ?? env.LANGFUSE_ENVIRONMENT;
  if (environment !== undefined && !/^(?!langfuse)[a-z0-9_-]{1,40}$/.test(environment))
    throw new ExportSettingsError(
      "LANGFUSE_TRACING_ENVIRONMENT must contain only lower-case letters, digits, - and _, and must not start with langfuse.",
    );
  return {
    host: httpUrl(env.LANGFUSE_BASE_URL ?? env.LANGFUSE_HOST ?? LANGFUSE_CLOUD, "LANGFUSE_HOST"),
    publicKey,
    secretKey,
    timeoutMs: TIMEOUT_MS,
    ...(environment !== undefined && { environment }),
    ...(env.LANGFUSE_RELEASE && { release: env.LANGFUSE_RELEASE }),
  };
}

/** The exporter variables of the OpenTelemetry specification, for JSON over HTTP. */
export function otlpSettings(env: Environment): OtlpSettings {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? "";
  const traces = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const logs = env.OTEL_EXPORTER_OTLP_LOGS_ENDPOINT;
  if (!base && !(traces && logs))
    throw new ExportSettingsError(
      "Export by OTLP needs OTEL_EXPORTER_OTLP_ENDPOINT in the environment, for example http://localhost:4318.",
    );
  const protocol = env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol === "grpc")
    throw new ExportSettingsError(
      "OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not supported. Use http/json and the collector's HTTP port (usually 4318).",
    );
  const shared = headersOf(env.OTEL_EXPORTER_OTLP_HEADERS, "OTEL_EXPORTER_OTLP_HEADERS");
  const timeoutMs = Number(env.OTEL_EXPORTER_OTLP_TIMEOUT || TIMEOUT_MS);
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0)
    throw new ExportSettingsError("OTEL_EXPORTER_OTLP_TIMEOUT must be a number of milliseconds above 0.");
  return {
    // The endpoint of a signal is used unchanged; the shared one gets the path of the signal.
    tracesUrl: traces ? httpUrl(traces, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") : signalUrl(base, "/v1/traces"),
    logsUrl: logs ? httpUrl(logs, "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT") : signalUrl(base, "/v1/logs"),
    tracesHeaders: {
      ...shared,
      ...headersOf(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS, "OTEL_EXPORTER_OTLP_TRACES_HEADERS"),
    },
    logsHeaders: {
      ...shared,
      ...headersOf(env.OTEL_EXPORTER_OTLP_LOGS_HEADERS, "OTEL_EXPORTER_OTLP_LOGS_HEADERS"),
    },
    timeoutMs,
  };
}

/** `service.name`, and the attributes of OTEL_RESOURCE_ATTRIBUTES. */
export function resourceAttributes(env: Environment, version: string): Readonly<Record<string, AttributeValue>> {
  const given = pairs(env.OTEL_RESOURCE_ATTRIBUTES ?? "");
  return {
    "service.name": "toolmend",
    ...given,
    ...(env.OTEL_SERVICE_NAME && { "service.name": env.OTEL_SERVICE_NAME }),
    "telemetry.sdk.name": "toolmend",
    "telemetry.sdk.language": "nodejs",
    "telemetry.sdk.version": version,
  };
}

function signalUrl(base: string, path: string): string {
  return httpUrl(base, "OTEL_EXPORTER_OTLP_ENDPOINT").replace(/\/+$/, "") + path;
}

function httpUrl(text: string, name: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new ExportSettingsError(`${name} is not an http or https URL.`);
  const { username, password } = new URL(text);
  // fetch rejects such a URL with a message that contains it.
  if (username !== "" || password !== "")
    throw new ExportSettingsError(
      `${name} must not contain a user name or a password. Set keys in their own variables.`,
    );
  return text;
}

function headersOf(text: string | undefined, name: string): Readonly<Record<string, string>> {
  if (text === undefined || text.trim() === "") return {};
  const found = pairs(text);
  if (Object.keys(found).length === 0)
    throw new ExportSettingsError(`${name} must be a comma-separated list of name=value pairs.`);
  return found;
}

/** Parses `a=b,c=d` with percent-encoded values, as in the OpenTelemetry specification. */
function pairs(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const part of text.split(",")) {
    const at = part.indexOf("=");
    if (at <= 0) continue;
    const value = part.slice(at + 1).trim();
    found[part.slice(0, at).trim()] = decodeValue(value);
  }
  return found;
}

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Creates a target from the environment. Throws an `ExportSettingsError` that names missing variables. */
export function createTarget(
  name: ExportTargetName,
  environment: Readonly<Record<string, string | undefined>>,
  version: string,
): ExportTarget {
  const sender = { version, resource: resourceAttributes(environment, version) };
  return name === "langfuse"
    ? langfuseTarget(langfuseSettings(environment), sender, sha256)
    : otlpTarget(otlpSettings(environment), sender, sha256);
}
