import type { SharedStore, Store } from "../port.ts";
import { openStoreThread, storeOf } from "../sqlite/threaded-store.ts";
import type { PostgresStoreOptions } from "./postgres-store.ts";

/** Opens the PostgreSQL store in a worker thread. */
export async function openThreadedPostgres(
  url: string,
  options: PostgresStoreOptions = {},
): Promise<Store & { readonly shared: SharedStore }> {
  const script = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);
  const call = await openStoreThread(script, { url, options });
  return {
    ...storeOf(call),
    shared: {
      waitForChanges: () => call("waitForChanges") as Promise<void>,
      setting: (name) => call("setting", name) as Promise<string | undefined>,
      saveSetting: (name, value) => call("saveSetting", name, value) as Promise<void>,
      setSettingIfAbsent: (name, value) => call("setSettingIfAbsent", name, value) as Promise<string>,
      tryAcquireLease: (task, forMs) => call("tryAcquireLease", task, forMs) as Promise<boolean>,
    },
  };
}
