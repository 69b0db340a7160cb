import { distance } from "fastest-levenshtein";
import { VARIABLES } from "./config-sources.ts";
import { RENAMED_VARIABLES, type Warn } from "./renamed-names.ts";

/** Differences in letters that still count as a typing error. */
const MAX_TYPOS = 2;

/**
 * Warns about variables that are almost a setting. Other unknown ones may belong to other programs: Kubernetes sets
 * `TOOLMEND_SERVICE_HOST` for a service of that name. `toolmend doctor` lists them.
 */
export function warnOfMistypedVariables(environment: NodeJS.ProcessEnv, warn: Warn): void {
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith("TOOLMEND_") || name.startsWith("TOOLMEND_KEY_") || !value) continue;
    if (VARIABLES.has(name) || RENAMED_VARIABLES.has(name)) continue;
    const meant = [...VARIABLES].find((known) => distance(known, name) <= MAX_TYPOS);
    if (meant !== undefined) warn(`${name} is not a setting and is ignored. Did you mean ${meant}?`);
  }
}
