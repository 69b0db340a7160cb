import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Which core a process is kept on; undefined where that cannot be done. */
export interface Cores {
  readonly measured: number | undefined;
  readonly others: number | undefined;
}

/** One core for what is measured, another for everything around it, so that load does not take time from its own target. */
export function chooseCores(): Cores {
  const [first, second] = allowedCores();
  const canPin = second !== undefined && spawnSync("taskset", ["--version"]).status === 0;
  return canPin ? { measured: second, others: first } : { measured: undefined, others: undefined };
}

/** From a list such as `0-3,8`. */
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
