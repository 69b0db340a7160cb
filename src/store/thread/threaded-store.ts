import { Worker } from "node:worker_threads";
import type { Breakdown, SharedStore, Store } from "../port.ts";
import type { PostgresStoreOptions } from "../postgres/postgres-store.ts";
import type { Call, Opened, Problem, Reply, StoreLocation, StoreMethod } from "./worker.ts";
import { workerEnvironment } from "./worker-environment.ts";

/** A store call that failed in the worker. */
export class StoreError extends Error {
  readonly code: string;
  constructor(message: string, code = "store", cause?: unknown) {
    super(message, { cause });
    this.name = "StoreError";
    this.code = code;
  }
}

/** Opens the SQLite store in a worker thread. */
export async function openThreadedStore(path: string): Promise<Store> {
  return storeOf((await openStoreThread({ kind: "sqlite", path })).call);
}

/** Opens the PostgreSQL store in a worker thread. */
export async function openThreadedPostgres(
  url: string,
  options: PostgresStoreOptions = {},
): Promise<Store & { readonly shared: SharedStore }> {
  const { call } = await openStoreThread({ kind: "postgres", url, options });
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

/** Calls a method of the store in its thread. */
export type CallStore = (method: StoreMethod, ...args: readonly unknown[]) => Promise<unknown>;

/** Enough for one batch. V8's default is three times as much, and its young generation never shrinks. */
const YOUNG_GENERATION_MB = 48;

/** Starts the thread of a store. Resolves when the store is open. */
export async function openStoreThread(workerData: StoreLocation): Promise<Opened & { readonly call: CallStore }> {
  const script = new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url);
  const worker = new Worker(script, {
    workerData,
    env: workerEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let failure: Error | undefined;

  const rejectAll = (error: Error): void => {
    failure = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("message", (reply: Reply) => {
    const pending = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ("problem" in reply) pending?.reject(errorOf(reply.problem));
    else pending?.resolve(reply.value);
  });
  worker.on("error", (error) =>
    rejectAll(new StoreError(`the store thread failed: ${(error as Error).message}`, "store-thread", error)),
  );
  worker.on("exit", () => rejectAll(new StoreError("the store is closed", "closed")));

  const replyTo = (id: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
    });
  const call: CallStore = async (method, ...args) => {
    if (failure !== undefined && method === "close") return undefined;
    if (failure !== undefined) throw failure;
    lastId += 1;
    worker.postMessage({ id: lastId, method, args } satisfies Call);
    return await replyTo(lastId);
  };
  const opened = (await replyTo(0).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  })) as Opened;
  return { call, ...opened };
}

/** The cause has the stack of the thread. */
function errorOf({ message, code, stack }: Problem): StoreError {
  return new StoreError(message, code, Object.assign(new Error(message), { stack }));
}

/** Implements the store with such calls. */
export function storeOf(call: CallStore): Store {
  return {
    apply: (batch) => call("apply", batch) as ReturnType<Store["apply"]>,
    appliedPosition: (journal) => call("appliedPosition", journal) as ReturnType<Store["appliedPosition"]>,
    idleCalls: (before, limit) => call("idleCalls", before, limit) as ReturnType<Store["idleCalls"]>,
    cursor: (name) => call("cursor", name) as Promise<number>,
    moveCursor: (name, position) => call("moveCursor", name, position) as Promise<void>,
    idleSessions: (before, limit) => call("idleSessions", before, limit) as ReturnType<Store["idleSessions"]>,
    deleteSession: (...args) => call("deleteSession", ...args) as ReturnType<Store["deleteSession"]>,
    deleteBefore: (...args) => call("deleteBefore", ...args) as ReturnType<Store["deleteBefore"]>,
    finishDeletions: (begunBefore) => call("finishDeletions", begunBefore) as ReturnType<Store["finishDeletions"]>,
    scrub: () => call("scrub") as Promise<void>,
    deletions: (folder, limit) => call("deletions", folder, limit) as ReturnType<Store["deletions"]>,
    filesCleaned: (folder, upTo) => call("filesCleaned", folder, upTo) as Promise<void>,
    exportTo: (targets) => call("exportTo", targets) as Promise<void>,
    claimDue: (...args) => call("claimDue", ...args) as ReturnType<Store["claimDue"]>,
    markSent: (target, sent) => call("markSent", target, sent) as Promise<void>,
    dropExpired: (target, queuedBefore) => call("dropExpired", target, queuedBefore) as Promise<number>,
    backlog: () => call("backlog") as ReturnType<Store["backlog"]>,
    backfill: (target, query) => call("backfill", target, query) as ReturnType<Store["backfill"]>,
    summary: (range) => call("summary", range) as ReturnType<Store["summary"]>,
    breakdown: (by: Breakdown, query) => call("breakdown", by, query) as ReturnType<Store["breakdown"]>,
    series: (query) => call("series", query) as ReturnType<Store["series"]>,
    toolModel: (query) => call("toolModel", query) as ReturnType<Store["toolModel"]>,
    fingerprints: (query) => call("fingerprints", query) as ReturnType<Store["fingerprints"]>,
    error: (project, fingerprint) => call("error", project, fingerprint) as ReturnType<Store["error"]>,
    saveSealedCall: (one) => call("saveSealedCall", one) as Promise<void>,
    sealedCalls: (since, limit) => call("sealedCalls", since, limit) as ReturnType<Store["sealedCalls"]>,
    findSealedCalls: (project, ids) => call("findSealedCalls", project, ids) as ReturnType<Store["findSealedCalls"]>,
    deleteSealedCalls: (project, ids) => call("deleteSealedCalls", project, ids) as Promise<void>,
    deleteSealedCallsBefore: (time) => call("deleteSealedCallsBefore", time) as Promise<void>,
    setErrorState: (...args) => call("setErrorState", ...args) as Promise<boolean>,
    sessionDetail: (project, sessionId, page) =>
      call("sessionDetail", project, sessionId, page) as ReturnType<Store["sessionDetail"]>,
    sessions: (query) => call("sessions", query) as ReturnType<Store["sessions"]>,
    calls: (query) => call("calls", query) as ReturnType<Store["calls"]>,
    unhealthySessions: (range) => call("unhealthySessions", range) as Promise<number>,
    callRepairs: (query) => call("callRepairs", query) as ReturnType<Store["callRepairs"]>,
    callFaults: (range) => call("callFaults", range) as ReturnType<Store["callFaults"]>,
    sessionUsage: (sessions) => call("sessionUsage", sessions) as ReturnType<Store["sessionUsage"]>,
    firstUses: (query) => call("firstUses", query) as ReturnType<Store["firstUses"]>,
    secondChances: (range) => call("secondChances", range) as ReturnType<Store["secondChances"]>,
    leaks: (query) => call("leaks", query) as ReturnType<Store["leaks"]>,
    usage: (by, query) => call("usage", by, query) as ReturnType<Store["usage"]>,
    turns: (project, id, page) => call("turns", project, id, page) as ReturnType<Store["turns"]>,
    loops: (query) => call("loops", query) as ReturnType<Store["loops"]>,
    suspensions: (query) => call("suspensions", query) as ReturnType<Store["suspensions"]>,
    originOutcomes: (range) => call("originOutcomes", range) as ReturnType<Store["originOutcomes"]>,
    pendingRepairedCalls: (since, limit) =>
      call("pendingRepairedCalls", since, limit) as ReturnType<Store["pendingRepairedCalls"]>,
    recoveredCalls: (project, ids) => call("recoveredCalls", project, ids) as ReturnType<Store["recoveredCalls"]>,
    callOrigins: (project, ids) => call("callOrigins", project, ids) as ReturnType<Store["callOrigins"]>,
    threadOfResponse: (key) => call("threadOfResponse", key) as ReturnType<Store["threadOfResponse"]>,
    events: (after, limit) => call("events", after, limit) as ReturnType<Store["events"]>,
    eventText: (after) => call("eventText", after) as ReturnType<Store["eventText"]>,
    lastEvent: () => call("lastEvent") as Promise<number>,
    close: () => call("close") as Promise<void>,
  };
}
