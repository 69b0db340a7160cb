import { type DataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import { takeWriterLock, type WriterLock } from "../../store/sqlite/writer-lock.ts";
import { CliError } from "../errors.ts";

/** Locks the data folder. Only one server may use it; the error names the one that does. */
export function lockFolder(folder: DataFolder, port: number): WriterLock {
  const lock = takeWriterLock(folder.lock);
  if (lock !== undefined) return lock;
  const other = readServerInfo(folder);
  if (other !== undefined && new URL(other.url).port === String(port)) {
    throw new CliError(
      `Port ${port} is already in use: Toolmend is running at ${other.url} (process ${other.pid}). Stop it, or choose another --port and --data.`,
    );
  }
  const where = other === undefined ? "" : ` It runs at ${other.url} (process ${other.pid}).`;
  throw new CliError(
    `Another Toolmend process is using ${folder.path}.${where} Stop it, or choose another folder with --data.`,
  );
}
