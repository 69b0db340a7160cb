import { parseSpan } from "../api/parameters.ts";
import { createTarget } from "../export/create-target.ts";
import { ExportSettingsError, type ExportTargetName } from "../export/export-settings.ts";
import type { ExportTarget } from "../export/export-target.ts";
import type { Config } from "./config.ts";
import { StartError } from "./start-error.ts";
import { version } from "./version.ts";

/** To whom records go, and how. */
export interface Exporting {
  readonly targets: readonly ExportTarget[];
  readonly content: boolean;
  readonly giveUpAfterMs: number;
  readonly everyMs?: number;
}

export const NO_EXPORT: Exporting = { targets: [], content: false, giveUpAfterMs: 0 };

/** The targets of a configuration, or those named; a missing key is told before anything starts. */
export function exportingOf(
  config: Config,
  environment: NodeJS.ProcessEnv,
  names: readonly ExportTargetName[] = config.export.targets,
): Exporting {
  try {
    return {
      targets: [...new Set(names)].map((name) => createTarget(name, environment, version)),
      content: config.export.content,
      giveUpAfterMs: parseSpan(config.export.giveUpAfter) as number,
    };
  } catch (error) {
    if (error instanceof ExportSettingsError) throw new StartError(error.message);
    throw error;
  }
}
