import { describe, expect, it } from "vitest";
import { collectFixtureLeaks } from "../support/safety/collect-leaks.ts";
import { echoCases } from "../support/safety/echoes.ts";
import { mentionCases } from "../support/safety/mentions.ts";
import { repairCases } from "../support/safety/repairs.ts";
import { type Failure, runSpace } from "../support/safety/run-cases.ts";
import type { CaseSpace } from "../support/safety/safety-case.ts";

const SEED = 20261117;
const MIN_REPAIRED_SHARE = 0.98;
/** Enough for each format to reach most checks. `scripts/eval-safety.ts` runs them all. */
const SAMPLE = 4000;
/** Accepted misses: one echo in this many, and more where lines were wrapped again in the middle of words. */
const MAX_MISSED_ECHOES = 0.004;
const MAX_MISSED_WRAPPED = 0.2;
const WRAPPED: ReadonlySet<string> = new Set(["wrapped at 60 columns", "wrapped and boxed", "SQL string"]);
/** By decision only the identical call is an echo of the system prompt: docs/decisions/recover-what-is-untrusted.md. */
const SYSTEM = "page in the system prompt";
/** Number of cases shown in a failure report. The script lists all of them. */
const MAX_SHOWN_FAILURES = 5;

const { leaks, missed } = collectFixtureLeaks();

interface Sampled {
  readonly run: number;
  readonly failed: number;
  readonly shown: readonly unknown[];
}

/** Omits the declared tools, which are the same everywhere and too long for a report. */
function describeFailure({ case: { tools: _, ...one }, reason, got }: Failure): unknown {
  return { reason, got, ...one };
}

function sample(space: CaseSpace): Sampled {
  const shown: unknown[] = [];
  const { counts } = runSpace(space, {
    seed: SEED,
    sample: SAMPLE,
    onFailure: (failure) => {
      if (shown.length < MAX_SHOWN_FAILURES) shown.push(describeFailure(failure));
    },
  });
  return { ...counts, shown };
}

describe("extraction of leaked calls, on a sample of generated texts", { timeout: 120_000 }, () => {
  it("finds each fixture in each format when it is the whole message", () => {
    expect(missed).toEqual([]);
  });

  it("finds almost no call that echoes what the model was given, in any presentation", () => {
    const missedBy = new Map<string, number>();
    const { counts, byDetail } = runSpace(echoCases(leaks, SEED), {
      seed: SEED,
      sample: SAMPLE,
      onFailure: ({ case: { detail } }) => missedBy.set(detail, (missedBy.get(detail) ?? 0) + 1),
    });
    const sum = (isCounted: (detail: string) => boolean): number =>
      [...missedBy].reduce((all, [detail, missed]) => (isCounted(detail) ? all + missed : all), 0);
    const wrapped = [...WRAPPED].flatMap((detail) => [...(byDetail.get(detail)?.values() ?? [])]);
    expect(counts.run).toBe(SAMPLE);
    expect(sum((detail) => !WRAPPED.has(detail) && detail !== SYSTEM) / SAMPLE).toBeLessThanOrEqual(MAX_MISSED_ECHOES);
    expect(sum((detail) => WRAPPED.has(detail)) / wrapped.reduce((all, { run }) => all + run, 0)).toBeLessThanOrEqual(
      MAX_MISSED_WRAPPED,
    );
  });

  it("never finds a call in text that only mentions one, and changes no byte of it", () => {
    expect(sample(mentionCases(leaks, SEED))).toEqual({ run: SAMPLE, failed: 0, shown: [] });
  });

  it("still repairs at least 98 % of the intended calls", () => {
    const { run, failed } = sample(repairCases(leaks, SEED));
    expect(run).toBe(SAMPLE);
    expect((run - failed) / run).toBeGreaterThanOrEqual(MIN_REPAIRED_SHARE);
  });
});
