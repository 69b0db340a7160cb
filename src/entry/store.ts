/**
 * Queries the recorded data from your program, also while a server writes. To write, send `POST /api/ingest`.
 * @module
 */
import { existsSync } from "node:fs";
import { dataFolder } from "../ingest/data-folder.ts";
import type { StoreReader } from "../store/port.ts";

export type { StoreReader } from "../store/port.ts";
export type * from "../store/queries.ts";
export type * from "../store/rows.ts";

/** A data folder, or the URL of a PostgreSQL database (`postgres://…`). */
export type StoreLocation = { readonly data: string } | { readonly store: string };

/**
 * Opens the recorded data read-only.
 *
 * @example
 * const reader = await openReader({ data: "./records" });
 * const { failure_rate } = await reader.summary({});
 */
export async function openReader(location: StoreLocation): Promise<StoreReader> {
  const { data, store }: { readonly data?: unknown; readonly store?: unknown } = location ?? {};
  if (store !== undefined && !/^postgres(?:ql)?:\/\/./.test(String(store)))
    throw new TypeError("openReader: 'store' must be a URL like postgres://user:password@host/database.");
  if (store === undefined && (typeof data !== "string" || data === ""))
    throw new TypeError("openReader: pass { data: folder } or { store: 'postgres://…' }.");
  if ("store" in location) {
    const { openPostgresReader } = await import("../store/postgres/postgres-store.ts");
    return openPostgresReader(location.store);
  }
  const { database, path } = dataFolder(location.data);
  if (!existsSync(database)) throw new Error(`No recorded data found in ${path}.`);
  const { openSqliteReader } = await import("../store/sqlite/sqlite-store.ts");
  return openSqliteReader(database);
}
