import type { Clock } from "../clock.ts";

export type RunEnd<T> =
  | { readonly kind: "value"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timeout" }
  | { readonly kind: "aborted" };

export interface RunLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/**
 * Runs a function once. Its end, the time limit or the abort decides, whichever comes first. A function that ignores
 * its signal is not awaited, and its later result is ignored. Never rejects.
 */
export async function runOnce<T>(
  start: (signal: AbortSignal) => T | Promise<T>,
  limits: RunLimits,
): Promise<RunEnd<T>> {
  const { signal, clock, timeoutMs } = limits;
  if (signal.aborted) return { kind: "aborted" };
  const runController = new AbortController();
  const timer = new AbortController();
  let stop: (end: RunEnd<T>) => void = () => undefined;
  const stopped = new Promise<RunEnd<T>>((resolve) => {
    stop = resolve;
  });
  const onAbort = (): void => {
    // Settle before aborting: the rejection caused by the signal must not be taken for the tool's own.
    stop({ kind: "aborted" });
    runController.abort(signal.reason);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  clock.sleep(timeoutMs, timer.signal).then(() => {
    if (timer.signal.aborted) return;
    stop({ kind: "timeout" });
    runController.abort(new DOMException(`No result within ${timeoutMs} ms.`, "TimeoutError"));
  });
  const running = (async (): Promise<RunEnd<T>> => {
    try {
      return { kind: "value", value: await start(runController.signal) };
    } catch (error) {
      return { kind: "threw", error };
    }
  })();
  const end = await Promise.race([stopped, running]);
  signal.removeEventListener("abort", onAbort);
  timer.abort();
  return end;
}
