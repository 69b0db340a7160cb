import { spawnSync } from "node:child_process";
import { existsSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";

export interface OtherUser {
  readonly uid: number;
  readonly gid: number;
}

/** For root, an unprivileged user to run programs as; undefined for other users. */
export function otherUser(): OtherUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((option) =>
      spawnSync("id", [option, name], { encoding: "utf8" }).stdout?.trim(),
    );
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL refuses to run as root, and neither the user postgres nor nobody exists.");
}

/** The mode bit that lets every user enter a folder or run a file. */
const OTHERS_EXECUTE = 0o001;

/** Reports whether every user may run this program or enter this folder, and all folders above it. */
export function canEveryoneReach(path: string): boolean {
  for (let at = realpathSync(path); ; at = dirname(at)) {
    if ((statSync(at).mode & OTHERS_EXECUTE) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** A folder for temporary files that other users can enter; TMPDIR itself may be private. */
export function sharedTemporaryFolder(): string {
  const found = [tmpdir(), "/tmp", "/var/tmp"].find((path) => existsSync(path) && canEveryoneReach(path));
  if (found === undefined)
    throw new Error("No temporary folder is accessible to other users. Set TMPDIR to one that is.");
  return found;
}
