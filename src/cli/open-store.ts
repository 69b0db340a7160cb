import { statfsSync } from "node:fs";
import { join } from "node:path";
import { codeOf, messageOf } from "../core/model/errors.ts";
import type { DataFolder } from "../ingest/data-folder.ts";
import type { Store } from "../store/port.ts";
import { openServerStore as openEmbeddedStore, type ServerStore } from "../store/thread/server-store.ts";
import { openThreadedPostgres, openThreadedStore } from "../store/thread/threaded-store.ts";
import { commandLine } from "./command-line.ts";
import { CliError } from "./errors.ts";

/** Location of a store: the embedded database of a data folder, or a PostgreSQL database. */
export interface StorePlace {
  readonly folder: DataFolder;
  /** `postgres://…` */
  readonly url?: string | undefined;
  /** Timeout after which PostgreSQL counts as unavailable. */
  readonly patienceMs?: number | undefined;
}

/** Display name of a store, without the password. */
export function storeName({ folder, url }: StorePlace): string {
  if (url === undefined) return folder.database;
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username === "" ? "" : `${username}@`}${host}${pathname}`;
}

/**
 * Opens the store of a server. A database that cannot be opened does not keep the server from forwarding: it is set
 * aside if it is broken, and otherwise tried again later while the journal buffers.
 */
export async function openServerStore(
  place: StorePlace,
  now: () => number,
  onSetAside: (kept: string) => void,
): Promise<ServerStore> {
  if (place.url === undefined) return await openEmbeddedStore(place.folder.database, now, onSetAside);
  return { store: await openStore(place, true), isOpen: () => true, setAside: () => undefined };
}

/** Opens a store for writing. With `allowUnavailable`, an unavailable PostgreSQL is retried later. */
export async function openStore(place: StorePlace, allowUnavailable = false): Promise<Store> {
  try {
    if (place.url === undefined) return await openThreadedStore(place.folder.database);
    const patience = place.patienceMs === undefined ? {} : { responseTimeoutMs: place.patienceMs };
    return await openThreadedPostgres(place.url, { allowUnavailable, ...patience });
  } catch (error) {
    const message = messageOf(error);
    if (codeOf(error) === "newer-schema") throw new CliError(message, { cause: error });
    throw new CliError(`Cannot open the store ${storeName(place)}: ${message}. ${adviceFor(place)}`, { cause: error });
  }
}

/** How to restore the content of a broken database after it was set aside. */
export function recoveryAdvice({ path, database, events }: DataFolder, kept: string): string {
  const recovered = join(path, "recovered.db");
  return (
    `Fill the new one from the event files: ${commandLine(`import ${events}`)}. ` +
    // The dump of a damaged file ends with a rollback.
    `To read the broken one instead: sqlite3 ${kept} .dump | sed 's/^ROLLBACK.*/COMMIT;/' | sqlite3 ${recovered}; then stop the server, ` +
    `move ${recovered} to ${database}, and import the event files.`
  );
}

/** Less free space than a new database needs. */
const LITTLE_BYTES = 1 << 20;

/** SQLite reports a full disk also as "disk I/O error", so the free space decides. */
function adviceFor({ folder, url }: StorePlace): string {
  if (url !== undefined) return "Check its address, user and password in TOOLMEND_STORE or --store.";
  const what = freeBytes(folder.path) < LITTLE_BYTES ? "The disk is full: free some space" : "Fix the file";
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
