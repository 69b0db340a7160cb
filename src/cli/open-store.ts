import { statfsSync } from "node:fs";
import { type DataFolder, dataFolder, prepareDataFolder } from "../ingest/data-folder.ts";
import { Journal } from "../ingest/journal/journal.ts";
import { Recorder } from "../ingest/recorder.ts";
import type { Store } from "../store/port.ts";
import { openThreadedStore, type StoreError } from "../store/sqlite/threaded-store.ts";
import { takeWriterLock } from "../store/sqlite/writer-lock.ts";
import { type Config, thresholdsOf } from "./config.ts";
import { CliError } from "./errors.ts";

/** Where records go: the embedded database of a data folder, or a PostgreSQL. */
export interface StorePlace {
  readonly folder: DataFolder;
  /** `postgres://…` */
  readonly url?: string | undefined;
  /** After so long without an answer a PostgreSQL counts as gone. */
  readonly patienceMs?: number | undefined;
}

/** The name of a store as it may be shown: without the password. */
export function storeName({ folder, url }: StorePlace): string {
  if (url === undefined) return folder.database;
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

/** Opens a store for writing. `allowUnavailable`: a PostgreSQL that does not answer yet will be asked again, while the journal holds. */
export async function openStore(place: StorePlace, allowUnavailable = false): Promise<Store> {
  try {
    if (place.url === undefined) return await openThreadedStore(place.folder.database);
    const { openThreadedPostgres } = await import("../store/postgres/threaded-store.ts");
    const patience = place.patienceMs === undefined ? {} : { responseTimeoutMs: place.patienceMs };
    return await openThreadedPostgres(place.url, { allowUnavailable, ...patience });
  } catch (error) {
    const { code, message } = error as StoreError;
    if (code === "newer-schema") throw new CliError(message);
    throw new CliError(`The store ${storeName(place)} cannot be opened: ${message}. ${adviceFor(place)}`);
  }
}

/** A new database needs more. */
const LITTLE_BYTES = 1 << 20;

/** SQLite reports a full disk also as "disk I/O error", so the free space decides. */
function adviceFor({ folder, url }: StorePlace): string {
  if (url !== undefined) return "Check its address, user and password in TOOLMEND_STORE or --store.";
  const what = freeBytes(folder.path) < LITTLE_BYTES ? "The disk is full: free some space" : "Mend it";
  return `${what}, or choose another folder with --data.`;
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Works on the store as its only writer; undefined when another process is that. What was acknowledged is stored first: else what is
 * changed here would come back with the next start.
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
