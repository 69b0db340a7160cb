import { codeOf } from "../core/model/errors.ts";
import { commandLine } from "./command-line.ts";
/** An error the user can fix; shown as one line. Exit code 2 means wrong usage. */
export class CliError extends Error {
  readonly code = "cli";
  readonly exitCode: 1 | 2;
  constructor(message: string, { exitCode = 1, cause }: { readonly exitCode?: 1 | 2; readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CliError";
    this.exitCode = exitCode;
  }
}

/** Turns a 401 into an error that names the variable to set. */
export function throwIfUnauthorized(status: number | undefined): void {
  if (status === 401) throw new CliError("Unauthorized. Set TOOLMEND_TOKEN to the token the server was started with.");
}

/**
 * Describes a file system error in one line; undefined for every other error. Usually the data folder is the cause: a
 * file has its name, the disk is read-only, or another user owns it.
 */
export function describeFileError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // The type of Node's errors; every property is optional.
  const { code, syscall, path, message }: NodeJS.ErrnoException = error;
  if (code === undefined || syscall === undefined || path === undefined) return undefined;
  const reason = message.slice(message.indexOf(": ") + 2, message.lastIndexOf(`, ${syscall}`));
  // mkdir fails with EEXIST only if the path is not a folder.
  const why = code === "EEXIST" && syscall === "mkdir" ? "it is not a folder" : reason;
  return `${path} cannot be used: ${why} (${code}). If it is the data folder, choose another one with --data.`;
}

/** Error codes of a full disk or an exceeded quota, and SQLite's result code. */
const FULL = new Set(["ENOSPC", "EDQUOT"]);
const SQLITE_FULL = 13;

/** The result code of an error of `node:sqlite`. */
function sqliteCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}

/** One line for errors without a path: a full disk, or an unusable database. Undefined for every other error. */
export function describeDiskError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error) ?? "";
  if (FULL.has(code) || sqliteCodeOf(error) === SQLITE_FULL)
    return "The disk of the data folder is full. Free some space, or choose another folder with --data.";
  if (code !== "ERR_SQLITE_ERROR") return undefined;
  return `The data folder cannot be used: ${error.message}. \`${commandLine("doctor")}\` shows details.`;
}
