import { existsSync } from "node:fs";
import { messageOf } from "../../core/model/errors.ts";
import { dataFolder, readOrCreateSalt } from "../../ingest/data-folder.ts";
import { Journal } from "../../ingest/journal/journal.ts";
import { Recorder } from "../../ingest/recorder.ts";
import type { CopiedTable } from "../../store/postgres/copy-from-sqlite.ts";
import { takeWriterLock } from "../../store/sqlite/writer-lock.ts";
import { commandLine } from "../command-line.ts";
import { type Flags, readConfig } from "../config.ts";
import { CliError } from "../errors.ts";
import type { Io } from "../io.ts";
import { openStore, storeName } from "../open-store.ts";
import { ProgressBar } from "../progress-bar.ts";

export interface MigrateFlags extends Flags {
  /** Data folder whose SQLite database is copied. */
  readonly from?: string;
  readonly json?: boolean;
}

/** Copies a data folder's SQLite database to PostgreSQL and compares both. An interrupted run can be resumed. */
export async function migrateCommand(flags: MigrateFlags, io: Io): Promise<number> {
  const {
    data,
    store: url,
    durable,
  } = await readConfig({ ...flags, ...(flags.from !== undefined && { data: flags.from }) }, io.environment);
  if (url === undefined)
    throw new CliError(
      "Set the target database with --store postgres://user:password@host/database or TOOLMEND_STORE.",
      { exitCode: 2 },
    );
  const folder = dataFolder(data);
  if (!existsSync(folder.database)) throw new CliError(`Source database not found: ${folder.database}.`);
  const lock = takeWriterLock(folder.lock);
  if (lock === undefined)
    throw new CliError(
      `A Toolmend process is using ${folder.path}. Stop it first: calls recorded during the copy would be missing.`,
    );
  try {
    await storeJournal(folder, durable);
    const copied = await copy(folder, url, io);
    const rows = copied.reduce((sum, one) => sum + one.rows, 0);
    if (flags.json === true) io.out(`${JSON.stringify({ rows, tables: copied }, null, 2)}\n`);
    else {
      io.out(
        `${rows} rows in ${copied.length} tables copied to ${storeName({ folder, url })}; counts and checksums match.\n` +
          `From now on, start with TOOLMEND_STORE and the same --data. ${folder.database} was not changed.\n`,
      );
    }
    return 0;
  } finally {
    lock.release();
  }
}

type Folder = ReturnType<typeof dataFolder>;

/** Applies acknowledged observations first, so that the copy includes them. */
async function storeJournal(folder: Folder, durable: boolean): Promise<void> {
  const store = await openStore({ folder });
  const journal = new Journal({ folder: folder.journal, durable });
  const recorder = new Recorder({ journal, store, rejectedFile: folder.rejected });
  try {
    await recorder.start();
    await recorder.drain();
    if (recorder.storeProblem !== undefined)
      throw new CliError(`Cannot write to ${folder.database}: ${recorder.storeProblem}.`);
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
    // Hashes in future records must be comparable with those in the copied ones.
    const salt = readOrCreateSalt(folder);
    if ((await shared.setSettingIfAbsent("salt", salt)) !== salt)
      throw new CliError(`Database ${name} is not empty. \`${commandLine("migrate")}\` needs an empty database.`);
    return await copyFromSqlite(folder.database, db, {
      source: folder.database,
      onProgress: (done, total, table) => bar.show({ done, total, label: table }),
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`Copy to ${name} interrupted: ${messageOf(error)}. Run the command again to resume.`, {
      cause: error,
    });
  } finally {
    bar.clear();
    await db.close();
  }
}
