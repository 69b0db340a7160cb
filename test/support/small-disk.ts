import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Why a small disk cannot be created here; undefined when it can. */
export function smallDiskProblem(folder: string): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root on Linux can mount a tmpfs";
  try {
    mountSmallDisk(folder, "1m").unmount();
    return undefined;
  } catch (error) {
    return `tmpfs cannot be mounted: ${(error as Error).message.split("\n")[0]}`;
  }
}

export interface SmallDisk {
  /** Leaves no byte free. */
  fill(): void;
  free(): void;
  unmount(): void;
}

/** A tmpfs of this size, mounted on a folder. */
export function mountSmallDisk(folder: string, size: string): SmallDisk {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size},mode=700`, "tmpfs", folder], { stdio: "pipe" });
  const filler = join(folder, "filler");
  return {
    fill() {
      const file = openSync(filler, "a");
      try {
        for (let bytes = 64 << 10; bytes >= 1; bytes >>= 1) {
          try {
            while (writeSync(file, Buffer.alloc(bytes)) === bytes);
          } catch {
            // Fills it as far as blocks of this size fit.
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free() {
      rmSync(filler, { force: true });
    },
    unmount() {
      execFileSync("umount", ["-l", folder], { stdio: "pipe" });
    },
  };
}
