import type { Row } from "./row.ts";

/** Options of a benchmark. */
export interface BenchOptions {
  /** Fewer rounds: a rough estimate, not a measurement. */
  readonly quick: boolean;
  readonly seed: number;
  /** Folder for CPU profiles of the measured process; absent: none are written. */
  readonly profiles?: string;
  /** Only the parts with this in their name, where a benchmark has several. */
  readonly only?: string;
  /** Reports progress. */
  readonly progress: (text: string) => void;
}

export type Benchmark = (options: BenchOptions) => Promise<readonly Row[]>;
