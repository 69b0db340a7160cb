import type { FailureKind, ToolFailure, ToolOutcome } from "../../agent/index.ts";
import { argumentsObject } from "../../agent/loop/events.ts";
import { resultText } from "../../agent/outcome/result-text.ts";
import type { Category, Phase } from "../../core/model/outcome.ts";
import { parseJson } from "../../core/wire/json.ts";

/** Whose outcome it is, and when. */
export interface OutcomePlace {
  readonly session: string;
  readonly agent?: string;
  readonly project?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly occurrence: number;
  /** How many outcomes came before it. */
  readonly order: number;
  readonly now: number;
}

/** Larger arguments are left out: the outcome matters more. */
const MAX_ARGUMENT_CHARS = 256 << 10;

/** An outcome as `POST /api/ingest` takes it; undefined for one that cannot be written. */
export function outcomeLine(outcome: ToolOutcome, place: OutcomePlace): string | undefined {
  const { call, durationMs, input } = outcome;
  const given = argumentsOf(input);
  try {
    return JSON.stringify({
      source: "library",
      session_id: place.session,
      agent_id: place.agent,
      project: place.project,
      model: place.model,
      provider: place.provider,
      tool_call_id: call.id,
      tool_name: call.name,
      occurrence: place.occurrence,
      occurred_at: place.now,
      order: place.order,
      // Only a tool that ran has a time.
      ...(outcome.attempts > 0 && { execution_time_ms: durationMs }),
      ...(given !== undefined && { arguments: given }),
      content: outcome.ok ? outcome.modelText : outcome.failure.modelMessage,
      is_error: !outcome.ok,
      ...(!outcome.ok && statedOf(outcome.failure)),
    });
  } catch {
    return undefined;
  }
}

/** What a kind of failure is called where calls are recorded. A failure of the tool itself is judged there, by its words. */
const STATED: { readonly [Kind in FailureKind]: { readonly category?: Category; readonly phase?: Phase } } = {
  unknown_tool: { category: "unknown_tool", phase: "call" },
  malformed_arguments: { category: "invalid_arguments", phase: "call" },
  missing_parameter: { category: "invalid_arguments", phase: "call" },
  invalid_arguments: { category: "invalid_arguments", phase: "call" },
  execution: {},
  timeout: { category: "timeout", phase: "run" },
  aborted: { category: "cancelled" },
  denied: { category: "permission_denied", phase: "gate" },
  // The policy of the loop did not let it run.
  circuit_open: { category: "precondition", phase: "gate" },
  repeated: { category: "precondition", phase: "gate" },
  limit: { category: "precondition", phase: "gate" },
};

function statedOf({ kind, executed }: ToolFailure): (typeof STATED)[FailureKind] {
  return kind === "aborted" ? { ...STATED.aborted, phase: executed ? "run" : "gate" } : STATED[kind];
}

/** The arguments as they stand in the history, as far as JSON can carry them. */
function argumentsOf(input: unknown): unknown {
  const text = resultText(argumentsObject(input));
  if (text.length > MAX_ARGUMENT_CHARS) return undefined;
  return parseJson(text);
}

/** So many ids are remembered. */
const MAX_CACHED_IDS = 10_000;

/** How often an id was seen before: some servers begin at `call_0` with every answer. */
export class OccurrenceCounter {
  readonly #seen = new Map<string, number>();

  next(id: string): number {
    const before = this.#seen.get(id) ?? 0;
    this.#seen.delete(id);
    this.#seen.set(id, before + 1);
    if (this.#seen.size > MAX_CACHED_IDS) this.#seen.delete(this.#seen.keys().next().value as string);
    return before;
  }
}
