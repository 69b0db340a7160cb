import type { Io } from "../../src/cli/io.ts";
import { main } from "../../src/cli/main.ts";
import { NOON } from "./observations.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with the clock a minute after noon; returns what it printed. */
export async function runCommand(args: readonly string[], io: Partial<Io> = {}): Promise<Ran> {
  let [out, err] = ["", ""];
  const code = await main(args, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    environment: {},
    isTerminal: false,
    width: 100,
    now: () => NOON + 60_000,
    ...io,
  });
  return { code, out, err };
}
