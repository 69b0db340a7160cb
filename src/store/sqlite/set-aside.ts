import { existsSync, readdirSync, renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const ENDING = ".broken-";
const SIDE_FILES = ["-wal", "-shm"];

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
