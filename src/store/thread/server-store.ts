import { codeOf, messageOf } from "../../core/model/errors.ts";
import { STORE_UNAVAILABLE, type Store } from "../port.ts";
import { type CallStore, openStoreThread, StoreError, storeOf } from "./threaded-store.ts";

export interface ServerStore {
  readonly store: Store;
  /** Where a broken database was moved, so that a new one could be created. */
  readonly setAside?: string;
  /** Why the database could not be opened. The store tries again whenever it is used. */
  readonly problem?: string;
}

/**
 * Opens the embedded database of a server, which forwards requests whatever the state of its database. A broken file is
 * set aside. If the file is locked, unreadable or of a newer version, the journal keeps what is recorded until the file
 * can be opened.
 */
export async function openServerStore(path: string, now: () => number): Promise<ServerStore> {
  const open = (): ReturnType<typeof openStoreThread> =>
    openStoreThread({ kind: "sqlite", path, setAsideBroken: true });
  try {
    const { call, setAside } = await open();
    return { store: storeOf(call), ...(setAside !== undefined && { setAside }) };
  } catch (error) {
    return { store: storeOf(openLater(open, error, now)), problem: messageOf(error) };
  }
}

/** Between two attempts to open the database. */
const RETRY_MS = 1000;

function openLater(open: () => ReturnType<typeof openStoreThread>, first: unknown, now: () => number): CallStore {
  let problem = first;
  let triedAt = now();
  let opened: CallStore | undefined;
  let opening: Promise<void> | undefined;
  let exportTargets: readonly unknown[] | undefined;

  const tryOpen = async (): Promise<void> => {
    try {
      const { call } = await open();
      if (exportTargets !== undefined) await call("exportTo", ...exportTargets);
      opened = call;
    } catch (error) {
      problem = error;
    } finally {
      triedAt = now();
      opening = undefined;
    }
  };

  return async (method, ...args) => {
    if (opened === undefined && Math.abs(now() - triedAt) >= RETRY_MS) {
      opening ??= tryOpen();
      await opening;
    }
    if (opened !== undefined) return await opened(method, ...args);
    if (method === "close") return undefined;
    // Needed once, and at the start: remembered until there is a store.
    if (method === "exportTo") {
      exportTargets = args;
      return undefined;
    }
    throw new StoreError(
      messageOf(problem),
      codeOf(problem) === "newer-schema" ? "newer-schema" : STORE_UNAVAILABLE,
      problem,
    );
  };
}
