import { readdirSync, readFileSync } from "node:fs";

/** CPU time used so far, in microseconds. */
export interface CpuTime {
  /** All threads together. */
  readonly process: number;
  readonly mainThread: number;
}

const TICK_US = 10_000;

/** CPU usage of a process, from /proc; the id of its main thread equals its pid. */
export function cpuTime(pid: number): CpuTime {
  let process = 0;
  let mainThread = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const used = threadTime(`/proc/${pid}/task/${thread}`);
    process += used;
    if (thread === String(pid)) mainThread = used;
  }
  return { process, mainThread };
}

export function cpuSince(before: CpuTime, after: CpuTime): CpuTime {
  return { process: after.process - before.process, mainThread: after.mainThread - before.mainThread };
}

/** In nanoseconds from `schedstat` if the kernel provides it, else in hundredths of a second from `stat`. */
function threadTime(path: string): number {
  try {
    return Number(readFileSync(`${path}/schedstat`, "utf8").split(" ", 1)[0]) / 1000;
  } catch {
    const fields = readFileSync(`${path}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  }
}
