import { type Config, keyVariable, upstreamsOf } from "../../config.ts";
import { VARIABLES } from "../../config-sources.ts";
import { RENAMED_VARIABLES } from "../../renamed-names.ts";
import type { CheckResult } from "./check-result.ts";

/** Warns about unknown TOOLMEND_ variables: almost always a typo. */
export function checkVariables(config: Config, environment: NodeJS.ProcessEnv): readonly CheckResult[] {
  const keys = new Set([...upstreamsOf(config, environment).keys()].map(keyVariable));
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith("TOOLMEND_") && !VARIABLES.has(name) && !RENAMED_VARIABLES.has(name) && !keys.has(name),
  );
  if (unknown.length === 0) return [];
  const detail = `${unknown.join(", ")}: unknown ${unknown.length === 1 ? "variable" : "variables"}`;
  const advice = "docs/deploy.md lists the variables. TOOLMEND_KEY_NAME needs an upstream called NAME.";
  return [{ check: "environment", status: "warning", detail, advice }];
}
