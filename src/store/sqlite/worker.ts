// Runs the store in its own thread, so that the proxy's event loop never waits for a commit.
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type SharedStore, STORE_UNAVAILABLE, type Store } from "../port.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** A type instead of `string`, so that the compiler finds calls of renamed methods. */
export type StoreMethod = keyof Store | keyof SharedStore;

/** A method call from the main thread. */
export interface Call {
  readonly id: number;
  readonly method: StoreMethod;
  readonly args: readonly unknown[];
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: string; readonly code?: string };

/** How long a write waits for another process, per attempt and in total. Queries run between attempts. */
const BUSY_TIMEOUT_MS = 50;
const MAX_BUSY_MS = 5000;
const SQLITE_BUSY = 5;

const port = parentPort;
if (port === null) throw new Error("worker.ts runs only as a worker thread");

const post = (reply: Reply): void => port.postMessage(reply);

let store: Store | undefined;
try {
  store = openSqliteStore((workerData as { path: string }).path, BUSY_TIMEOUT_MS);
  post({ id: 0, value: true });
} catch (error) {
  post({ id: 0, ...problemOf(error) });
}

port.on("message", async ({ id, method, args }: Call) => {
  try {
    const call = store?.[method as keyof Store] as (...given: unknown[]) => Promise<unknown>;
    post({ id, value: await retryWhileBusy(() => call.apply(store, [...args])) });
    if (method === "close") port.close();
  } catch (error) {
    post({ id, ...problemOf(error) });
  }
});

async function retryWhileBusy(work: () => Promise<unknown>): Promise<unknown> {
  for (const end = Date.now() + MAX_BUSY_MS; ; await sleep(BUSY_TIMEOUT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_BUSY;
}

function problemOf(error: unknown): { error: string; code?: string } {
  const { message, code: original } = error as { message?: string; code?: string };
  const code = isBusy(error) ? STORE_UNAVAILABLE : original;
  return { error: message ?? String(error), ...(typeof code === "string" && { code }) };
}
