import { createHash } from "node:crypto";
import { type ExportTargetName, langfuseSettings, otlpSettings, resourceAttributes } from "./export-settings.ts";
import type { ExportTarget } from "./export-target.ts";
import { langfuseTarget } from "./langfuse/langfuse-target.ts";
import { otlpTarget } from "./otlp/otlp-target.ts";

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
