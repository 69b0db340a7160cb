import { dataFolder, prepareDataFolder } from "../ingest/data-folder.ts";
import { Journal } from "../ingest/journal/journal.ts";
import { Recorder } from "../ingest/recorder.ts";
import type { Store } from "../store/port.ts";
import { takeWriterLock } from "../store/sqlite/writer-lock.ts";
import { type Config, thresholdsOf } from "./config.ts";
import { openStore } from "./open-store.ts";

/**
 * Runs `work` as the only writer of the store; returns undefined if another process holds the lock. Applies the journal
 * first: otherwise the next start would restore what `work` changed.
 */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T | undefined> {
  const folder = dataFolder(config.data);
  prepareDataFolder(folder);
  const lock = takeWriterLock(folder.lock);
  if (lock === undefined) return undefined;
  try {
    const store = await openStore({ folder, url: config.store });
    const journal = new Journal({ folder: folder.journal, durable: config.durable });
    const recorder = new Recorder({ journal, store, rejectedFile: folder.rejected, thresholds: thresholdsOf(config) });
    try {
      await recorder.start();
      await recorder.drain();
      return await work(store);
    } finally {
      await recorder.close();
      await store.close();
    }
  } finally {
    lock.release();
  }
}
