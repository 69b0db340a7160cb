import { monitorEventLoopDelay } from "node:perf_hooks";

/** Handlers that measure the event-loop delay of this process since it was last watched. */
export function loopDelayHandlers(): {
  readonly watch: () => boolean;
  readonly unwatch: () => boolean;
  readonly delays: () => LoopDelays;
} {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  return {
    watch() {
      histogram.reset();
      return histogram.enable();
    },
    unwatch: () => histogram.disable(),
    delays: () => ({
      p50: histogram.percentile(50) / 1e6,
      p99: histogram.percentile(99) / 1e6,
      max: histogram.max / 1e6,
    }),
  };
}

/** In milliseconds. */
export interface LoopDelays {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}
