import { ignoreErrors } from "../../agent/ignore-errors.ts";
import type { AgentHooks, FailureKind, ToolFailure, ToolOutcome } from "../../agent/index.ts";
import { argumentsObject } from "../../agent/loop/events.ts";
import { resultText } from "../../agent/outcome/result-text.ts";
import { isValidId } from "../../core/model/call-key.ts";
import { present } from "../../core/model/narrow.ts";
import type { Category, Phase } from "../../core/model/outcome.ts";
import { parseJson } from "../../core/wire/json.ts";
import { LineSender } from "./line-sender.ts";

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
    onDropped: (count, reason) => ignoreErrors(() => onDropped?.(count, reason)),
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

/** The session, agent, model and position of an outcome. */
export interface OutcomeContext {
  readonly session: string;
  readonly agent?: string;
  readonly project?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly occurrence: number;
  /** Number of outcomes before this one. */
  readonly order: number;
  readonly now: number;
}

/** Larger arguments are omitted, so that the outcome itself is still recorded. */
const MAX_ARGUMENT_CHARS = 256 << 10;

/** Serializes an outcome for `POST /api/ingest`; undefined if it cannot be serialized. */
export function outcomeLine(outcome: ToolOutcome, context: OutcomeContext): string | undefined {
  const { call, durationMs, input } = outcome;
  const args = argumentsOf(input);
  try {
    return JSON.stringify({
      source: "library",
      session_id: context.session,
      agent_id: context.agent,
      project: context.project,
      model: context.model,
      provider: context.provider,
      tool_call_id: call.id,
      tool_name: call.name,
      occurrence: context.occurrence,
      occurred_at: context.now,
      order: context.order,
      // Only a tool that ran has a duration.
      ...(outcome.attempts > 0 && { execution_time_ms: durationMs }),
      ...(args !== undefined && { arguments: args }),
      content: outcome.ok ? outcome.modelText : outcome.failure.modelMessage,
      is_error: !outcome.ok,
      ...(!outcome.ok && classificationOf(outcome.failure)),
    });
  } catch {
    return undefined;
  }
}

/** Category and phase for each kind of failure. The server classifies failures of the tool itself by their text. */
const CLASSIFICATION: { readonly [Kind in FailureKind]: { readonly category?: Category; readonly phase?: Phase } } = {
  unknown_tool: { category: "unknown_tool", phase: "call" },
  malformed_arguments: { category: "invalid_arguments", phase: "call" },
  missing_parameter: { category: "invalid_arguments", phase: "call" },
  invalid_arguments: { category: "invalid_arguments", phase: "call" },
  execution: {},
  timeout: { category: "timeout", phase: "run" },
  aborted: { category: "cancelled" },
  denied: { category: "permission_denied", phase: "gate" },
  // The policy of the loop prevented the run.
  circuit_open: { category: "precondition", phase: "gate" },
  repeated: { category: "precondition", phase: "gate" },
  limit: { category: "precondition", phase: "gate" },
};

function classificationOf({ kind, executed }: ToolFailure): (typeof CLASSIFICATION)[FailureKind] {
  return kind === "aborted" ? { ...CLASSIFICATION.aborted, phase: executed ? "run" : "gate" } : CLASSIFICATION[kind];
}

/** The arguments as in the history, as far as JSON can represent them. */
function argumentsOf(input: unknown): unknown {
  const text = resultText(argumentsObject(input));
  if (text.length > MAX_ARGUMENT_CHARS) return undefined;
  return parseJson(text);
}

/** Maximum number of ids in the counter; the least recently used is evicted. */
const MAX_CACHED_IDS = 10_000;

/** Counts how often an id occurred before: some servers restart at `call_0` with every response. */
export class OccurrenceCounter {
  readonly #counts = new Map<string, number>();

  next(id: string): number {
    const before = this.#counts.get(id) ?? 0;
    this.#counts.delete(id);
    this.#counts.set(id, before + 1);
    if (this.#counts.size > MAX_CACHED_IDS) this.#counts.delete(present(this.#counts.keys().next().value));
    return before;
  }
}
