import { connect } from "node:net";
import { isObject } from "../../../core/model/narrow.ts";
import { dataFolder, readServerInfo } from "../../../ingest/data-folder.ts";
import { isLoopback } from "../../../proxy/access-control.ts";
import { commandLine } from "../../command-line.ts";
import type { Config } from "../../config.ts";
import type { CheckResult } from "./check-machine.ts";

export async function checkServer(config: Config): Promise<CheckResult> {
  const check = "server";
  const info = readServerInfo(dataFolder(config.data));
  const ready = await readinessOf(info?.url ?? `http://${config.host}:${config.port}`);
  if (ready?.isReady === true && info === undefined)
    return {
      check,
      status: "warning",
      detail: `none for ${config.data}; the one at port ${config.port} uses another data folder`,
      advice: "Give that folder with --data, or choose another port with --port.",
    };
  if (ready?.isReady === true) return { check, status: "ok", detail: `running at ${info?.url}` };
  if (ready?.status === 503)
    return { check, status: "failed", detail: `running, but: ${ready.text.trim()}`, advice: "Check its log." };
  if (ready !== undefined || (await connectProblem(config.host, config.port)) === undefined) {
    return {
      check,
      status: "failed",
      detail: `port ${config.port} is used by another program`,
      advice: "Choose another port with --port.",
    };
  }
  if (!isLoopback(config.host) && config.token === undefined) {
    return {
      check,
      status: "warning",
      detail: `not running; ${config.host} needs a token`,
      advice: "Set TOOLMEND_TOKEN.",
    };
  }
  return { check, status: "ok", detail: "not running", advice: `Start it with \`${commandLine("start")}\`.` };
}

/** Upstreams that only the running server was started with. This command does not know their URLs. */
export async function findUnconfiguredUpstreams(config: Config): Promise<readonly CheckResult[]> {
  const info = readServerInfo(dataFolder(config.data));
  if (info === undefined) return [];
  const headers = config.token === undefined ? {} : { "x-toolmend-token": config.token };
  const names = await fetch(`${info.url}/api/status`, { headers, signal: AbortSignal.timeout(2000) })
    .then((response) => response.json())
    // A server of an older version does not list them.
    .then((status: unknown) =>
      isObject(status) && Array.isArray(status.upstreams) ? status.upstreams.map(String) : [],
    )
    .catch((): readonly string[] => []);
  return names
    .filter((name) => !Object.hasOwn(config.upstreams, name))
    .map((name) => ({
      check: `upstream ${name}`,
      status: "ok",
      detail: "used by the running server; not checked",
      advice: `Check it with \`${commandLine(`doctor --upstream ${name}=URL`)}\`, or write it into toolmend.config.json.`,
    }));
}

interface Readiness {
  readonly status: number;
  readonly text: string;
  readonly isReady: boolean;
}

/** Undefined if no HTTP server responds there. */
async function readinessOf(url: string): Promise<Readiness | undefined> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  if (response === undefined) return undefined;
  const text = await response.text().catch(() => "");
  return { status: response.status, text, isReady: response.ok && text === "ready\n" };
}

export async function checkUpstream(name: string, url: URL): Promise<CheckResult> {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const check = `upstream ${name}`;
  const problem = await connectProblem(url.hostname, port);
  if (problem === undefined) return { check, status: "ok", detail: url.origin };
  return {
    check,
    status: "warning",
    detail: `${url.origin}: ${problem}`,
    advice: "Ignore this if you do not use it; otherwise check its URL and the network.",
  };
}

/** Returns why the connection failed, or undefined if a program listens there. */
function connectProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ""), port, timeout: 2000 });
    const end = (reason?: string): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once("connect", () => end());
    socket.once("timeout", () => end("no response within 2 s"));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
