import type { Clock } from "../clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that advances only on request. */
export interface TestClock extends Clock {
  /** Advances the time and wakes sleepers, in order. */
  advance(ms: number): Promise<void>;
  /** Awaits a result. Whenever nothing else can run, the time jumps to the next sleeper. */
  run<T>(work: PromiseLike<T>): Promise<T>;
  /** Number of current sleepers. */
  readonly sleeping: number;
}

/** Runs everything that can run without time passing. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => globalThis.setTimeout(resolve, 0));
}

/**
 * @example
 * const clock = createTestClock();
 * const registry = createToolRegistry([slow], { clock });
 * const outcome = await clock.run(registry.call(call)); // skips to the time limit
 */
export function createTestClock(start = 0, random: () => number = () => 0.5): TestClock {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const wakeUntil = (time: number): void => {
    const due = [...sleepers].filter(({ at }) => at <= time).sort((a, b) => a.at - b.at);
    for (const sleeper of due) {
      now = Math.max(now, sleeper.at);
      sleepers.delete(sleeper);
      sleeper.wake();
    }
  };
  return {
    now: () => now,
    random,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const sleeper: Sleeper = { at: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener(
          "abort",
          () => {
            sleepers.delete(sleeper);
            resolve();
          },
          { once: true },
        );
      }),
    get sleeping() {
      return sleepers.size;
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      wakeUntil(end);
      now = end;
      await settle();
    },
    async run(work) {
      let isOver = false;
      const done = (): void => {
        isOver = true;
      };
      work.then(done, done);
      for (await settle(); !isOver; await settle()) {
        const next = Math.min(...[...sleepers].map(({ at }) => at));
        if (Number.isFinite(next)) wakeUntil(next);
      }
      return work;
    },
  };
}
