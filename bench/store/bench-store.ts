/**
 * The cost of recording against plain inserts of the same rows, whether a long session costs more per call, and whether
 * queries stay fast. In CPU time of this process, so that other activity on the machine matters little. `npm run bench
 * -- store`; `--quick` queries 100,000 calls instead of a million.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Benchmark } from "../frame/benchmark.ts";
import { type Row, row } from "../frame/row.ts";
import { median } from "../frame/statistics.ts";
import { growth } from "./growth.ts";
import { cpuMs, ingest, longSession, rawWrites, sessionsInTurn } from "./ingest.ts";

const CALLS = 20_000;
/**
 * A server runs for days, and the engine compiles during the first thousands of calls, which is not part of a call's
 * cost.
 */
const WARM_CALLS = 5000;

/** Rounds take turns, so that other activity on the machine hits both. */
const LOOP_ROUNDS = 5;

async function loopRow(folder: string, seed: number): Promise<Row> {
  const ratios: number[] = [];
  let perCall = 0;
  for (let round = 0; round < LOOP_ROUNDS; round += 1) {
    const options = { as: "live", calls: CALLS / 2, callsPerSession: 50, days: 30, seed } as const;
    const without = await ingest(join(folder, `plain-${round}`), { ...options, withoutLoops: true });
    const found = await ingest(join(folder, `loops-${round}`), options);
    ratios.push(found.ms / without.ms);
    perCall = found.ms / options.calls;
  }
  return row({
    name: "ingest with loops, request, answer, call and result",
    against: "the same without what loops are found by",
    value: perCall,
    unit: "ms",
    ratio: median(ratios),
    reach: { atMost: 1.03 },
  });
}

export const benchStore: Benchmark = async ({ quick, seed, progress }) => {
  const folder = mkdtempSync(join(tmpdir(), "toolmend-bench-store-"));
  try {
    const rows: Row[] = [];
    for (const as of ["import", "live"] as const) {
      const warm = { as, calls: WARM_CALLS, callsPerSession: 50, days: 30, seed: seed + 1 };
      rawWrites((await ingest(join(folder, `${as}-warm`), warm)).database, join(folder, `${as}-warm-raw.db`));
      progress(`recording ${CALLS} calls (${as})`);
      const path = await ingest(join(folder, as), { as, calls: CALLS, callsPerSession: 50, days: 30, seed });
      const raw = rawWrites(path.database, join(folder, `${as}-raw.db`));
      rows.push(
        row({
          name: `ingest, ${as === "import" ? "one observation per call" : "request, answer, call and result"}`,
          against: `${raw.rows} raw upserts of the same rows`,
          value: (CALLS / path.ms) * 1000,
          unit: "calls/s",
          ratio: raw.ms / path.ms,
          reach: { atLeast: 0.4 },
          void: path.calls === CALLS ? undefined : `the store holds ${path.calls} calls, not ${CALLS}`,
        }),
      );
    }
    progress("recording with and without loops");
    rows.push(await loopRow(folder, seed));
    progress("one session of 20,000 calls");
    const { first, last } = await longSession(join(folder, "long"), CALLS, seed);
    rows.push(
      row({
        name: "one more call in a session of 20,000",
        against: "one in its first 2,000",
        value: last,
        unit: "ms",
        ratio: last / first,
        reach: { atMost: 1.5 },
      }),
    );
    progress("200 interleaved sessions");
    const inTurn = await sessionsInTurn(join(folder, "in-turn"), seed);
    rows.push(
      row({
        name: "a call where 200 sessions take turns, each with 75 to 90 behind it",
        against: "each with 15 to 30",
        value: inTurn.last,
        unit: "ms",
        ratio: inTurn.last / inTurn.first,
        reach: { atMost: 1.5 },
      }),
    );
    const large = quick ? 100_000 : 1_000_000;
    progress(`queries at 10,000 and at ${large} calls`);
    for (const { name, small, big } of await growth(folder, 10_000, large, seed, progress)) {
      rows.push(
        row({
          name: `question: ${name}`,
          against: "the same at 10,000 calls",
          value: big,
          unit: "ms",
          ratio: big / small,
          reach: { atMost: 5 },
        }),
      );
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    progress(`${Math.round(cpuMs() / 1000)} s of CPU`);
  }
};
