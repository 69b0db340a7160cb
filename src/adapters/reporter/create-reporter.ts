import type { AgentHooks, ToolOutcome } from "../../agent/index.ts";
import { isValidId } from "../../core/model/call-key.ts";
import { LineSender } from "./line-sender.ts";
import { OccurrenceCounter, outcomeLine } from "./outcome-line.ts";

export interface ReportOptions {
  /** Where Toolmend listens: `http://127.0.0.1:4100`. */
  readonly url: string;
  /** Which session the calls belong to. */
  readonly session: string;
  /** Which agent of the session; its root by default. */
  readonly agent?: string;
  readonly project?: string;
  readonly model?: string;
  readonly provider?: string;
  /** Beyond the own machine Toolmend asks for one. */
  readonly token?: string;
  /** Told of outcomes that could not be recorded, and why. */
  readonly onDropped?: (count: number, reason: string) => void;
  readonly fetch?: typeof globalThis.fetch;
}

/** Hooks for a registry or a loop that record every outcome. */
export interface Reporter extends AgentHooks {
  onOutcome(outcome: ToolOutcome): void;
  /** Put these on requests that go through the proxy: what it sees and what the library says become one record. */
  readonly headers: { readonly [name: string]: string };
  /** Sends what is waiting; resolves when it is sent, or given up. Never rejects. */
  flush(): Promise<void>;
}

/**
 * Records the outcomes of a registry or a loop in Toolmend. It sends in batches behind the loop, waits for nothing, and throws nothing: what cannot be sent
 * is given up after a while and counted.
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
        // A listener that fails changes nothing.
      }
    },
  });
  const occurrences = new OccurrenceCounter();
  let told = 0;
  return {
    headers: {
      "x-toolmend-session": session,
      ...(agent !== undefined && { "x-toolmend-agent": agent }),
      ...(project !== undefined && { "x-toolmend-project": project }),
    },
    onOutcome(outcome) {
      // From the ledger: it was recorded when it ran.
      if (outcome.replayed || outcome.call.id === "") return;
      const occurrence = occurrences.next(outcome.call.id);
      const line = outcomeLine(outcome, { ...options, occurrence, order: told++, now: Date.now() });
      if (line !== undefined) sender.push(line);
    },
    flush: () => sender.flush(),
  };
}
