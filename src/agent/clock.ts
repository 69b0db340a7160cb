/** Time and chance, so that tests decide both. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to, not including, 1. */
  random(): number;
}

/** The clock of the machine. */
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
