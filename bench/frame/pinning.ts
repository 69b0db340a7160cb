import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The core a process is pinned to; undefined if pinning is not possible. */
export interface Cores {
  readonly measured: number | undefined;
  readonly others: number | undefined;
}

/**
 * One core for the measured process and another for everything else, so that the load generator takes no time from its
 * target.
 */
export function chooseCores(): Cores {
  const [first, second] = allowedCores();
  const canPin = second !== undefined && spawnSync("taskset", ["--version"]).status === 0;
  return canPin ? { measured: second, others: first } : { measured: undefined, others: undefined };
}

/** Parses a list such as `0-3,8`. */
function allowedCores(): readonly number[] {
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    const list = /^Cpus_allowed_list:\s*(.+)$/m.exec(status)?.[1] ?? "";
    return list.split(",").flatMap((part) => {
      const [from, to] = part.split("-").map(Number) as [number, number?];
      return Array.from({ length: (to ?? from) - from + 1 }, (_, at) => from + at);
    });
  } catch {
    return [];
  }
}
