import { constants, renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { codeOf } from "../core/model/errors.ts";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR, O_WRONLY } = constants;

/**
 * Writes a file of the data folder whole, with mode 0600. A crash or a full disk leaves the old file or the new one,
 * never a part, and a symbolic link under its name is replaced instead of followed.
 */
export function replaceOwnFile(path: string, text: string): void {
  // Named by process: several may write the same file.
  const draft = `${path}.${process.pid}.new`;
  rmSync(draft, { force: true });
  try {
    // `wx` follows no link and fails if another process has just created the file.
    writeFileSync(draft, text, { flag: "wx", mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Appends to a file of the data folder; creates it with mode 0600. */
export async function appendToFile(path: string, text: string): Promise<void> {
  const file = await openOwnFile(path, "append");
  try {
    await file.appendFile(text);
  } finally {
    await file.close();
  }
}

/**
 * Opens a file of the data folder for writing. `append` creates it if it is missing, `change` does not. Refuses
 * symbolic links, which could redirect the write to any file of the user.
 */
export async function openOwnFile(path: string, how: "append" | "change"): Promise<FileHandle> {
  // Windows has no O_NOFOLLOW; creating a link there needs extra rights.
  const flags = (how === "append" ? O_WRONLY | O_APPEND | O_CREAT : O_RDWR) | (O_NOFOLLOW ?? 0);
  try {
    return await open(path, flags, 0o600);
  } catch (error) {
    if (codeOf(error) !== "ELOOP") throw error;
    throw new Error(`${path} is a symbolic link and is not followed. Remove it.`, { cause: error });
  }
}
