import type { LoopEvent } from "../loop/events.ts";
import type { EventWriter } from "./to-sse.ts";

type Chunk = { readonly type: string; readonly [key: string]: unknown };

/** Encodes a run as a UI message stream of the Vercel AI SDK. */
export class AiSdkUiWriter implements EventWriter {
  #round = 0;
  #texts = 0;
  #openText: string | undefined;
  readonly #ids = new Map<string, string>();
  readonly #used = new Set<string>();

  write(event: LoopEvent): string {
    return (
      [...this.#chunks(event)].map((chunk) => frame(JSON.stringify(chunk))).join("") +
      (event.kind === "done" ? END : "")
    );
  }

  writeFailure(): string {
    return frame(JSON.stringify({ type: "error", errorText: "Tool execution failed" })) + END;
  }

  *#chunks(event: LoopEvent): Generator<Chunk> {
    if (event.kind === "message" || event.kind === "usage" || event.kind === "tool_progress") return;
    if (this.#round === 0) yield { type: "start" };
    if (event.kind === "done") {
      yield* this.#endStep();
      yield { type: "finish" };
      return;
    }
    if (event.round !== this.#round) {
      yield* this.#endStep();
      this.#round = event.round;
      yield { type: "start-step" };
    }
    if (event.kind === "text") return yield* this.#text(event.text);
    yield* this.#endText();
    if (event.kind === "clarify") yield* this.#text(event.text);
    else if ("error" in event && !("callId" in event)) yield* this.#text(event.error.message);
    else yield* this.#tool(event);
  }

  *#tool(event: LoopEvent): Generator<Chunk> {
    if (event.kind === "tool_calls") {
      for (const { id, name, input } of event.calls) {
        yield {
          type: "tool-input-available",
          toolCallId: this.#id(event.turn, id),
          toolName: name,
          input,
          dynamic: true,
        };
      }
    } else if (event.kind === "tool_result") {
      yield {
        type: "tool-output-available",
        toolCallId: this.#id(event.turn, event.callId),
        output: event.result,
        dynamic: true,
      };
    } else if (event.kind === "tool_failed" && event.preliminary !== true) {
      yield {
        type: "tool-output-error",
        toolCallId: this.#id(event.turn, event.callId),
        errorText: event.error.message,
        dynamic: true,
      };
    }
  }

  *#text(delta: string): Generator<Chunk> {
    if (this.#openText === undefined) {
      this.#texts += 1;
      this.#openText = `text-${this.#texts}`;
      yield { type: "text-start", id: this.#openText };
    }
    yield { type: "text-delta", id: this.#openText, delta };
  }

  *#endText(): Generator<Chunk> {
    if (this.#openText === undefined) return;
    yield { type: "text-end", id: this.#openText };
    this.#openText = undefined;
  }

  *#endStep(): Generator<Chunk> {
    yield* this.#endText();
    if (this.#round > 0) yield { type: "finish-step" };
  }

  /** Ids unique within the message: an id reused in a later round gets a suffix. */
  #id(turn: string, id: string): string {
    const key = `${turn} ${id}`;
    let unique = this.#ids.get(key);
    if (unique === undefined) {
      unique = id;
      for (let times = 1; this.#used.has(unique); times += 1) unique = `${id}_dup${times}`;
      this.#ids.set(key, unique);
      this.#used.add(unique);
    }
    return unique;
  }
}

const END = "data: [DONE]\n\n";

/** One server-sent event. Data is always JSON, which contains no line breaks. */
export function frame(data: string, event?: string, id?: number): string {
  return `${id === undefined ? "" : `id: ${id}\n`}${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}

/** A comment that keeps proxies from closing an idle connection. */
export const HEARTBEAT = ": still here\n\n";
