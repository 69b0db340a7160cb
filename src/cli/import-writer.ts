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
import { type Config, thresholdsOf } from "./config.ts";
import { CliError } from "./errors.ts";
import { openStore as openStoreAt, storeName } from "./open-store.ts";

/** Where an import puts what it read. */
export interface ImportWriter {
  readonly observer: CallObserver;
  readonly folder: DataFolder;
  /** The running server that takes it; undefined when the import writes itself. */
  readonly server: string | undefined;
  send(observations: readonly Observation[]): Promise<void>;
  /** Waits until everything is stored. */
  close(): Promise<void>;
}

/** While the store is this far behind, nothing more is read. */
const FAR_BEHIND = 32 << 20;

/** Opens the way into a data folder: through its running server, else directly. The store itself is opened when there is something to store. */
export function openImportWriter(config: Config, now: () => number, warn: (text: string) => void): ImportWriter {
  const folder = dataFolder(config.data);
  prepareDataFolder(folder);
  const lock = takeWriterLock(folder.lock);
  return lock === undefined ? handOver(config, folder, warn) : writeOurselves(config, folder, lock, now, warn);
}

function handOver(config: Config, folder: DataFolder, warn: (text: string) => void): ImportWriter {
  const server = readServerInfo(folder);
  if (server === undefined) {
    throw new CliError(
      `Another Toolmend is writing to ${folder.path}. Wait for it to end, or choose another folder with --data.`,
    );
  }
  const kept = CAPTURES.find((capture) => capture === server.capture);
  return {
    observer: observerOf(config, folder, kept ?? config.capture),
    folder,
    server: server.url,
    send: createServerWriter({
      url: server.url,
      token: config.token,
      onRejected: (total, reason) => warn(`The server refused ${total} observations: ${reason}.\n`),
    }),
    close: async () => undefined,
  };
}

function writeOurselves(
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

/** Journal, recorder and store, wired as in the server. */
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
    onApplied: () => void feed.drain(),
    onProblem: ({ kind, message }) => warn(`recording: ${kind}: ${message}\n`),
  });
  const record = recorder.record.bind(recorder);
  await recorder.start();
  const mustBeStored = (): void => {
    const problem = recorder.storeProblem;
    if (problem === undefined) return;
    throw new CliError(
      `The store ${storeName(place)} takes nothing: ${problem}. What was read is in the journal and will be stored at the next start.`,
    );
  };
  return {
    async send(observations) {
      if ((await record(observations)) < observations.length) {
        throw new CliError(`The journal in ${folder.journal} cannot be written. Run the import again when it can.`);
      }
      if (recorder.unappliedBytes > FAR_BEHIND) await recorder.drain();
      mustBeStored();
    },
    async close() {
      try {
        await recorder.drain();
        // What a server would do: a call nobody answered, in a session long quiet, did not come to an end.
        while ((await closeIdleCalls(store, record, now())) > 0) await recorder.drain();
        mustBeStored();
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
