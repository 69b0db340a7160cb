// Runs a store in its own thread, so that the proxy's event loop never waits for a batch.
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type SharedStore, STORE_UNAVAILABLE, type Store } from "../port.ts";
import { isLostConnection } from "../postgres/errors.ts";
import type { PostgresStoreOptions } from "../postgres/postgres-store.ts";
import { isStillBroken } from "../sqlite/broken-file.ts";
import { isBusy } from "../sqlite/database.ts";
import { isBrokenFile, isMarkedDamaged, markDamaged, removeDamageMark, setAside } from "../sqlite/set-aside.ts";

/** The store to open. */
export type StoreLocation =
  | {
      readonly kind: "sqlite";
      readonly path: string;
      /** Set a broken file aside and begin a new one, instead of failing. Damage found later is left to the next start. */
      readonly setAsideBroken?: boolean;
    }
  | { readonly kind: "postgres"; readonly url: string; readonly options: PostgresStoreOptions };

/** A type instead of `string`, so that the compiler finds calls of renamed methods. */
export type StoreMethod = keyof Store | keyof SharedStore;

/** A method call from the main thread. */
export interface Call {
  readonly id: number;
  readonly method: StoreMethod;
  readonly args: readonly unknown[];
}

/** The first reply, when the store is open. */
export interface Opened {
  /** Where a broken database was moved. */
  readonly setAside?: string;
}

/** What is left of an error in another thread. */
export interface Problem {
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
}

export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: Problem };

const port = parentPort;
if (port === null) throw new Error("worker.ts runs only as a worker thread");

const post = (reply: Reply): void => port.postMessage(reply);
const location = workerData as StoreLocation;
const isUnavailable = location.kind === "sqlite" ? isBusy : isLostConnection;
const opened: Promise<Opened & { readonly store: Store }> =
  location.kind === "sqlite" ? openSqlite(location) : openPostgres(location).then((store) => ({ store }));
opened.then(
  ({ store: _here, ...found }) => post({ id: 0, value: found satisfies Opened }),
  (error: unknown) => post({ id: 0, problem: problemOf(error) }),
);

port.on("message", async ({ id, method, args }: Call) => {
  try {
    const { store } = await opened;
    const owner = (method in store ? store : store.shared) as unknown as Readonly<
      Record<string, (...given: unknown[]) => Promise<unknown>>
    >;
    const call = async (): Promise<unknown> => await owner[method]?.(...args);
    post({ id, value: await (location.kind === "sqlite" ? retryWhileBusy(call) : call()) });
    if (method === "close") port.close();
  } catch (error) {
    post({ id, problem: damageOf(error) ?? problemOf(error) });
  }
});

/** What to do about damage that was found while the server runs. Undefined for every other error. */
function damageOf(error: unknown): Problem | undefined {
  if (location.kind !== "sqlite" || location.setAsideBroken !== true || !isBrokenFile(error)) return undefined;
  markDamaged(location.path);
  const { message, stack } = problemOf(error);
  return {
    message: `${location.path} is damaged (${message}). Restart the server: it checks the file, and sets it aside if it is broken`,
    code: STORE_UNAVAILABLE,
    ...(stack !== undefined && { stack }),
  };
}

function problemOf(error: unknown): Problem {
  const { message, code: original, stack } = error as Partial<Problem>;
  const code = isUnavailable(error) ? STORE_UNAVAILABLE : original;
  return {
    message: message ?? String(error),
    ...(typeof code === "string" && { code }),
    ...(stack !== undefined && { stack }),
  };
}

/** How long a write waits for another process, per attempt and in total. Queries run between attempts. */
const BUSY_TIMEOUT_MS = 50;
const MAX_BUSY_MS = 5000;

async function openSqlite({
  path,
  setAsideBroken,
}: Extract<StoreLocation, { kind: "sqlite" }>): Promise<Opened & { readonly store: Store }> {
  const { openSqliteStore } = await import("../sqlite/sqlite-store.ts");
  const begin = (): Opened & { readonly store: Store } => {
    const kept = setAside(path, Date.now());
    removeDamageMark(path);
    return { store: openSqliteStore(path, BUSY_TIMEOUT_MS), setAside: kept };
  };
  if (setAsideBroken === true && isMarkedDamaged(path)) {
    if (isStillBroken(path)) return begin();
    removeDamageMark(path);
  }
  try {
    return { store: openSqliteStore(path, BUSY_TIMEOUT_MS) };
  } catch (error) {
    if (setAsideBroken === true && isBrokenFile(error) && isStillBroken(path)) return begin();
    throw error;
  }
}

async function retryWhileBusy(work: () => Promise<unknown>): Promise<unknown> {
  for (const end = Date.now() + MAX_BUSY_MS; ; await sleep(BUSY_TIMEOUT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error;
    }
  }
}

async function openPostgres({ url, options }: Extract<StoreLocation, { kind: "postgres" }>): Promise<Store> {
  const { openPostgresStore } = await import("../postgres/postgres-store.ts");
  const opening = openPostgresStore(url, options);
  // If a connection ends during a transaction, the driver throws an error that cannot be caught: it writes to a closed
  // socket ("Cannot read properties of null (reading 'write')"), or rejects an internal promise. The caller already has
  // its error, so the thread continues. After the first of the two, the connection never sends anything again and must
  // be replaced.
  process.on("uncaughtException", async (error) => {
    if (isLostConnection(error)) return;
    if (/[\\/]node_modules[\\/]postgres[\\/]/.test(error.stack ?? "")) {
      (await opening.catch(() => undefined))?.replaceConnection();
      return;
    }
    // Rethrows without this listener, so that the main thread receives the error.
    process.removeAllListeners("uncaughtException");
    setImmediate(() => {
      throw error;
    });
  });
  return await opening;
}
