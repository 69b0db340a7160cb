import { present } from "../../core/model/narrow.ts";
import type { LoopEvent } from "../loop/events.ts";

/** A run that continues without listeners and can be replayed from the start. */
export interface RunLog {
  /** All events from the first one, and those to come. */
  events(): AsyncIterable<LoopEvent>;
  /** Resolves when the run has ended; never rejects. */
  readonly over: Promise<void>;
}

/**
 * Drives a run once for many listeners. A listener that reconnects gets the events it missed, and no tool runs again.
 *
 * @example
 * const log = createRunLog(runToolLoop(options));
 * new Response(toSSE(log.events(), { after: Number(request.headers.get("last-event-id") ?? 0) }));
 */
export function createRunLog(run: AsyncIterable<LoopEvent>): RunLog {
  const log: LoopEvent[] = [];
  let end: { readonly error?: unknown } | undefined;
  let wake: (() => void)[] = [];
  const wakeListeners = (): void => {
    const waiting = wake;
    wake = [];
    for (const resolve of waiting) resolve();
  };
  const over = (async () => {
    try {
      for await (const event of run) {
        log.push(event);
        wakeListeners();
      }
      end = {};
    } catch (error) {
      end = { error };
    }
    wakeListeners();
  })();
  return {
    over,
    async *events() {
      for (let at = 0; ; at += 1) {
        while (at >= log.length) {
          if (end !== undefined) {
            if (end.error !== undefined) throw end.error;
            return;
          }
          await new Promise<void>((resolve) => wake.push(resolve));
        }
        yield present(log[at]);
      }
    },
  };
}
