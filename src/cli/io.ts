/** Where a command reads and writes: the process's own, or a test's. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly environment: NodeJS.ProcessEnv;
  readonly isTerminal: boolean;
  /** Somebody watches the error output: progress may be shown there. */
  readonly errIsTerminal?: boolean;
  readonly width: number;
  readonly now: () => number;
}

export function processIo(): Io {
  // `toolmend sessions | head`: whoever read has read enough. Ends as quietly as any other program in a pipe.
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
    width: process.stdout.columns ?? 100,
    now: Date.now,
  };
}
