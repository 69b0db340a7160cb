import { HOOK_AGENTS } from "../../../hook/agents.ts";
import { hookStatus } from "../../../hook/install/hook-status.ts";
import type { CheckResult } from "./check-result.ts";

/** Reports installed hooks, and warns about those that do not run. Hooks are optional, so their absence is fine. */
export function checkHooks(environment: NodeJS.ProcessEnv): readonly CheckResult[] {
  const here = { environment, folder: process.cwd() };
  const found = HOOK_AGENTS.flatMap((agent) => hookStatus(agent, here)).filter(
    ({ installed, problem }) => installed || problem !== undefined,
  );
  return found.map(({ agent, scope, file, transport: way, problems: [obstacle], problem }): CheckResult => {
    const check = `hooks ${agent}`;
    if (problem !== undefined) {
      return {
        check,
        status: "warning",
        detail: `${file}: ${problem}`,
        advice: "Fix the file: the agent cannot read it either.",
      };
    }
    const detail = `installed (${way}) for the ${scope}`;
    return obstacle === undefined
      ? { check, status: "ok", detail }
      : { check, status: "warning", detail: `${detail}, but they do not run`, advice: obstacle };
  });
}
