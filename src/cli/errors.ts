/** Something the user can mend; shown as one line. Exit code 2 where the command itself was called wrong. */
export class CliError extends Error {
  readonly code = "start";
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = "CliError";
    this.exitCode = exitCode;
  }
}

/** A server that asks for a token speaks to programs; here somebody sits who can set it. */
export function throwIfUnauthorized(status: number | undefined): void {
  if (status === 401)
    throw new CliError("The server wants a token: set TOOLMEND_TOKEN as it was set for `toolmend start`.");
}

/**
 * What the system would not let us do with a file or folder, as a line for people; undefined for every other error.
 * Most often it is the data folder: a file of that name, a disk that cannot be written, somebody else's.
 */
export function describeFileError(error: unknown): string | undefined {
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined || path === undefined || !(error instanceof Error)) return undefined;
  const said = message.slice(message.indexOf(": ") + 2, message.lastIndexOf(`, ${syscall}`));
  // Making a folder "already exists" only where something else has its name.
  const why = code === "EEXIST" && syscall === "mkdir" ? "it is no folder" : said;
  return `${path} cannot be used: ${why} (${code}). If it belongs to the data folder, choose another with --data.`;
}

/** Error codes of a full disk or an exceeded quota, and SQLite's result code. */
const FULL = new Set(["ENOSPC", "EDQUOT"]);
const SQLITE_FULL = 13;

/** One line for errors without a path: a full disk, or an unusable database. Undefined for every other error. */
export function unusableDiskText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", errcode } = error as NodeJS.ErrnoException & { readonly errcode?: number };
  if (FULL.has(code) || errcode === SQLITE_FULL)
    return "The disk of the data folder is full. Free some space, or choose another folder with --data.";
  if (code !== "ERR_SQLITE_ERROR") return undefined;
  return `The data folder cannot be used: ${error.message}. \`toolmend doctor\` says more.`;
}
