import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const ENDING = ".broken-";
const SIDE_FILES = ["-wal", "-shm"];

/** SQLite's codes for a damaged file, and for one that is not a database. */
const BROKEN = new Set([11, 26]);

/** Extended codes, such as that of a damaged index, have the plain one in their lowest byte. */
export function isBrokenFile(error: unknown): boolean {
  const code = (error as { readonly errcode?: unknown } | undefined)?.errcode;
  return typeof code === "number" && BROKEN.has(code & 0xff);
}

/** Renames a broken database and its side files. Nothing is deleted: its owner may still recover records from it. */
export function setAside(path: string, now: number): string {
  const kept = `${path}${ENDING}${new Date(now).toISOString().replace(/[:.]/g, "-")}`;
  for (const ending of ["", ...SIDE_FILES]) if (existsSync(path + ending)) renameSync(path + ending, kept + ending);
  return kept;
}

/** The broken databases that were set aside beside this one. */
export function listSetAside(path: string): readonly string[] {
  const start = `${basename(path)}${ENDING}`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start) && !SIDE_FILES.some((ending) => name.endsWith(ending)))
    .map((name) => join(dirname(path), name));
}

const MARK = ".damaged";

/** Leaves a mark that SQLite reported damage, so that the next start checks the whole file before it uses it. */
export function markDamaged(path: string): void {
  try {
    writeFileSync(path + MARK, "", { flag: "wx", mode: 0o600 });
  } catch {
    // It exists, or the disk is full.
  }
}

export function isMarkedDamaged(path: string): boolean {
  return existsSync(path + MARK);
}

export function removeDamageMark(path: string): void {
  rmSync(path + MARK, { force: true });
}
