import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { codeOf } from "../../core/model/errors.ts";
import { type DataFolder, readServerInfo } from "../../ingest/data-folder.ts";
import type { OnFailure } from "../../proxy/http/error-boundary.ts";
import { takeWriterLock, type WriterLock } from "../../store/sqlite/writer-lock.ts";
import { CliError } from "../errors.ts";

interface Place {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

/** Opens the port, or explains why it cannot. Returns the actual port and the URL. */
export async function listen(
  server: Server,
  { host, port }: Place,
): Promise<{ readonly port: number; readonly url: string }> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const code = codeOf(error);
    if (code === "EADDRINUSE")
      throw new CliError(
        `Port ${port} on ${host} is already in use. If Toolmend is already running, use that server; otherwise choose another port with --port.`,
        { cause: error },
      );
    if (code === "EACCES")
      throw new CliError(`No permission to listen on port ${port}. Choose a port above 1023 with --port.`, {
        cause: error,
      });
    throw new CliError(`Cannot listen on ${host}:${port} (${code}).`, { cause: error });
  }
  const opened = (server.address() as AddressInfo).port;
  return { port: opened, url: `http://${host.includes(":") ? `[${host}]` : host}:${opened}` };
}

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

/**
 * Reports uncaught exceptions as failures instead of ending the process. For `toolmend start` only: a program that
 * embeds the server decides itself. Error boundaries contain the failures of exchanges; this catches what escapes them.
 * Returns a function that undoes it.
 */
export function containUncaught(onFailure: OnFailure): () => void {
  const contain = (error: unknown): void => {
    try {
      onFailure("uncaught", error);
    } catch {
      // The log cannot be written either. An exception here would end the process.
    }
  };
  // Also receives unhandled rejections.
  process.on("uncaughtException", contain);
  return () => process.off("uncaughtException", contain);
}
