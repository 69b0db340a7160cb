import { type Config, keyVariable, upstreamsOf } from "../../config.ts";
import { VARIABLES } from "../../config-sources.ts";
import { RENAMED_VARIABLES } from "../../renamed-names.ts";
import type { CheckResult } from "./check-result.ts";

/** A variable that nobody reads is most often a slip of the pen. */
export function checkVariables(config: Config, environment: NodeJS.ProcessEnv): readonly CheckResult[] {
  const keys = new Set([...upstreamsOf(config, environment).keys()].map(keyVariable));
  const unread = Object.keys(environment).filter(
    (name) => name.startsWith("TOOLMEND_") && !VARIABLES.has(name) && !RENAMED_VARIABLES.has(name) && !keys.has(name),
  );
  if (unread.length === 0) return [];
  const detail = `${unread.join(", ")}: nobody reads ${unread.length === 1 ? "it" : "them"}`;
  const advice = "docs/deploy.md lists the variables; a key belongs to an upstream of that name.";
  return [{ check: "environment", status: "warning", detail, advice }];
}
