import { existsSync } from "node:fs";
import { dataFolder, readOrCreateSalt } from "../../ingest/data-folder.ts";
import { Journal } from "../../ingest/journal/journal.ts";
import { Recorder } from "../../ingest/recorder.ts";
import type { CopiedTable } from "../../store/postgres/copy-from-sqlite.ts";
import { takeWriterLock } from "../../store/sqlite/writer-lock.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { openStore, storeName } from "../open-store.ts";
import { ProgressBar } from "../progress-bar.ts";

export interface MigrateFlags extends Flags {
  /** Data folder whose SQLite is copied. */
  readonly from?: string;
  readonly json?: boolean;
}

/** Copies what a data folder's SQLite holds into a PostgreSQL, and compares both. May be broken off and run again. */
export async function migrateCommand(flags: MigrateFlags, io: Io): Promise<number> {
  const {
    data,
    store: url,
    durable,
  } = readConfig({ ...flags, ...(flags.from !== undefined && { data: flags.from }) }, io.environment);
  if (url === undefined)
    throw new CliError("Say where to: --store postgres://user:password@host/database, or TOOLMEND_STORE.", 2);
  const folder = dataFolder(data);
  if (!existsSync(folder.database)) throw new CliError(`There is no ${folder.database} to copy from.`);
  const lock = takeWriterLock(folder.lock);
  if (lock === undefined)
    throw new CliError(`A Toolmend is using ${folder.path}. Stop it first: what it records meanwhile would be missed.`);
  try {
    await storeJournal(folder, durable);
    const copied = await copy(folder, url, io);
    const rows = copied.reduce((sum, one) => sum + one.rows, 0);
    if (flags.json === true) io.out(`${JSON.stringify({ rows, tables: copied }, null, 2)}\n`);
    else {
      io.out(
        `${rows} rows in ${copied.length} tables are in ${storeName({ folder, url })}; counts and checksums are the same.\n` +
          `Go on with TOOLMEND_STORE set and the same --data; ${folder.database} stays as it is.\n`,
      );
    }
    return 0;
  } finally {
    lock.release();
  }
}

type Folder = ReturnType<typeof dataFolder>;

/** What was acknowledged belongs to what is copied. */
async function storeJournal(folder: Folder, durable: boolean): Promise<void> {
  const store = await openStore({ folder });
  const journal = new Journal({ folder: folder.journal, durable });
  const recorder = new Recorder({ journal, store, rejectedFile: folder.rejected });
  try {
    await recorder.start();
    await recorder.drain();
    if (recorder.storeProblem !== undefined)
      throw new CliError(`${folder.database} takes nothing: ${recorder.storeProblem}.`);
  } finally {
    await recorder.close();
    await store.close();
  }
}

async function copy(folder: Folder, url: string, io: Io): Promise<readonly CopiedTable[]> {
  const { openCopyTarget } = await import("../../store/postgres/postgres-store.ts");
  const { copyFromSqlite } = await import("../../store/postgres/copy-from-sqlite.ts");
  const name = storeName({ folder, url });
  const { db, shared } = openCopyTarget(url);
  const bar = new ProgressBar(io.errIsTerminal === true ? io.err : undefined, io.width, io.now);
  try {
    // Hashes of what comes must be comparable with those of what is copied.
    const salt = readOrCreateSalt(folder);
    if ((await shared.setSettingIfAbsent("salt", salt)) !== salt)
      throw new CliError(`${name} has been used by others already; a copy needs an empty database.`);
    return await copyFromSqlite(folder.database, db, {
      source: folder.database,
      onProgress: (done, total, table) => bar.show({ done, total, label: table }),
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `Not everything was copied to ${name}: ${(error as Error).message}. Run it again: it goes on from where it was.`,
    );
  } finally {
    bar.clear();
    await db.close();
  }
}
