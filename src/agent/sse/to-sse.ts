import { type Clock, systemClock } from "../clock.ts";
import type { LoopEvent } from "../loop/events.ts";
import { AiSdkUiWriter } from "./ai-sdk-ui.ts";
import { frame, HEARTBEAT } from "./frame.ts";

export interface SSEOptions {
  /** `toolmend`, or what `useChat` of the Vercel AI SDK reads unchanged. */
  readonly format?: "toolmend" | "ai-sdk-ui";
  /** After so long without an event a comment is sent; 15 s. */
  readonly heartbeatMs?: number;
  /** `Last-Event-ID`: events up to it were received and are not sent again. */
  readonly after?: number;
  readonly clock?: Clock;
  /** Hears what broke, when something did. The client only hears that. */
  readonly onError?: (error: unknown) => void;
}

/** Headers for both formats. */
export const SSE_HEADERS: { readonly [name: string]: string } = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "x-vercel-ai-ui-message-stream": "v1",
};

/** Turns events into the lines of one format. */
export interface EventWriter {
  write(event: LoopEvent, id: number): string;
  /** The events broke off. */
  broken(): string;
}

const toolmendWriter: EventWriter = {
  // A message is for the database: it holds what the model reads.
  write: (event, id) => (event.kind === "message" ? "" : frame(JSON.stringify(event), event.kind, id)),
  broken: () => frame('{"error":"Tool execution failed"}', "error"),
};

/**
 * Sends a run to a page. Who closes the stream stops the run, unless a run log stands in between. Whatever happens, the
 * stream has an end that says so.
 *
 * @example
 * return new Response(toSSE(runToolLoop({ registry, model, messages })), { headers: SSE_HEADERS });
 */
export function toSSE(events: AsyncIterable<LoopEvent>, options: SSEOptions = {}): ReadableStream<Uint8Array> {
  const { heartbeatMs = 15_000, clock = systemClock, after = 0 } = options;
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
          // What was received before is written too, and not sent: formats have a memory.
          const text = writer.write(result.value, id);
          if (id > after && send(text)) return;
        }
      } catch (error) {
        send(writer.broken());
        controller.close();
        options.onError?.(error);
      }
    },
    async cancel() {
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
