import { seededRandom } from "../secrets.ts";
import { extract } from "./extract.ts";
import type { CaseSpace, SafetyCase } from "./safety-case.ts";
import { sameCalls } from "./same-calls.ts";

export interface Failure {
  readonly case: SafetyCase;
  readonly reason: "called" | "changed" | "not repaired" | "threw";
  readonly got: string;
}

export interface Counts {
  run: number;
  failed: number;
}

export interface SectionResult {
  readonly counts: Counts;
  /** Format → check → counts. */
  readonly byFormat: Map<string, Map<string, Counts>>;
  /** Detail → check → counts. */
  readonly byDetail: Map<string, Map<string, Counts>>;
}

export interface RunOptions {
  readonly seed: number;
  /** How many cases to run. All when undefined. */
  readonly sample?: number | undefined;
  /** Receives each failure: there can be too many to collect. */
  readonly onFailure: (failure: Failure) => void;
}

/** Runs one case through the public API. */
export function runCase(one: SafetyCase): Failure | undefined {
  try {
    const { content, calls } = extract(one.text, one.tools, one.context);
    const got = JSON.stringify(calls);
    if (one.expected.length > 0) {
      return sameCalls(calls, one.expected) ? undefined : { case: one, reason: "not repaired", got };
    }
    if (calls.length > 0) return { case: one, reason: "called", got };
    return content === one.text ? undefined : { case: one, reason: "changed", got: content ?? "" };
  } catch (error) {
    return { case: one, reason: "threw", got: String(error) };
  }
}

/** Runs all cases of a space, or a seeded sample without repetition. */
export function runSpace(space: CaseSpace, { seed, sample, onFailure }: RunOptions): SectionResult {
  const result: SectionResult = { counts: { run: 0, failed: 0 }, byFormat: new Map(), byDetail: new Map() };
  for (const index of chooseIndexes(space.size, sample, seed)) {
    if (sample !== undefined && result.counts.run >= sample) break;
    const one = space.at(index);
    if (one === undefined) continue;
    const failure = runCase(one);
    const failed = failure === undefined ? 0 : 1;
    for (const counts of [
      result.counts,
      countsAt(result.byFormat, one.format, one.check),
      countsAt(result.byDetail, one.detail, one.check),
    ]) {
      counts.run += 1;
      counts.failed += failed;
    }
    if (failure !== undefined) onFailure(failure);
  }
  return result;
}

/** All indexes in order, or all of them once in a seeded order. */
function* chooseIndexes(size: number, sample: number | undefined, seed: number): Generator<number> {
  if (sample === undefined) {
    for (let index = 0; index < size; index += 1) yield index;
    return;
  }
  const random = seededRandom(seed);
  const chosen = new Set<number>();
  while (chosen.size < size) {
    const index = Math.floor(random() * size);
    if (chosen.has(index)) continue;
    chosen.add(index);
    yield index;
  }
}

function countsAt(table: Map<string, Map<string, Counts>>, row: string, column: string): Counts {
  const columns = table.get(row) ?? new Map<string, Counts>();
  table.set(row, columns);
  const counts = columns.get(column) ?? { run: 0, failed: 0 };
  columns.set(column, counts);
  return counts;
}
