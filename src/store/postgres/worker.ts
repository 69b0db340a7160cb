// Runs the store in its own thread, so that batches do not block the proxy's event loop.
import { parentPort, workerData } from "node:worker_threads";
import { STORE_UNAVAILABLE } from "../port.ts";
import type { Call, Reply } from "../sqlite/worker.ts";
import { isLostConnection } from "./errors.ts";
import { openPostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";

const port = parentPort;
if (port === null) throw new Error("worker.ts runs only as a worker thread");

const { url, options } = workerData as { readonly url: string; readonly options: PostgresStoreOptions };
const post = (reply: Reply): void => port.postMessage(reply);

const opened = openPostgresStore(url, options);
opened.then(
  () => post({ id: 0, value: true }),
  (error: unknown) => post({ id: 0, ...problemOf(error) }),
);

port.on("message", async ({ id, method, args }: Call) => {
  try {
    const store = await opened;
    const owner = (method in store ? store : store.shared) as unknown as Record<
      string,
      (...given: unknown[]) => unknown
    >;
    post({ id, value: await owner[method]?.(...args) });
    if (method === "close") port.close();
  } catch (error) {
    post({ id, ...problemOf(error) });
  }
});

/**
 * If a connection ends during a transaction, the driver throws an error that cannot be caught: it writes to a closed
 * socket ("Cannot read properties of null (reading 'write')"), or rejects an internal promise. The caller already has
 * its error, so the thread continues. After the first of the two, the connection never sends anything again and must be
 * replaced.
 */
process.on("uncaughtException", async (error) => {
  if (isLostConnection(error)) return;
  if (/[\\/]node_modules[\\/]postgres[\\/]/.test(error.stack ?? "")) {
    (await opened.catch(() => undefined))?.replaceConnection();
    return;
  }
  // Rethrows without this listener, so that the main thread receives the error.
  process.removeAllListeners("uncaughtException");
  setImmediate(() => {
    throw error;
  });
});

function problemOf(error: unknown): { error: string; code?: string } {
  const { message, code: original } = error as { message?: string; code?: string };
  const code = isLostConnection(error) ? STORE_UNAVAILABLE : original;
  return { error: message ?? String(error), ...(typeof code === "string" && { code }) };
}
