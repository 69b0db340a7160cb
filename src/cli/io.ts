import type { KeyInput } from "./key-input.ts";

/** Input and output of a command: those of the process, or of a test. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  readonly isTerminal: boolean;
  /** Whether stderr is a terminal, so that progress can be shown there. */
  readonly errIsTerminal?: boolean;
  /** Absent if no user can press keys. */
  readonly keys?: KeyInput;
  readonly width: number;
  readonly now: () => number;
  /** When the process started, on the clock of `performance.now()`. */
  readonly startedAt?: number;
}

/** In a pipe: the shell's value, or no limit, so that nothing is truncated. */
function columnsOf({ COLUMNS }: NodeJS.ProcessEnv): number {
  const columns = Number(COLUMNS);
  return Number.isInteger(columns) && columns >= 20 ? columns : Number.MAX_SAFE_INTEGER;
}

/** The width of the terminal, or of the pipe that replaces it. Some terminals report 0. */
export function terminalWidth(columns: number | undefined, environment: NodeJS.ProcessEnv): number {
  if (columns === undefined) return columnsOf(environment);
  return columns > 0 ? columns : 80;
}

export function processIo(): Io {
  // With `toolmend sessions | head`, the reader closes the pipe early. Exit quietly like other programs.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    environment: process.env,
    isTerminal: process.stdout.isTTY === true,
    errIsTerminal: process.stderr.isTTY === true,
    ...(process.stdin.isTTY === true && process.stdout.isTTY === true && { keys: process.stdin }),
    width: terminalWidth(process.stdout.columns, process.env),
    now: Date.now,
    startedAt: 0,
  };
}
