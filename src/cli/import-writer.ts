import type { Observation } from "../core/model/observation.ts";
import {
  type DataFolder,
  dataFolder,
  prepareDataFolder,
  readOrCreateSalt,
  readServerInfo,
} from "../ingest/data-folder.ts";
import { EventFeed } from "../ingest/event-feed.ts";
import { closeIdleCalls } from "../ingest/idle-sessions.ts";
import { createServerWriter } from "../ingest/import/server-writer.ts";
import { Journal } from "../ingest/journal/journal.ts";
import { CAPTURES, CallObserver, type Capture } from "../ingest/observe/observe-call.ts";
import { Recorder } from "../ingest/recorder.ts";
import { takeWriterLock, type WriterLock } from "../store/sqlite/writer-lock.ts";
import { type Config, spanMs, thresholdsOf } from "./config.ts";
import { CliError } from "./errors.ts";
import { openStore as openStoreAt, storeName } from "./open-store.ts";
import { RECORDER_PROBLEM_TEXT } from "./server/log-messages.ts";

/** Destination of an import. */
export interface ImportWriter {
  readonly observer: CallObserver;
  readonly folder: DataFolder;
  /** URL of the running server that stores the import; undefined if the import writes directly. */
  readonly server: string | undefined;
  send(observations: readonly Observation[]): Promise<void>;
  /** Waits until everything is stored. */
  close(): Promise<void>;
}

/** Stop reading while the store is this many bytes behind. */
const MAX_UNAPPLIED_BYTES = 32 << 20;

/**
 * Opens the import's destination: the running server, or the store itself. The store is opened with the first batch.
 */
export function openImportWriter(config: Config, now: () => number, warn: (text: string) => void): ImportWriter {
  const folder = dataFolder(config.data);
  prepareDataFolder(folder);
  const lock = takeWriterLock(folder.lock);
  return lock === undefined ? sendToServer(config, folder, warn) : writeDirectly(config, folder, lock, now, warn);
}

function sendToServer(config: Config, folder: DataFolder, warn: (text: string) => void): ImportWriter {
  const server = readServerInfo(folder);
  if (server === undefined) {
    throw new CliError(
      `Another Toolmend process is writing to ${folder.path}. Wait until it ends, or choose another folder with --data.`,
    );
  }
  const serverCapture = CAPTURES.find((capture) => capture === server.capture);
  return {
    observer: observerOf(config, folder, serverCapture ?? config.capture),
    folder,
    server: server.url,
    send: createServerWriter({
      url: server.url,
      token: config.token,
      onRejected: (total, reason) => warn(`The server rejected ${total} observations: ${reason}.\n`),
    }),
    close: async () => undefined,
  };
}

function writeDirectly(
  config: Config,
  folder: DataFolder,
  lock: WriterLock,
  now: () => number,
  warn: (text: string) => void,
): ImportWriter {
  let opened: Promise<OpenStore> | undefined;
  const observer = observerOf(config, folder, config.capture);
  return {
    observer,
    folder,
    server: undefined,
    async send(observations) {
      opened ??= openStore(config, folder, observer, now, warn);
      await (await opened).send(observations);
    },
    async close() {
      try {
        await (await opened)?.close();
      } finally {
        lock.release();
      }
    },
  };
}

type OpenStore = Pick<ImportWriter, "send" | "close">;

/** Journal, recorder and store, connected as in the server. */
async function openStore(
  config: Config,
  folder: DataFolder,
  { redactIds }: CallObserver,
  now: () => number,
  warn: (text: string) => void,
): Promise<OpenStore> {
  const place = { folder, url: config.store };
  const store = await openStoreAt(place);
  const journal = new Journal({ folder: folder.journal, durable: config.durable });
  const feed = new EventFeed({
    store,
    folder: folder.events,
    now,
    ...(store.shared !== undefined && { cursor: `events:${journal.id}` }),
    onProblem: (message) => warn(`${message}\n`),
  });
  const recorder = new Recorder({
    journal,
    store,
    rejectedFile: folder.rejected,
    redactIds,
    thresholds: thresholdsOf(config),
    nameTtlMs: spanMs(config.callNameTtl),
    onApplied: () => void feed.drain(),
    onProblem: ({ kind, message }) => warn(`${RECORDER_PROBLEM_TEXT[kind]}: ${message}\n`),
  });
  const record = recorder.record.bind(recorder);
  await recorder.start();
  const throwIfNotStored = (): void => {
    const problem = recorder.storeProblem;
    if (problem === undefined) return;
    throw new CliError(
      `Cannot write to the store ${storeName(place)}: ${problem}. The imported records are in the journal and will be stored at the next start.`,
    );
  };
  return {
    async send(observations) {
      if ((await record(observations)) < observations.length) {
        throw new CliError(`Cannot write the journal in ${folder.journal}. Fix this and run the import again.`);
      }
      if (recorder.unappliedBytes > MAX_UNAPPLIED_BYTES) await recorder.drain();
      throwIfNotStored();
    },
    async close() {
      try {
        await recorder.drain();
        // Like the server: closes calls without a result in idle sessions.
        while ((await closeIdleCalls(store, record, now())) > 0) await recorder.drain();
        throwIfNotStored();
      } finally {
        await recorder.close();
        await feed.drain();
        await store.close();
      }
    },
  };
}

function observerOf(config: Config, folder: DataFolder, capture: Capture): CallObserver {
  return new CallObserver({ capture, redact: config.redact, salt: readOrCreateSalt(folder), detect: config.detect });
}
