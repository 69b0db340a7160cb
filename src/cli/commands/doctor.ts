import { accessSync, constants, existsSync, statSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { isInForce } from "../../core/mend/index.ts";
import { HOOK_AGENTS } from "../../hook/agents.ts";
import { hookStatus } from "../../hook/install/hook-status.ts";
import { dataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import { isLoopback } from "../../proxy/guard.ts";
import { suspensionOf } from "../../proxy/repair-watch.ts";
import type { StoreReader } from "../../store/port.ts";
import { type Config, type Flags, keyVariable, readConfig, repairOf, upstreamsOf, VARIABLES } from "../config.ts";
import { hasEmbeddedStore } from "../embedded-store.ts";
import type { Io } from "../io.ts";
import { storeName } from "../open-store.ts";
import { readRepairChoices } from "../run-time-settings.ts";
import { oneLineText } from "../table.ts";
import { packageRoot } from "../version.ts";

export interface DoctorFlags extends Flags {
  readonly json?: boolean;
}

/** One thing that was looked at. `advice` says what to do about it. */
interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  readonly advice?: string;
}

const GLYPH = { ok: "✓", warning: "!", failed: "✗" } as const;

/** Looks at everything a start needs and says what to do where something is wrong. */
export async function doctorCommand(flags: DoctorFlags, io: Io): Promise<number> {
  const config = readConfig(flags, io.environment);
  const findings = [
    checkNode(),
    checkDataFolder(config),
    await checkStore(config),
    await checkServer(config),
    await checkRepair(config, io.now()),
    checkDashboard(),
    ...checkVariables(config, io.environment),
    ...checkHooks(io.environment),
    ...(await Promise.all(
      [...upstreamsOf(config, io.environment).values()].map(({ name, url }) => checkUpstream(name, url)),
    )),
  ];
  const failed = findings.some(({ status }) => status === "failed");
  if (flags.json === true) io.out(`${JSON.stringify({ ok: !failed, findings }, null, 2)}\n`);
  else for (const finding of findings) io.out(asText(finding));
  return failed ? 1 : 0;
}

function asText({ check, status, detail, advice }: Finding): string {
  const said = advice === undefined ? "" : `  ${"".padEnd(22)} → ${oneLineText(advice)}\n`;
  // Models' names and upstreams' words are among it.
  return `${GLYPH[status]} ${check.padEnd(22)} ${oneLineText(detail)}\n${said}`;
}

function checkNode(): Finding {
  const detail = `Node ${process.versions.node}`;
  if (hasEmbeddedStore()) return { check: "runtime", status: "ok", detail };
  return { check: "runtime", status: "failed", detail, advice: "The embedded store needs Node 24.15 or newer." };
}

function checkDataFolder({ data }: Config): Finding {
  const { path } = dataFolder(data);
  try {
    const nearest = nearestExisting(path);
    accessSync(nearest, constants.W_OK);
    if (!statSync(nearest).isDirectory()) throw new Error("not a folder");
    if (nearest !== path) return { check: "data folder", status: "ok", detail: `${path} (made at the first start)` };
    const open = (statSync(path).mode & 0o077) !== 0;
    if (!open) return { check: "data folder", status: "ok", detail: path };
    return {
      check: "data folder",
      status: "warning",
      detail: `${path} can be read by others`,
      advice: `chmod 700 ${path}`,
    };
  } catch {
    return {
      check: "data folder",
      status: "failed",
      detail: `${path} cannot be written`,
      advice: "Choose another with --data.",
    };
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

/** What was recorded; undefined when nothing ever was. */
async function readerOf({ data, store }: Config): Promise<StoreReader | undefined> {
  const { database } = dataFolder(data);
  if (store === undefined) {
    if (!existsSync(database)) return undefined;
    // Loaded here, so that a Node without it gets as far as being told so.
    const { openSqliteReader } = await import("../../store/sqlite/sqlite-store.ts");
    return openSqliteReader(database);
  }
  const { openPostgresReader } = await import("../../store/postgres/postgres-store.ts");
  const reader = openPostgresReader(store);
  const empty = await reader.isEmpty().catch(async (error: unknown) => {
    await reader.close();
    throw error;
  });
  if (!empty) return reader;
  await reader.close();
  return undefined;
}

async function checkStore(config: Config): Promise<Finding> {
  const check = "store";
  const where = storeName({ folder: dataFolder(config.data), url: config.store });
  try {
    const reader = await readerOf(config);
    if (reader === undefined) return { check, status: "ok", detail: "empty: nothing recorded yet" };
    const { calls, sessions } = await reader.summary({}).finally(() => reader.close());
    const shared = config.store === undefined ? "" : ` in ${where}`;
    return { check, status: "ok", detail: `${calls} calls in ${sessions} sessions${shared}` };
  } catch (error) {
    const advice =
      config.store === undefined
        ? fileAdvice(error)
        : "Is the database running, and does TOOLMEND_STORE name it? Meanwhile the journal holds what is recorded.";
    return { check, status: "failed", detail: `${where}: ${(error as Error).message}`, advice };
  }
}

/** SQLite's codes for a file that holds no database, or a damaged one: nothing is lost that could still be read. */
const DAMAGED = new Set([11, 26]);

function fileAdvice(error: unknown): string {
  return DAMAGED.has((error as { readonly errcode?: number }).errcode ?? 0)
    ? "Move the file away to start afresh; the journal and the events beside it stay."
    : "Check the rights of the file and its folder, or choose another with --data.";
}

async function checkServer(config: Config): Promise<Finding> {
  const check = "server";
  const info = readServerInfo(dataFolder(config.data));
  const ready = await fetch(`${info?.url ?? `http://${config.host}:${config.port}`}/readyz`, {
    signal: AbortSignal.timeout(2000),
  }).catch(() => undefined);
  const text = await ready?.text().catch(() => "");
  if (ready?.ok === true && text === "ready\n")
    return { check, status: "ok", detail: `running at ${info?.url ?? "the configured port"}` };
  if (ready?.status === 503)
    return { check, status: "failed", detail: `running, but: ${text?.trim()}`, advice: "See its log." };
  if (ready !== undefined || (await connectProblem(config.host, config.port)) === undefined) {
    return {
      check,
      status: "failed",
      detail: `port ${config.port} belongs to another program`,
      advice: "Choose another with --port.",
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
  return { check, status: "ok", detail: "not running", advice: "`toolmend start` starts it." };
}

/** Where an upstream did not take back a mended call, and nobody has switched repair on again since. */
async function checkRepair(config: Config, now: number): Promise<Finding> {
  const folder = dataFolder(config.data);
  const choices = readRepairChoices(folder);
  const { mode, suspendForMs = 0 } = repairOf(config);
  const check = "repair";
  const chosen = choices.length === 0 ? "" : ` in the configuration; ${choices.length} chosen at run time`;
  const fine: Finding = { check, status: "ok", detail: `${mode}${chosen}` };
  try {
    const reader = await readerOf(config);
    if (reader === undefined) return fine;
    const refusals = await reader.suspensions({ since: now - suspendForMs }).finally(() => reader.close());
    const open = refusals.filter((row) => isInForce(suspensionOf(row), choices, suspendForMs, now));
    const [newest] = open;
    if (newest === undefined) return fine;
    const places = new Set(open.map(({ provider, model }) => `${provider ?? "?"} ${model ?? "?"}`));
    const said = newest.message === null ? "" : `: ${newest.message}`;
    return {
      check,
      status: "warning",
      detail: `suspended for ${[...places].slice(0, 5).join(", ")}; the upstream answered ${newest.http_status} to a mended call${said}`,
      advice: `\`toolmend repair ${mode}\` switches it on again; \`toolmend repair off\` leaves answers alone.`,
    };
  } catch {
    // The store's own finding says what is wrong with it; one of an older version has no such table yet.
    return fine;
  }
}

function checkDashboard(): Finding {
  const built = existsSync(join(packageRoot, "dist", "dashboard", "index.html"));
  if (built) return { check: "dashboard", status: "ok", detail: "built" };
  return {
    check: "dashboard",
    status: "warning",
    detail: "not built",
    advice: "npm start builds it, or: npm run build",
  };
}

/** A variable that nobody reads is most often a slip of the pen. */
function checkVariables(config: Config, environment: NodeJS.ProcessEnv): readonly Finding[] {
  const keys = new Set([...upstreamsOf(config, environment).keys()].map(keyVariable));
  const unread = Object.keys(environment).filter(
    (name) => name.startsWith("TOOLMEND_") && !VARIABLES.has(name) && !keys.has(name),
  );
  if (unread.length === 0) return [];
  const detail = `${unread.join(", ")}: nobody reads ${unread.length === 1 ? "it" : "them"}`;
  const advice = "docs/deploy.md lists the variables; a key belongs to an upstream of that name.";
  return [{ check: "environment", status: "warning", detail, advice }];
}

/** Hooks that are installed and do not run are worth a word; none at all are fine. */
function checkHooks(environment: NodeJS.ProcessEnv): readonly Finding[] {
  const here = { environment, folder: process.cwd() };
  const found = HOOK_AGENTS.flatMap((agent) => hookStatus(agent, here)).filter(
    ({ installed, problem }) => installed || problem !== undefined,
  );
  return found.map(({ agent, scope, file, way, obstacles: [obstacle], problem }): Finding => {
    const check = `hooks ${agent}`;
    if (problem !== undefined) {
      return { check, status: "warning", detail: `${file}: ${problem}`, advice: "The agent cannot read it either." };
    }
    const detail = `installed (${way}) for the ${scope}`;
    return obstacle === undefined
      ? { check, status: "ok", detail }
      : { check, status: "warning", detail: `${detail}, but they do not run`, advice: obstacle };
  });
}

async function checkUpstream(name: string, url: URL): Promise<Finding> {
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  const check = `upstream ${name}`;
  const problem = await connectProblem(url.hostname, port);
  if (problem === undefined) return { check, status: "ok", detail: url.origin };
  return {
    check,
    status: "warning",
    detail: `${url.origin}: ${problem}`,
    advice: "Fine if you do not use it; else check its URL and the network.",
  };
}

/** Why nobody can be reached there; undefined when somebody listens. */
function connectProblem(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: host.replace(/^\[|\]$/g, ""), port, timeout: 2000 });
    const end = (reason?: string): void => {
      socket.destroy();
      resolve(reason);
    };
    socket.once("connect", () => end());
    socket.once("timeout", () => end("no answer within 2 s"));
    socket.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
