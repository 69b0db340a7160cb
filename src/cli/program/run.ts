import type { Io } from "../io.ts";

/** Runs a command and stores its exit code. Each command loads its code on demand, so that the CLI starts fast. */
export type Run = (action: (io: Io) => Promise<number>) => Promise<void>;
