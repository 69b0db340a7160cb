import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { HOOK_AGENTS } from "../../../hook/agent-names.ts";
import { hookStatus } from "../../../hook/install/hook-status.ts";
import { dataFolder } from "../../../ingest/data-folder.ts";
import { type Config, keyVariable, upstreamsOf } from "../../config.ts";
import { VARIABLES } from "../../config-sources.ts";
import { RENAMED_VARIABLES } from "../../renamed-names.ts";
import { packageRoot } from "../../version.ts";

/** Older versions ignore the variables of an HTTP proxy. */
const PROXY_VARIABLES_NODE = [24, 5] as const;

export function checkNode(environment: NodeJS.ProcessEnv, node: string = process.versions.node): CheckResult {
  const detail = `Node ${node}`;
  const set = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].filter((name) => environment[name]);
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const [leastMajor, leastMinor] = PROXY_VARIABLES_NODE;
  if (set.length === 0 || major > leastMajor || (major === leastMajor && minor >= leastMinor))
    return { check: "runtime", status: "ok", detail };
  return {
    check: "runtime",
    status: "warning",
    detail: `${detail} ignores ${set.join(", ")}`,
    advice: `Use Node ${PROXY_VARIABLES_NODE.join(".")} or newer to reach upstreams through a proxy.`,
  };
}

export function checkDataFolder({ data }: Config): CheckResult {
  const { path } = dataFolder(data);
  try {
    const nearest = nearestExisting(path);
    accessSync(nearest, constants.W_OK);
    if (!statSync(nearest).isDirectory()) throw new Error("not a folder");
    if (nearest !== path) return { check: "data folder", status: "ok", detail: `${path} (created at the first start)` };
    const open = (statSync(path).mode & 0o077) !== 0;
    if (!open) return { check: "data folder", status: "ok", detail: path };
    return {
      check: "data folder",
      status: "warning",
      detail: `${path} is readable by other users`,
      advice: `chmod 700 ${path}`,
    };
  } catch {
    return {
      check: "data folder",
      status: "failed",
      detail: `${path} is not writable`,
      advice: "Choose another folder with --data.",
    };
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

export function checkDashboard(): CheckResult {
  const built = existsSync(join(packageRoot, "dist", "dashboard", "index.html"));
  if (built) return { check: "dashboard", status: "ok", detail: "built" };
  return {
    check: "dashboard",
    status: "warning",
    detail: "not built",
    advice: "Run `npm run build`; `npm start` builds it too.",
  };
}

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

/** Result of one check. `advice` is the suggested fix. */
export interface CheckResult {
  readonly check: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  readonly advice?: string;
}

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
