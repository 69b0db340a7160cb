import { createTarget, ExportSettingsError, type ExportTargetName } from "../export/export-settings.ts";
import type { ExportTarget } from "../export/export-target.ts";
import { type Config, spanMs } from "./config.ts";
import { CliError } from "./errors.ts";
import { version } from "./version.ts";

/** Export targets and settings. */
export interface ExportConfig {
  readonly targets: readonly ExportTarget[];
  readonly content: boolean;
  readonly giveUpAfterMs: number;
  readonly everyMs?: number;
}

export const NO_EXPORT: ExportConfig = { targets: [], content: false, giveUpAfterMs: 0 };

/** Creates the configured targets, or the given ones. Throws before the start if a key is missing. */
export function readExportConfig(
  config: Config,
  environment: NodeJS.ProcessEnv,
  names: readonly ExportTargetName[] = config.export.targets,
): ExportConfig {
  try {
    return {
      targets: [...new Set(names)].map((name) => createTarget(name, environment, version)),
      content: config.export.content,
      giveUpAfterMs: spanMs(config.export.giveUpAfter),
    };
  } catch (error) {
    if (error instanceof ExportSettingsError) throw new CliError(error.message, { cause: error });
    throw error;
  }
}
