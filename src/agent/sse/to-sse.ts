import { type Checks, callback, checkOptions, clock, milliseconds, oneOf } from "../check-options.ts";
import { type Clock, systemClock } from "../clock.ts";
import { ignoreErrors } from "../ignore-errors.ts";
import type { LoopEvent } from "../loop/events.ts";
import { AiSdkUiWriter, frame, HEARTBEAT } from "./ai-sdk-ui.ts";

export interface SSEOptions {
  /** `toolmend`, or the format that `useChat` of the Vercel AI SDK reads. */
  readonly format?: "toolmend" | "ai-sdk-ui";
  /** Idle time after which a comment is sent; default 15 s. */
  readonly heartbeatMs?: number;
  /** `Last-Event-ID`: earlier events were received and are not sent again. NaN, as from a wrong header, counts as 0. */
  readonly after?: number;
  /**
   * Called as soon as the reader leaves. Needed only if `events` is not the run itself but a generator around it:
   * such a generator delays the end until its next event, so abort the run's signal here.
   */
  readonly onCancel?: () => void;
  readonly clock?: Clock;
  /** Receives the error of a failed run. The client learns only that it failed. */
  readonly onError?: (error: unknown) => void;
}

/** Headers for both formats. */
export const SSE_HEADERS: { readonly [name: string]: string } = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-vercel-ai-ui-message-stream": "v1",
};

/** Encodes events in one format. */
export interface EventWriter {
  write(event: LoopEvent, id: number): string;
  /** Written if the run fails. */
  writeFailure(): string;
}

const toolmendWriter: EventWriter = {
  // Messages are for storage: they contain what the model reads.
  write: (event, id) => (event.kind === "message" ? "" : frame(JSON.stringify(event), event.kind, id)),
  writeFailure: () => frame('{"error":"Tool execution failed"}', "error"),
};

const CHECKS: Checks<keyof SSEOptions> = {
  format: oneOf("toolmend", "ai-sdk-ui"),
  heartbeatMs: milliseconds,
  after: { expected: "a number", isValid: (value) => typeof value === "number" },
  onCancel: callback,
  clock,
  onError: callback,
};

/**
 * Streams a run to a page. Closing the stream aborts the run immediately, unless a run log or your own generator is
 * in between. The stream always ends with a final event.
 *
 * @example
 * return new Response(toSSE(runToolLoop({ registry, model, messages })), { headers: SSE_HEADERS });
 */
export function toSSE(events: AsyncIterable<LoopEvent>, options: SSEOptions = {}): ReadableStream<Uint8Array> {
  checkOptions("toSSE", options, CHECKS);
  const { heartbeatMs = 15_000, clock = systemClock } = options;
  const after = options.after || 0;
  const writer = options.format === "ai-sdk-ui" ? new AiSdkUiWriter() : toolmendWriter;
  const encoder = new TextEncoder();
  const iterator = events[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<LoopEvent, unknown>> | undefined;
  let id = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const send = (text: string): boolean => {
        if (text !== "") controller.enqueue(encoder.encode(text));
        return text !== "";
      };
      try {
        for (;;) {
          next ??= iterator.next();
          const result = await withHeartbeat(next, heartbeatMs, clock);
          if (result === undefined) return void send(HEARTBEAT);
          next = undefined;
          if (result.done === true) return controller.close();
          id += 1;
          // Events received before are encoded but not sent, because encoders have state.
          const text = writer.write(result.value, id);
          if (id > after && send(text)) return;
        }
      } catch (error) {
        send(writer.writeFailure());
        controller.close();
        ignoreErrors(() => options.onError?.(error));
      }
    },
    async cancel() {
      ignoreErrors(() => options.onCancel?.());
      await iterator.return?.();
    },
  });
}

async function withHeartbeat<T>(next: Promise<T>, ms: number, clock: Clock): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return await Promise.race([next, clock.sleep(ms, over.signal).then(() => undefined)]);
  } finally {
    over.abort();
  }
}
