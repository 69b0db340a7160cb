import { randomBytes } from "node:crypto";
import type { Observation } from "../core/model/observation.ts";
import { closeIdleCalls } from "../ingest/idle-sessions.ts";
import type { FoundFile } from "../ingest/import/find-transcripts.ts";
import type { ImportTotals } from "../ingest/import/import-files.ts";
import { CallObserver } from "../ingest/observe/observe-call.ts";
import type { Range, Store, StoreReader } from "../store/port.ts";
import { IN_MEMORY } from "../store/sqlite/database.ts";
import { openThreadedStore } from "../store/thread/threaded-store.ts";
import { findGiven, importWithBar, problemLines } from "./commands/import.ts";
import type { Config } from "./config.ts";
import { pluralize } from "./format.ts";
import type { Io } from "./io.ts";

/** Reads the transcripts under these paths for queries, and reports on stderr what was read. */
export async function readerFromPaths(
  paths: readonly string[],
  config: Config,
  { project = "default", since = 0 }: Range,
  io: Io,
  quiet: boolean,
): Promise<StoreReader> {
  const { files, problems } = await findGiven(paths, io.environment);
  // Files last modified before the range cannot contain calls in it.
  const recent = files.filter(({ mtimeMs }) => mtimeMs >= since);
  const startedAt = io.now();
  const { reader, totals } = await readerFromFiles(recent, config, io, { project, visible: !quiet });
  if (!quiet) {
    const seconds = Math.max(0.1, (io.now() - startedAt) / 1000).toFixed(1);
    io.err(
      `Read ${pluralize(totals.read, "transcript")} (${(totals.bytes / 1e6).toFixed(1)} MB) in ${seconds} s. Nothing was stored.\n`,
    );
    const unreadable = [...problems.map(({ path, message }) => ({ path, reason: message })), ...totals.problems];
    if (totals.broken > 0) io.err(`${pluralize(totals.broken, "line")} could not be parsed:\n`);
    for (const line of problemLines(unreadable)) io.err(`${line}\n`);
  }
  return reader;
}

interface FileReading {
  readonly project: string;
  /** Whether progress is shown. */
  readonly visible: boolean;
  /** Ends the reading early. */
  readonly isOver?: () => boolean;
  readonly batchSize?: number;
}

/**
 * Imports transcripts into an in-memory store for queries. Needs no server or data folder and leaves nothing behind.
 */
export async function readerFromFiles(
  files: readonly FoundFile[],
  { capture, redact, detect }: Config,
  io: Io,
  { visible, ...reading }: FileReading,
): Promise<{ readonly reader: StoreReader; readonly totals: ImportTotals }> {
  const store = await openThreadedStore(IN_MEMORY);
  const observer = new CallObserver({ capture, redact, salt: randomBytes(16).toString("hex"), detect });
  const { send, settle } = intoStore(store, observer);
  const totals = await importWithBar(files, { observer, send, now: io.now, ...reading }, io, visible);
  await settle(io.now());
  return { reader: store, totals };
}

/** Stores one batch while the next is read; a longer queue would only use memory. */
function intoStore(
  store: Store,
  { redactIds }: CallObserver,
): {
  readonly send: (observations: readonly Observation[]) => Promise<void>;
  readonly settle: (now: number) => Promise<void>;
} {
  let storing: Promise<unknown> = Promise.resolve();
  let position = 0;
  const apply = async (observations: readonly Observation[]): Promise<void> => {
    position += 1;
    const lines = observations.map((observation) => `${JSON.stringify(redactIds(observation))}\n`).join("");
    const place = { journal: "paths", position: String(position).padStart(12, "0") };
    const { last_event } = await store.apply({ ...place, live: false, lines });
    // Nothing follows the events of this store, so they can be dropped.
    await store.moveCursor("events", last_event);
  };
  return {
    async send(observations) {
      await storing;
      storing = apply(observations);
      // The next `send` or `settle` rethrows the failure.
      storing.catch(() => undefined);
    },
    async settle(now) {
      await storing;
      const record = async (observations: readonly Observation[]): Promise<number> => {
        if (observations.length > 0) await apply(observations);
        return observations.length;
      };
      while ((await closeIdleCalls(store, record, now)) > 0);
    },
  };
}
