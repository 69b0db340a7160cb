import { setTimeout as wait } from "node:timers/promises";
import type { Step } from "./plan.ts";

type Range = readonly [min: number, max: number];

/** Run times of tools in ms, by the start of a command or by tool. */
const COMMANDS: readonly (readonly [start: string, ms: Range])[] = [
  ["npm test -- ", [1400, 3200]],
  ["npm test", [4200, 7600]],
  ["npm run lint", [1800, 2900]],
  ["git commit", [180, 420]],
  ["make", [700, 1600]],
];
const TOOLS: Readonly<Record<string, Range>> = {
  Bash: [25, 140],
  Read: [6, 45],
  read_file: [6, 45],
  Edit: [20, 90],
  Write: [15, 70],
  get_weather: [240, 900],
  send_report: [300, 700],
};
const OTHER: Range = [50, 400];

/** How long the tool of a step runs. */
export function toolMs({ tool, arguments: args }: Step, random: () => number): number {
  const command = String(args.command ?? args.cmd ?? "");
  const ms = COMMANDS.find(([start]) => command.startsWith(start))?.[1] ?? TOOLS[tool] ?? OTHER;
  return between(ms, random);
}

/** How long agents and models take. `sleep` returns false once the demo stops. */
export interface Pace {
  /** How long a model takes to respond. */
  readonly think: () => Promise<boolean>;
  /** Runs the tools of a turn, in parallel. */
  readonly runTools: (steps: readonly Step[]) => Promise<boolean>;
}

/** @param stopped resolves when the demo stops */
export function createPace(thinkMs: () => Range, stopped: Promise<unknown>, random: () => number): Pace {
  const stop = stopped.then(() => false);
  const sleep = async (ms: number): Promise<boolean> => {
    const over = new AbortController();
    try {
      return await Promise.race([stop, wait(ms, true, { signal: over.signal })]);
    } finally {
      over.abort();
    }
  };
  return {
    think: () => sleep(between(thinkMs(), random)),
    runTools: (steps) => sleep(Math.max(0, ...steps.map((step) => toolMs(step, random)))),
  };
}

function between([min, max]: Range, random: () => number): number {
  return min + random() * (max - min);
}
