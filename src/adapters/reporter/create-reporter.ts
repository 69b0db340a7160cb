import type { AgentHooks, ToolOutcome } from "../../agent/index.ts";
import { isValidId } from "../../core/model/call-key.ts";
import { LineSender } from "./line-sender.ts";
import { OccurrenceCounter, outcomeLine } from "./outcome-line.ts";

export interface ReportOptions {
  /** Base URL of the Toolmend server, such as `http://127.0.0.1:4100`. */
  readonly url: string;
  /** Session the calls belong to. */
  readonly session: string;
  /** Agent within the session; the root agent by default. */
  readonly agent?: string;
  readonly project?: string;
  readonly model?: string;
  readonly provider?: string;
  /** Required if Toolmend does not run on this machine. */
  readonly token?: string;
  /** Called with the number of outcomes that could not be recorded, and the reason. */
  readonly onDropped?: (count: number, reason: string) => void;
  readonly fetch?: typeof globalThis.fetch;
}

/** Hooks for a registry or a loop that record every outcome. */
export interface Reporter extends AgentHooks {
  onOutcome(outcome: ToolOutcome): void;
  /**
   * Set these on requests through the proxy, so that its observations and those of the library are merged into one
   * record.
   */
  readonly headers: { readonly [name: string]: string };
  /** Sends all queued outcomes. Resolves when they are sent or dropped; never rejects. */
  flush(): Promise<void>;
}

/**
 * Records the outcomes of a registry or a loop in Toolmend. It sends batches in the background and never throws.
 * Outcomes that cannot be sent are dropped after a few retries and reported to `onDropped`.
 *
 * @example
 * const reporter = createReporter({ url: "http://127.0.0.1:4100", session: conversationId });
 * const registry = createToolRegistry(tools, { hooks: reporter });
 * const client = new OpenAI({ baseURL: "http://127.0.0.1:4100/v1", defaultHeaders: reporter.headers });
 */
export function createReporter(options: ReportOptions): Reporter {
  const { session, agent, project, token, onDropped } = options;
  for (const [what, id] of Object.entries({ session, agent, project }))
    if (id !== undefined && !isValidId(id))
      throw new TypeError(
        `createReporter: '${what}' must be 1 to 255 letters, digits or . _ : @ / + = -, not ${JSON.stringify(id)}.`,
      );
  const sender = new LineSender({
    url: new URL("/api/ingest", options.url).href,
    headers: { "content-type": "application/x-ndjson", ...(token !== undefined && { "x-toolmend-token": token }) },
    fetch: (input, init) => (options.fetch ?? globalThis.fetch)(input, init),
    onDropped: (count, reason) => {
      try {
        onDropped?.(count, reason);
      } catch {
        // A failing listener must not affect the loop.
      }
    },
  });
  const occurrences = new OccurrenceCounter();
  let reported = 0;
  return {
    headers: {
      "x-toolmend-session": session,
      ...(agent !== undefined && { "x-toolmend-agent": agent }),
      ...(project !== undefined && { "x-toolmend-project": project }),
    },
    onOutcome(outcome) {
      // A replayed outcome comes from the ledger: it was recorded when the tool ran.
      if (outcome.replayed || outcome.call.id === "") return;
      const occurrence = occurrences.next(outcome.call.id);
      const line = outcomeLine(outcome, { ...options, occurrence, order: reported++, now: Date.now() });
      if (line !== undefined) sender.push(line);
    },
    flush: () => sender.flush(),
  };
}
