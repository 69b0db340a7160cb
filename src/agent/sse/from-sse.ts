import { createParser } from "eventsource-parser";
import { ignoreErrors } from "../ignore-errors.ts";
import type { LoopEvent } from "../loop/events.ts";

export interface ReadSSEOptions {
  /** Called with the id of every event, to be sent as `Last-Event-ID` after a lost connection. */
  readonly onId?: (id: number) => void;
}

const KINDS: ReadonlySet<unknown> = new Set([
  "text",
  "tool_arguments",
  "tool_calls",
  "tool_progress",
  "tool_pending",
  "usage",
  "tool_retry",
  "tool_result",
  "tool_failed",
  "leak_recovered",
  "leak_rejected",
  "second_chance",
  "tool_execution_error",
  "tool_validation_error",
  "tool_loop_limit",
  "model_error",
  "clarify",
  "done",
]);

/**
 * Parses the output of `toSSE`. Ends at `done` and ignores what follows; skips unknown events.
 *
 * @example
 * for await (const event of fromSSE(response.body)) view.apply(event);
 */
export async function* fromSSE(
  body: ReadableStream<Uint8Array>,
  options: ReadSSEOptions = {},
): AsyncGenerator<LoopEvent, void, void> {
  const events: LoopEvent[] = [];
  const parser = createParser({
    onEvent: ({ data, event, id }) => {
      const read = event === "error" ? BROKEN : readEvent(data);
      if (read === undefined) return;
      events.push(read);
      if (id !== undefined && /^\d{1,15}$/.test(id)) ignoreErrors(() => options.onId?.(Number(id)));
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      parser.feed(done ? decoder.decode() : decoder.decode(value, { stream: true }));
      for (const event of events.splice(0)) {
        yield event;
        if (event.kind === "done") return;
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const BROKEN: LoopEvent = {
  kind: "done",
  reason: "internal-error",
  rounds: 0,
  modelCalls: 0,
  calls: 0,
  failedCalls: 0,
};

function readEvent(data: string): LoopEvent | undefined {
  try {
    const event = JSON.parse(data) as LoopEvent;
    return typeof event === "object" && event !== null && KINDS.has(event.kind) ? event : undefined;
  } catch {
    return undefined;
  }
}
