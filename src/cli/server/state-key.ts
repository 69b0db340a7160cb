import { randomBytes } from "node:crypto";
import { closeSync, constants, fchmodSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { STATE_KEY_BYTES } from "../../proxy/repair/call-vault.ts";
import { CliError } from "../errors.ts";

export const STATE_KEY_VARIABLE = "TOOLMEND_STATE_KEY";

/** Parses the key of the environment: 32 bytes, in hex or base64. */
export function parseStateKey(text: string): Buffer {
  const key = keyOf(text.trim());
  if (key !== undefined) return key;
  throw new CliError(
    `${STATE_KEY_VARIABLE} must be 32 bytes in hex or base64. Set it, for example, to the output of: openssl rand -base64 32`,
  );
}

function keyOf(text: string): Buffer | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, "hex") : Buffer.from(text, "base64");
  return key.length === STATE_KEY_BYTES && /^[\w+/-]{43,64}={0,2}$/.test(text) ? key : undefined;
}

/**
 * Reads the key from a file, or creates it. Returns undefined if that is not possible: then repaired calls stay in
 * memory. Does not follow links, because the data folder may be in a place where others can create them.
 */
export function readOrCreateStateKey(path: string): Buffer | undefined {
  try {
    return createKey(path) ?? readKey(path);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the file exists. */
function createKey(path: string): Buffer | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return undefined;
    throw error;
  }
  try {
    const key = randomBytes(STATE_KEY_BYTES);
    writeSync(file, `${key.toString("hex")}\n`);
    return key;
  } catch (error) {
    // A full disk would leave an empty file, which no later start could use.
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function readKey(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    fchmodSync(file, 0o600);
    const bytes = Buffer.alloc(128);
    return keyOf(bytes.toString("utf8", 0, readSync(file, bytes)).trim());
  } finally {
    closeSync(file);
  }
}
