import { spawnSync } from "node:child_process";
import { requireInCi } from "./not-run.ts";
import { findProgram, missingPrograms } from "./programs.ts";

/** Why tests that need promtool cannot run here; undefined when they can. */
export const promtoolProblem: string | undefined = requireInCi(missingPrograms("promtool")?.text);

/** Runs promtool and returns its error output; empty on success. */
export function promtool(args: readonly string[], input = ""): string {
  const { status, stdout, stderr } = spawnSync(findProgram("promtool") as string, args, { input, encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}
