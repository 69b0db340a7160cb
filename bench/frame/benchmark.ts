import type { Row } from "./row.ts";

/** What a benchmark may need to know. */
export interface BenchOptions {
  /** Fewer rounds: a look, not a measurement. */
  readonly quick: boolean;
  readonly seed: number;
  /** Where CPU profiles of the measured process go; absent: none are made. */
  readonly profiles?: string;
  /** Only the loads with this in their name, where a benchmark has several. */
  readonly only?: string;
  /** Tells how far it is. */
  readonly progress: (text: string) => void;
}

export type Benchmark = (options: BenchOptions) => Promise<readonly Row[]>;
