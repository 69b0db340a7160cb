import { setTimeout as sleep } from "node:timers/promises";
import { codeOf, messageOf } from "../../core/model/errors.ts";
import { STORE_UNAVAILABLE, type Store } from "../port.ts";
import { type CallStore, openStoreThread, StoreError, storeOf } from "./threaded-store.ts";

export interface ServerStore {
  readonly store: Store;
  /** Whether the database is open. If not, the store tries again whenever it is used. */
  readonly isOpen: () => boolean;
  /** Where a broken database was moved, so that a new one could be created. */
  readonly setAside: () => string | undefined;
  /** Why the database could not be opened. */
  readonly problem?: string;
}

/**
 * Opens the embedded database of a server, which forwards requests whatever the state of its database. A broken file is
 * set aside. If the file is locked, unreadable or of a newer version, the journal keeps what is recorded until the file
 * can be opened.
 */
export async function openServerStore(
  path: string,
  now: () => number,
  onSetAside: (kept: string) => void,
): Promise<ServerStore> {
  let setAside: string | undefined;
  let isOpen = false;
  const open = async (): Promise<CallStore> => {
    const opened = await openStoreThread({ kind: "sqlite", path, setAsideBroken: true });
    isOpen = true;
    setAside = opened.setAside;
    if (setAside !== undefined) onSetAside(setAside);
    return opened.call;
  };
  const state = { isOpen: () => isOpen, setAside: () => setAside };
  const opening = open();
  try {
    const call = await Promise.race([opening, sleep(MAX_OPEN_MS, undefined, { ref: false })]);
    // A lock, a migration or the check of a damaged file may take longer. Requests are forwarded meanwhile.
    return { ...state, store: storeOf(call ?? openLater(open, { opening }, now)) };
  } catch (error) {
    return { ...state, store: storeOf(openLater(open, { error }, now)), problem: messageOf(error) };
  }
}

/** How long a server waits for its database before it listens. */
const MAX_OPEN_MS = 2000;

/** Between two attempts to open the database. */
const RETRY_MS = 1000;

/** The first attempt to open a store: still running, or failed. */
type FirstAttempt = { readonly opening: Promise<CallStore> } | { readonly error: unknown };

/** Opens the store when it is used. */
function openLater(open: () => Promise<CallStore>, first: FirstAttempt, now: () => number): CallStore {
  let problem = "error" in first ? first.error : undefined;
  let triedAt = now();
  let opened: CallStore | undefined;
  let exportTargets: readonly unknown[] | undefined;

  const tryOpen = async (attempt: Promise<CallStore>): Promise<void> => {
    try {
      const call = await attempt;
      if (exportTargets !== undefined) await call("exportTo", ...exportTargets);
      opened = call;
    } catch (error) {
      problem = error;
    } finally {
      triedAt = now();
      opening = undefined;
    }
  };
  let opening = "opening" in first ? tryOpen(first.opening) : undefined;

  return async (method, ...args) => {
    if (opened === undefined && opening === undefined && Math.abs(now() - triedAt) >= RETRY_MS)
      opening = tryOpen(open());
    if (method !== "exportTo") await opening;
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
