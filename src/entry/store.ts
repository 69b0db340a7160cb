/**
 * Questions to what was recorded, from a program of yours, also while a server writes. Writing goes through the server: `POST /api/ingest`.
 * @module
 */
import { existsSync } from "node:fs";
import { requireEmbeddedStore } from "../cli/embedded-store.ts";
import { dataFolder } from "../ingest/data-folder.ts";
import type { StoreReader } from "../store/port.ts";

export type { StoreReader } from "../store/port.ts";
export type * from "../store/queries.ts";
export type * from "../store/rows.ts";

/** A data folder, or a PostgreSQL (`postgres://…`). */
export type StoreLocation = { readonly data: string } | { readonly store: string };

/**
 * Opens what was recorded, for reading only.
 *
 * @example
 * const reader = await openReader({ data: "./records" });
 * const { failure_rate } = await reader.summary({});
 */
export async function openReader(location: StoreLocation): Promise<StoreReader> {
  if ("store" in location) {
    const { openPostgresReader } = await import("../store/postgres/postgres-store.ts");
    return openPostgresReader(location.store);
  }
  requireEmbeddedStore("toolmend/store");
  const { database, path } = dataFolder(location.data);
  if (!existsSync(database)) throw new Error(`Nothing recorded in ${path} yet.`);
  const { openSqliteReader } = await import("../store/sqlite/sqlite-store.ts");
  return openSqliteReader(database);
}
