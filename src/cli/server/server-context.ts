import type { DataFolder } from "../../ingest/data-folder.ts";
import type { Store } from "../../store/port.ts";
import { openStore } from "../open-store.ts";
import { saltFor } from "../server-sync.ts";
import type { ServerOptions } from "./server-options.ts";

/** Dependencies shared by all parts of the server. */
export interface ServerContext {
  readonly options: ServerOptions;
  readonly folder: DataFolder;
  readonly store: Store;
  readonly salt: string;
  readonly now: () => number;
}

export async function openServerContext(options: ServerOptions, folder: DataFolder): Promise<ServerContext> {
  const store = await openStore({ folder, url: options.storeUrl, patienceMs: options.storePatienceMs }, true);
  try {
    return { options, folder, store, salt: await saltFor(folder, store), now: options.now ?? Date.now };
  } catch (error) {
    await store.close();
    throw error;
  }
}
