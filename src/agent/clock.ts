/** Time and randomness, injectable for tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0 and less than 1. */
  random(): number;
}

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = (): void => {
        globalThis.clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const timer = globalThis.setTimeout(wake, ms);
      signal?.addEventListener("abort", wake, { once: true });
    }),
  random: () => Math.random(),
};
