import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Server } from "node:http";
import { LOOP_LEVELS } from "../core/loop/index.ts";
import { messageOf } from "../core/model/errors.ts";
import { Exporter } from "../export/exporter.ts";
import { createHooks, type Hooks } from "../hook/start-hooks.ts";
import {
  type DataFolder,
  dataFolder,
  prepareDataFolder,
  removeServerInfo,
  writeServerInfo,
} from "../ingest/data-folder.ts";
import { ImportCheckpoints } from "../ingest/import/import-checkpoints.ts";
import type { ImportOptions } from "../ingest/import/import-files.ts";
import { MachineImport } from "../ingest/import/machine-import.ts";
import { TranscriptWatch } from "../ingest/import/watch-transcripts.ts";
import type { CallObserver } from "../ingest/observe/observe-call.ts";
import type { Recorder } from "../ingest/recorder.ts";
import { createMcpExchanges } from "../mcp/http/mcp-exchanges.ts";
import { KnownServers } from "../mcp/known-servers.ts";
import type { AccessSettings } from "../proxy/access-control.ts";
import { BodyMemory } from "../proxy/body/body-memory.ts";
import { OpenExchanges } from "../proxy/exchange/create-exchange.ts";
import { createAgents } from "../proxy/forward/upstream-request.ts";
import { ProxyCycleCheck } from "../proxy/http/hop-check.ts";
import type { RecordingContext } from "../proxy/recording/exchange-recorder.ts";
import { PromptCache } from "../proxy/recording/prompt-cache.ts";
import { RecordedCallCache } from "../proxy/recording/recorded-call-cache.ts";
import { ResponseCache } from "../proxy/recording/response-cache.ts";
import { StoredConversations } from "../proxy/recording/stored-conversations.ts";
import { createProxyServer } from "../proxy/server.ts";
import type { Store } from "../store/port.ts";
import type { WriterLock } from "../store/sqlite/writer-lock.ts";
import { CliError } from "./errors.ts";
import { NO_EXPORT } from "./export-config.ts";
import type { Logger } from "./logger.ts";
import { containUncaught, listen, lockFolder } from "./server/listen.ts";
import { createLocalRoutes } from "./server/local-routes.ts";
import { HOOK_EVENT_TEXT, leakMessage } from "./server/log-messages.ts";
import { LoopNotifier } from "./server/loop-notifier.ts";
import { createRecordingPipeline, type RecordingPipeline } from "./server/recording-pipeline.ts";
import { createRepairServices, type RepairServices } from "./server/repair-services.ts";
import type { ServerOptions } from "./server/server-options.ts";
import { openServerContext, type ServerContext } from "./server/server-options.ts";
import { createDeleter, startSweeper } from "./server/sweeper.ts";

export interface ToolmendServer {
  readonly url: string;
  readonly port: number;
  readonly store: Store;
  /** Imports transcripts of this machine's coding agents; undefined if the server may not read them. */
  readonly machineImport: MachineImport | undefined;
  /** Waits until everything acknowledged is stored and written out. */
  drain(): Promise<void>;
  /** Stops accepting requests, finishes open ones, and stores everything acknowledged. */
  close(): Promise<void>;
}

/** Runs proxy, recorder, metrics and dashboard on one port. */
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

async function startLocked(options: ServerOptions, folder: DataFolder, lock: WriterLock): Promise<ToolmendServer> {
  const { logger } = options;
  const missing = options.watch?.find((path) => !existsSync(path));
  if (missing !== undefined) throw new CliError(`Folder to watch not found: ${missing}.`);

  // First create everything; nothing runs yet.
  const context = await openServerContext(options, folder);
  const { store, now } = context;
  const recording = createRecordingPipeline(context);
  const { observer, recorder, batcher, stored, feed, metrics, onFailure } = recording;
  const repairing = createRepairServices(context, recording);
  const notifier = createNotifier(context, recording, repairing);
  const mcpServers = new KnownServers(folder.mcpServers);
  const hooks = createServerHooks(context, recording, mcpServers, repairing);
  const bodies = createBodyMemory(context);
  const deleter = createDeleter(context, recording, hooks, () => bodies?.clear());
  const exporter = new Exporter({
    ...(options.exporting ?? NO_EXPORT),
    store,
    now,
    onExported: (target, result, count) => metrics.exported(target, result, count),
    onProblem: (problem) => logger.warn({ problem }, "calls could not be exported"),
  });
  const machineImport = createMachineImport(context, recording);
  const agents = createAgents();
  const exchanges = new OpenExchanges();
  const conversations = new StoredConversations({
    reader: store,
    isShared: store.shared !== undefined,
    waitUntilStored: stored,
    onFailure: (error) => onFailure("recording", error),
  });
  const server = createProxyServer({
    cycleCheck: new ProxyCycleCheck(),
    accessSettings: () => guardSettings(options, server),
    upstreams: options.upstreams,
    agents,
    exchanges,
    bodies,
    repair: {
      control: repairing.control,
      pendingCalls: repairing.serverState,
      onFailure: (error) => onFailure("repair", error),
      ...(options.keepAliveMs !== undefined && { keepAliveMs: options.keepAliveMs }),
    },
    guard: { control: repairing.guard, onAction: (action) => metrics.guardAction(action) },
    secondChance: {
      control: repairing.secondChance,
      now,
      onFailure: (error) => onFailure("repair", error),
    },
    recording: { ...recordingContext(context, recording, repairing), storedConversations: conversations },
    routes: createLocalRoutes(context, { recording, repairing, hooks, exporter, deleter, machineImport }),
    mcpExchange: createMcpExchanges({
      ...{ observer, record: recording.record, now, servers: mcpServers },
      repairsCalls: options.repairsMcpCalls === true,
      onProblem: (error) => onFailure("recording", error),
    }),
    traffic: metrics,
    websocket: options.websocket,
    onFailure,
    bodyTimeoutMs: options.bodyTimeoutMs,
  });

  // Then start, in this order.
  const { url, port } = await listen(server, options)
    .then(async (address) => {
      await exporter.prepare();
      return address;
    })
    .catch(async (error: unknown) => {
      server.close();
      await store.close();
      throw error;
    });
  // Observations acknowledged before the last stop are stored before new ones are shown.
  await recorder.start();
  exporter.start();
  await repairing.load();
  void feed.drain();
  repairing.others?.start();
  // Reads missed events in the background; requests are accepted meanwhile.
  hooks.start();
  try {
    writeServerInfo(folder, { pid: process.pid, url, capture: options.capture });
  } catch (error) {
    logger.error(
      { problem: messageOf(error) },
      "the data folder is not writable: other commands cannot find this server",
    );
  }
  if (context.storeProblem !== undefined)
    logger.error(
      { problem: context.storeProblem },
      "the store cannot be opened: requests are still forwarded, and records wait in the journal",
    );
  deleter
    .resume()
    .catch((error: unknown) =>
      logger.warn({ problem: messageOf(error) }, "a deletion could not be finished; the next start tries again"),
    );
  const sweeping = startSweeper(context, recording, deleter, async () => {
    await repairing.loadSuspensions();
    await repairing.serverState
      .removeExpired()
      .catch((error: unknown) =>
        logger.warn({ problem: messageOf(error) }, "stored arguments of old repaired calls could not be deleted"),
      );
  });
  const stopContaining = options.containUncaught === true ? containUncaught(onFailure) : undefined;
  const transcripts = watchTranscripts(options.watch ?? [], { folder, observer, recorder, now, logger });

  const close = async (): Promise<void> => {
    clearInterval(sweeping);
    repairing.others?.close();
    await transcripts?.close();
    await machineImport?.close();
    server.close();
    feed.close();
    await once(server, "close");
    await exchanges.settled();
    bodies?.clear();
    await conversations.settled();
    batcher.flush();
    await repairing.watch.settled();
    await hooks.close();
    await deleter.settled();
    await recording.longReader.close();
    agents.http.destroy();
    agents.https.destroy();
    await recorder.close();
    await notifier?.settled();
    await exporter.close();
    await feed.drain();
    await store.close();
    removeServerInfo(folder);
    lock.release();
    stopContaining?.();
  };
  // A signal handler and a finally block may both close it.
  let closed: Promise<void> | undefined;

  return {
    url,
    port,
    store,
    machineImport,
    async drain() {
      await hooks.drain();
      await conversations.settled();
      await stored();
      await feed.drain();
      await deleter.settled();
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}

const BODY_MEMORY_MB = 64;

/** At capture level `none`, no text stays in memory longer than its exchange. */
function createBodyMemory({ options, now }: ServerContext): BodyMemory | undefined {
  const maxBytes = (options.bodyMemoryMb ?? BODY_MEMORY_MB) << 20;
  return options.capture === "none" || maxBytes <= 0 ? undefined : new BodyMemory({ maxBytes, now });
}

/** Sends loops that reach the alarm level to the configured command or URL. */
function createNotifier(
  { options: { notify, logger } }: ServerContext,
  { onLoops }: RecordingPipeline,
  { guard }: RepairServices,
): LoopNotifier | undefined {
  if (notify === undefined) return undefined;
  const onProblem = (problem: string): void =>
    logger.warn({ problem }, "the notification about a loop (--notify) failed");
  const notifier = new LoopNotifier({ target: notify, onProblem });
  onLoops((loops) => {
    for (const one of loops) {
      const isAlarm = one.loop.level !== null && one.loop.level >= LOOP_LEVELS.alarm;
      // Here only the tools of a loop are known, so patterns with arguments do not match.
      const isIgnored = one.loop.tools.every((tool) => guard.isIgnored(tool, undefined));
      if (isAlarm && !isIgnored && guard.modeFor(one.provider, one.model) !== "off") notifier.notify(one);
    }
  });
  return notifier;
}

function createServerHooks(
  { options, folder, now }: ServerContext,
  recording: RecordingPipeline,
  mcpServers: KnownServers,
  { guard }: RepairServices,
): Hooks {
  const { logger } = options;
  const { observer, record, metrics, slices, longReader } = recording;
  return createHooks({
    ...{ folder, observer, record, now, slices, mcpServers },
    readLongEvent: (agent, body, moment) => longReader.hookEvent(agent, body, moment),
    environment: process.env,
    guard: {
      isOn: () => guard.modeFor("anthropic", "") !== "off",
      ...(options.guard?.ignore !== undefined && { ignore: options.guard.ignore }),
      onBlock: () => metrics.guardAction("block"),
    },
    ...(options.transcripts !== undefined && { transcripts: options.transcripts }),
    onRead: (agent, events) => metrics.hookEvents(agent, "read", events),
    onEvent(agent, result, reason) {
      metrics.hookEvents(agent, result, 1);
      logger.warn({ agent, reason }, HOOK_EVENT_TEXT[result]);
    },
    onProblem: (message) => logger.warn({ problem: message }, "a transcript or an event of a hook could not be read"),
  });
}

/** Access settings. The port is known only once the server listens. */
function guardSettings({ host, port, allowedHosts, token }: ServerOptions, server: Server): AccessSettings {
  const address = server.address();
  return {
    host,
    // A server that listens on a path has a text as its address; this one listens on a port.
    port: typeof address === "object" ? (address?.port ?? port) : port,
    allowedHosts,
    ...(token !== undefined && { token }),
  };
}

/** State and callbacks shared by all exchanges. */
function recordingContext(
  { options, now }: ServerContext,
  { observer, batcher, onUnobserved }: RecordingPipeline,
  { watch, serverState }: RepairServices,
): Omit<RecordingContext, "storedConversations"> {
  const { logger } = options;
  return {
    observer,
    recordedCalls: new RecordedCallCache(),
    responses: new ResponseCache(),
    prompts: new PromptCache(observer.hash),
    batcher,
    now,
    repairWatch: watch,
    onRepaired: () => serverState.flushStore(),
    onLeak({ result, format, reason, parsed, dropped, repairs, model, request_id }) {
      logger.warn(
        { name: "agent:sanitizer", result, format, reason, parsed, dropped, repairs, model, request_id },
        leakMessage({ result, ...(reason !== undefined && { reason }) }),
      );
    },
    onUnreadable: onUnobserved,
  };
}

interface WatchingServer {
  readonly folder: DataFolder;
  readonly observer: CallObserver;
  readonly recorder: Recorder;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Stop reading while the store is this many bytes behind: live traffic takes precedence. */
const MAX_UNAPPLIED_BYTES = 32 << 20;

/** Records transcripts as they grow. */
export function watchTranscripts(folders: readonly string[], server: WatchingServer): TranscriptWatch | undefined {
  if (folders.length === 0) return undefined;
  const { folder, observer, recorder, now, logger } = server;
  const watch = new TranscriptWatch({
    folders,
    observer,
    checkpoints: new ImportCheckpoints(folder.imports, folder.database),
    project: "default",
    now,
    send: sendTo(recorder),
    onProblem: (message) => logger.warn({ problem: message }, "transcripts in a --watch folder could not be read"),
  });
  watch.start();
  return watch;
}

function createMachineImport(
  { options, folder, now }: ServerContext,
  { observer, recorder }: RecordingPipeline,
): MachineImport | undefined {
  const { agentFolders } = options;
  if (agentFolders === undefined) return undefined;
  return new MachineImport({
    ...{ folders: agentFolders, observer, send: sendTo(recorder), project: "default", now },
    createCheckpoints: () => new ImportCheckpoints(folder.imports, folder.database),
  });
}

function sendTo(recorder: Recorder): ImportOptions["send"] {
  return async (observations) => {
    if ((await recorder.record(observations)) < observations.length) throw new Error("the journal cannot be written");
    if (recorder.unappliedBytes > MAX_UNAPPLIED_BYTES) await recorder.drain();
  };
}
