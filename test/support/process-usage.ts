import { readFileSync } from "node:fs";

/** Resource usage of another process is read from /proc. */
export const CAN_MEASURE: boolean = process.platform === "linux";

export function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1]) * 1024;
}

/** User and system time so far, of all threads. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program name is in parentheses and may contain any character.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Peak memory of a process above its current level, while `work` runs. */
export async function memoryGrowth(pid: number, work: () => Promise<void>): Promise<number> {
  const before = residentBytes(pid);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid));
  }, 20);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(peak, residentBytes(pid)) - before;
}
