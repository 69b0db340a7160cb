import { type DataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import { takeWriterLock, type WriterLock } from "../../store/sqlite/writer-lock.ts";
import { CliError } from "../errors.ts";

/** One server per data folder; whoever comes second is told of the first. */
export function lockFolder(folder: DataFolder, port: number): WriterLock {
  const lock = takeWriterLock(folder.lock);
  if (lock !== undefined) return lock;
  const other = readServerInfo(folder);
  if (other !== undefined && new URL(other.url).port === String(port)) {
    throw new CliError(
      `Port ${port} is taken: Toolmend is running already at ${other.url} (process ${other.pid}). Stop it, or choose another --port and --data.`,
    );
  }
  const where = other === undefined ? "" : ` It is at ${other.url} (process ${other.pid}).`;
  throw new CliError(
    `Another Toolmend is using ${folder.path}.${where} Stop it, or choose another folder with --data.`,
  );
}
