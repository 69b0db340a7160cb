import { join } from "node:path";
import type { Store } from "../../src/store/port.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { openThreadedStore } from "../../src/store/thread/threaded-store.ts";

export type NamedStore = readonly [name: string, open: () => Promise<Store>];

/** The stores that need only a folder, for `describe.each`. */
export function embeddedStores(folder: () => string): readonly NamedStore[] {
  return [
    ["sqlite", async () => openSqliteStore(join(folder(), "store.db"))],
    ["sqlite in a worker thread", () => openThreadedStore(join(folder(), "store.db"))],
  ];
}
