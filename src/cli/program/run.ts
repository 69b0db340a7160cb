import type { Io } from "../io.ts";

/** Carries out a command and keeps its exit code; each loads its own code only then, so that all start fast. */
export type Run = (action: (io: Io) => Promise<number>) => Promise<void>;
