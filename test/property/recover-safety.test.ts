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
/** What a failure report can show. The script lists the rest. */
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
  it("each fixture is found in each format when it is the whole message", () => {
    expect(missed).toEqual([]);
  });

  it("a call that repeats what the model was given is never made, however it was shown", () => {
    expect(sample(echoCases(leaks, SEED))).toEqual({ run: SAMPLE, failed: 0, shown: [] });
  });

  it("a call in text that only mentions one is never found, and no byte of the text changes", () => {
    expect(sample(mentionCases(leaks, SEED))).toEqual({ run: SAMPLE, failed: 0, shown: [] });
  });

  it("at least 98 % of the intended calls are repaired", () => {
    const { run, failed } = sample(repairCases(leaks, SEED));
    expect(run).toBe(SAMPLE);
    expect((run - failed) / run).toBeGreaterThanOrEqual(MIN_REPAIRED_SHARE);
  });
});
