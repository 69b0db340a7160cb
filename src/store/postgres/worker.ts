// Runs the store in a thread of its own: the proxy's event loop folds no batches.
import { parentPort, workerData } from "node:worker_threads";
import { STORE_UNAVAILABLE } from "../port.ts";
import type { Call, Reply } from "../sqlite/worker.ts";
import { isLostConnection } from "./errors.ts";
import { openPostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";

const port = parentPort;
if (port === null) throw new Error("worker.ts runs only as a worker thread");

const { url, options } = workerData as { readonly url: string; readonly options: PostgresStoreOptions };
const post = (answer: Reply): void => port.postMessage(answer);

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
 * Where a connection ends in the middle of a transaction, the driver throws where nobody can catch it: it writes to the socket that is gone ("Cannot read properties of
 * null (reading 'write')"), or rejects a promise that nobody holds. Whoever asked has been told by then, and the thread must live on. After the first of the two the driver's
 * connection never sends anything again, so it is given up.
 */
process.on("uncaughtException", async (error) => {
  if (isLostConnection(error)) return;
  if (/[\\/]node_modules[\\/]postgres[\\/]/.test(error.stack ?? "")) {
    (await opened.catch(() => undefined))?.giveUpConnection();
    return;
  }
  // As without this listener: the main thread is told that the thread failed.
  process.removeAllListeners("uncaughtException");
  setImmediate(() => {
    throw error;
  });
});

function problemOf(error: unknown): { error: string; code?: string } {
  const { message, code: told } = error as { message?: string; code?: string };
  const code = isLostConnection(error) ? STORE_UNAVAILABLE : told;
  return { error: message ?? String(error), ...(typeof code === "string" && { code }) };
}
