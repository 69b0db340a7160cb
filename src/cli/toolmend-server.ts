import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createDashboardFiles } from "../api/dashboard-files.ts";
import { createApi } from "../api/router.ts";
import type { HealthThresholds } from "../core/score/health.ts";
import { Exporter } from "../export/exporter.ts";
import { createMetrics } from "../export/prometheus.ts";
import { createSessionCounts } from "../export/session-counts.ts";
import { createHooks } from "../hook/start-hooks.ts";
import {
  announceServer,
  type DataFolder,
  dataFolder,
  prepareDataFolder,
  readServerInfo,
  withdrawServer,
} from "../ingest/data-folder.ts";
import { EventFeed } from "../ingest/event-feed.ts";
import { Journal } from "../ingest/journal/journal.ts";
import type { DetectSettings } from "../ingest/observe/detect-settings.ts";
import { CallObserver, type Capture } from "../ingest/observe/observe-call.ts";
import { Recorder } from "../ingest/recorder.ts";
import { sweepStore } from "../ingest/sweep.ts";
import { createAgents } from "../proxy/forward.ts";
import { OwnConnections } from "../proxy/hops.ts";
import { OpenExchanges } from "../proxy/open-exchanges.ts";
import { PromptMemory } from "../proxy/prompt-memory.ts";
import { type RepairConfig, RepairControl } from "../proxy/repair-control.ts";
import { RepairWatch } from "../proxy/repair-watch.ts";
import { ResponseMemory } from "../proxy/response-memory.ts";
import { SeenCalls } from "../proxy/seen-calls.ts";
import { answerText, createProxyServer } from "../proxy/server.ts";
import { ServerStateCalls } from "../proxy/server-state-calls.ts";
import { ToldTogether } from "../proxy/told-together.ts";
import type { Upstream } from "../proxy/upstreams.ts";
import type { Store } from "../store/port.ts";
import { takeWriterLock, type WriterLock } from "../store/sqlite/writer-lock.ts";
import { deleteOlder } from "./delete-older.ts";
import { type Exporting, NO_EXPORT } from "./exporting.ts";
import type { Logger } from "./logger.ts";
import { openStore } from "./open-store.ts";
import { OtherServers, saltFor } from "./other-servers.ts";
import { readRepairChoices, saveRepairChoices } from "./run-time-settings.ts";
import { StartError } from "./start-error.ts";
import { packageRoot, version } from "./version.ts";
import { watchTranscripts } from "./watch-transcripts.ts";

export interface ServerOptions {
  readonly host: string;
  readonly port: number;
  readonly data: string;
  /** `postgres://…`: the store of several servers; else SQLite in the data folder. */
  readonly storeUrl?: string;
  /** After so long without an answer a PostgreSQL counts as gone (30 s unless told). */
  readonly storePatienceMs?: number;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly capture: Capture;
  readonly detect?: DetectSettings;
  /** What the health of sessions is judged by; absent: the default. */
  readonly thresholds?: HealthThresholds | undefined;
  readonly allowedHosts: readonly string[];
  readonly token?: string;
  /** Folders of transcripts to follow. */
  readonly watch?: readonly string[];
  readonly durable?: boolean;
  /** By default leaked calls of declared tools are mended. */
  readonly repair?: RepairConfig;
  readonly keepAliveMs?: number;
  /** Further folders in which transcripts that hooks speak of may lie. */
  readonly transcripts?: readonly string[];
  /** Other systems that are told of every call. */
  readonly exporting?: Exporting;
  /** Sessions whose last sign of life is older are removed; absent: none is. */
  readonly keepMs?: number;
  /** How often sessions are looked through that have ended, gone quiet or grown old. */
  readonly sweepMs?: number;
  readonly logger: Logger;
  readonly now?: () => number;
}

export interface ToolmendServer {
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  /** Waits until everything acknowledged is stored and written out. */
  drain(): Promise<void>;
  /** Stops taking requests, lets running ones end, and stores what was acknowledged. */
  close(): Promise<void>;
}

const SWEEP_MS = 60_000;

/** Proxy, recorder, metrics and dashboard on one port. */
export async function startServer(options: ServerOptions): Promise<ToolmendServer> {
  const folder = dataFolder(options.data);
  prepareDataFolder(folder);
  const lock = lockFolder(folder, options.port);
  try {
    return await startLocked(options, folder, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function lockFolder(folder: DataFolder, port: number): WriterLock {
  const lock = takeWriterLock(folder.lock);
  if (lock !== undefined) return lock;
  const other = readServerInfo(folder);
  if (other !== undefined && new URL(other.url).port === String(port)) {
    throw new StartError(
      `Port ${port} is taken: Toolmend is running already at ${other.url} (process ${other.pid}). Stop it, or choose another --port and --data.`,
    );
  }
  const where = other === undefined ? "" : ` It is at ${other.url} (process ${other.pid}).`;
  throw new StartError(
    `Another Toolmend is using ${folder.path}.${where} Stop it, or choose another folder with --data.`,
  );
}

async function startLocked(options: ServerOptions, folder: DataFolder, lock: WriterLock): Promise<ToolmendServer> {
  const { logger } = options;
  const missing = options.watch?.find((path) => !existsSync(path));
  if (missing !== undefined) throw new StartError(`There is no folder ${missing} to watch.`);
  const now = options.now ?? Date.now;
  const store = await openStore({ folder, url: options.storeUrl, patienceMs: options.storePatienceMs }, true);
  const salt = await saltFor(folder, store).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const journal = new Journal({ folder: folder.journal, durable: options.durable === true });
  const feed = new EventFeed({
    store,
    ...(store.shared !== undefined && { cursor: `events:${journal.id}` }),
    folder: folder.events,
    now,
    onProblem: (message) => logger.warn({ problem: message }, "events could not be written out"),
  });
  const recorder = new Recorder({
    journal,
    store,
    rejectedFile: folder.rejected,
    thresholds: options.thresholds,
    onApplied(applied) {
      metrics.countCalls(applied.counted);
      metrics.countLeaks(applied.leaks);
      void feed.drain();
    },
    onProblem: ({ kind, message }) => logger.warn({ problem: message }, `recording: ${kind}`),
  });
  const metrics = createMetrics(
    () => ({ ...recorder.totals, unapplied_bytes: recorder.unappliedBytes }),
    createSessionCounts(store, now),
  );
  const observer = new CallObserver({
    capture: options.capture,
    salt,
    ...(options.detect !== undefined && { detect: options.detect }),
  });
  const agents = createAgents();
  const exchanges = new OpenExchanges();
  const record = recorder.record.bind(recorder);
  const unread = (reason: string): void => {
    metrics.unobserved();
    logger.debug({ reason }, "an exchange passed unread");
  };
  const told = new ToldTogether({ record, onProblem: unread });
  const recorded = async (): Promise<void> => {
    told.flush();
    await recorder.drain();
  };
  const control = new RepairControl({
    config: options.repair ?? { mode: "known" },
    choices: readRepairChoices(folder),
    now,
    save(choices) {
      saveRepairChoices(folder, choices);
      others?.tellChoices(choices);
    },
  });
  const serverState = new ServerStateCalls(now);
  const watch = new RepairWatch({
    reader: store,
    control,
    stored: recorded,
    record,
    keptText: (text) => observer.keptText(text, "message"),
    onSuspended: ({ provider, model, http_status, message, request_id }) =>
      logger.warn(
        { name: "agent:sanitizer", provider, model, http_status, problem: message, request_id },
        "the upstream did not take back a mended call: repair is suspended",
      ),
    onProblem: (problem) => logger.warn({ problem }, "a refused request could not be looked into"),
  });

  const lookForSuspensions = (): Promise<void> =>
    watch.load().catch((error: Error) => logger.warn({ problem: error.message }, "suspensions could not be read"));
  const others =
    store.shared === undefined
      ? undefined
      : new OtherServers({
          shared: store.shared,
          onNews: () => void feed.drain(),
          onLook: () => void lookForSuspensions(),
          now,
          onChoices: (choices) => control.adopt(choices),
          onProblem: (problem) => logger.warn({ problem }, "other servers could not be asked"),
        });
  const hooks = createHooks({
    ...{ folder, observer, record, now },
    environment: process.env,
    ...(options.transcripts !== undefined && { transcripts: options.transcripts }),
    onRead: (agent, events) => metrics.hookEvents(agent, "read", events),
    onEvent(agent, result, reason) {
      metrics.hookEvents(agent, result, 1);
      logger.warn({ agent, reason }, `a hook's event: ${result}`);
    },
    onProblem: (message) => logger.warn({ problem: message }, "hooks: something could not be read"),
  });

  const server = createProxyServer({
    own: new OwnConnections(),
    guard: () => ({
      host: options.host,
      port: (server.address() as AddressInfo | null)?.port ?? options.port,
      allowedHosts: options.allowedHosts,
      ...(options.token !== undefined && { token: options.token }),
    }),
    upstreams: options.upstreams,
    agents,
    exchanges,
    repair: {
      control,
      serverState,
      ...(options.keepAliveMs !== undefined && { keepAliveMs: options.keepAliveMs }),
    },
    recording: {
      observer,
      seen: new SeenCalls(),
      memory: new ResponseMemory(),
      prompts: new PromptMemory(observer.hash),
      told,
      now,
      watch,
      onLeak({ result, format, reason, parsed, dropped, repairs, model, request_id }) {
        logger.warn(
          { name: "agent:sanitizer", result, format, reason, parsed, dropped, repairs, model, request_id },
          result === "recovered" ? "a leaked call became a call" : "a leaked call was left as text",
        );
      },
      onUnreadable: unread,
    },
    routes: {
      hooks: hooks.route,
      api: createApi({
        reader: store,
        repair: {
          status: () => control.status,
          upstreams: [...options.upstreams.keys()],
          choose: (choice) => control.choose(choice),
        },
        ingest: { observer, record, unappliedBytes: () => recorder.unappliedBytes },
        exporting: {
          has: (target) => exporter.has(target),
          status: () => exporter.status(),
          backfill: (target, query) => exporter.backfill(target, query),
        },
        subscribe: (listener) => feed.subscribe(listener),
        forget: {
          async session(project, id) {
            await recorded();
            return await store.deleteSession(project, id);
          },
          before: (at) => deleteOlder(store, at),
        },
        status: () => ({
          version,
          ...recorder.totals,
          unapplied_bytes: recorder.unappliedBytes,
          store_problem: recorder.storeProblem ?? null,
        }),
        now,
      }),
      async metrics(response) {
        const { contentType, text } = await metrics.render();
        response.writeHead(200, { "content-type": contentType });
        response.end(text);
      },
      ready(response) {
        const problem = recorder.storeProblem;
        answerText(
          response,
          problem === undefined ? 200 : 503,
          problem === undefined ? "ready\n" : "the store is not available\n",
        );
      },
      dashboard: createDashboardFiles(join(packageRoot, "dist", "dashboard")),
    },
    traffic: metrics,
  });

  const exporter = new Exporter({
    ...(options.exporting ?? NO_EXPORT),
    store,
    now,
    onExported: (target, result, count) => metrics.exported(target, result, count),
    onProblem: (problem) => logger.warn({ problem }, "export"),
  });

  try {
    await listen(server, options);
  } catch (error) {
    await store.close();
    throw error;
  }
  await exporter.prepare();
  // What was acknowledged before is stored before anything new is shown.
  await recorder.start();
  exporter.start();
  await lookForSuspensions();
  await serverState
    .load(store)
    .catch((error: Error) => logger.warn({ problem: error.message }, "open mended calls could not be read"));
  void feed.drain();
  others?.start();
  // Nobody waits for the past: traffic may come in meanwhile.
  hooks.start();
  const { port } = server.address() as AddressInfo;
  const url = `http://${options.host.includes(":") ? `[${options.host}]` : options.host}:${port}`;
  announceServer(folder, { pid: process.pid, url, capture: options.capture });

  const sweep = async (): Promise<void> => {
    // Of several servers one does it; when it is gone, the next.
    if ((await store.shared?.mayDo("sweep", 2 * SWEEP_MS)) === false) return;
    await sweepStore(store, record, now(), options.keepMs);
  };
  const sweeping = setInterval(() => {
    void lookForSuspensions();
    sweep().catch((error: unknown) =>
      logger.warn({ problem: (error as Error).message }, "quiet and old sessions could not be looked through"),
    );
  }, options.sweepMs ?? SWEEP_MS).unref();

  const transcripts = watchTranscripts(options.watch ?? [], { folder, observer, recorder, now, logger });

  const drain = async (): Promise<void> => {
    await hooks.drain();
    await recorded();
    await feed.drain();
  };
  return {
    url,
    port,
    store,
    drain,
    async close() {
      clearInterval(sweeping);
      others?.close();
      await transcripts?.close();
      server.close();
      feed.close();
      await once(server, "close");
      await exchanges.settled();
      told.flush();
      await watch.settled();
      await hooks.close();
      agents.http.destroy();
      agents.https.destroy();
      await recorder.close();
      await exporter.close();
      await feed.drain();
      await store.close();
      withdrawServer(folder);
      lock.release();
    },
  };
}

async function listen(server: Server, { host, port }: ServerOptions): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new StartError(
        `Port ${port} on ${host} is taken. Is Toolmend running already? Choose another with --port.`,
      );
    if (code === "EACCES")
      throw new StartError(`Port ${port} needs more rights than we have. Choose one above 1023 with --port.`);
    throw new StartError(`Cannot listen on ${host}:${port} (${code}).`);
  }
}
