import { KnownTranscripts } from "../hook/catch-up/known-transcripts.ts";
import { consumeSpool } from "../hook/spool.ts";
import { type DataFolder, dataFolder, prepareDataFolder } from "../ingest/data-folder.ts";
import { SessionDeleter } from "../ingest/deletion/session-deleter.ts";
import { EventFeed } from "../ingest/event-feed.ts";
import { Journal } from "../ingest/journal/journal.ts";
import { CallObserver } from "../ingest/observe/observe-call.ts";
import { Recorder } from "../ingest/recorder.ts";
import type { Store } from "../store/port.ts";
import { takeWriterLock } from "../store/sqlite/writer-lock.ts";
import { type Config, thresholdsOf } from "./config.ts";
import type { Io } from "./io.ts";
import { openStore } from "./open-store.ts";
import { saltFor } from "./server-sync.ts";

/** Provides a deleter for a data folder without a running server; returns undefined if another process writes the folder. */
export async function withDeleter<T>(
  config: Config,
  io: Pick<Io, "now" | "err">,
  work: (deleter: SessionDeleter) => Promise<T>,
): Promise<T | undefined> {
  const folder = dataFolder(config.data);
  prepareDataFolder(folder);
  const lock = takeWriterLock(folder.lock);
  if (lock === undefined) return undefined;
  try {
    const store = await openStore({ folder, url: config.store });
    try {
      return await workOn(config, folder, store, io, work);
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
}

async function workOn<T>(
  config: Config,
  folder: DataFolder,
  store: Store,
  { now, err }: Pick<Io, "now" | "err">,
  work: (deleter: SessionDeleter) => Promise<T>,
): Promise<T> {
  const journal = new Journal({ folder: folder.journal, durable: config.durable });
  const feed = new EventFeed({
    ...{ store, now, folder: folder.events },
    ...(store.shared !== undefined && { cursor: `events:${journal.id}` }),
    onProblem: (message) => err(`${message}\n`),
  });
  const recorder = new Recorder({ journal, store, rejectedFile: folder.rejected, thresholds: thresholdsOf(config) });
  const observer = new CallObserver({
    ...{ capture: config.capture, detect: config.detect },
    salt: await saltFor(folder, store),
  });
  const deleter = new SessionDeleter({
    ...{ store, recorder, feed, folder, now },
    journal: journal.id,
    // Record events that hooks wrote while no server ran: they may belong to the session.
    async settle() {
      await consumeSpool({ folder: folder.spool, observer, record: recorder.record.bind(recorder), now });
    },
    forgetTranscripts(isDeleted) {
      const known = new KnownTranscripts(folder.transcripts);
      if (known.forget(isDeleted) > 0) known.save();
    },
  });
  try {
    await recorder.start();
    return await work(deleter);
  } finally {
    await recorder.close();
    await feed.drain();
  }
}
