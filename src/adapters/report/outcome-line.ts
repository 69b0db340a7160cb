import type { FailureKind, ToolFailure, ToolOutcome } from "../../agent/index.ts";
import { argumentsObject } from "../../agent/loop/shown-arguments.ts";
import { resultText } from "../../agent/outcome/result-text.ts";
import { parseJson } from "../../core/wire/json.ts";

/** Whose outcome it is, and when. */
export interface OutcomePlace {
  readonly session: string;
  readonly agent?: string;
  readonly project?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly occurrence: number;
  readonly now: number;
}

/** Larger arguments are left out: the outcome matters more. */
const MOST_ARGUMENTS = 256 << 10;

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
      // Only a tool that ran has a time.
      ...(outcome.attempts > 0 && { execution_time_ms: durationMs }),
      ...(given !== undefined && { arguments: given }),
      content: outcome.ok ? outcome.modelText : failureText(outcome.failure),
      is_error: !outcome.ok,
    });
  } catch {
    return undefined;
  }
}

/** Words in which every reader of results knows these kinds; the registry's own are written for the model. */
const PLAIN_WORDS: { readonly [Kind in FailureKind]?: string } = {
  timeout: "Error: timed out.",
  aborted: "Error: The operation was aborted.",
};

function failureText({ kind, modelMessage }: ToolFailure): string {
  const words = PLAIN_WORDS[kind];
  return words === undefined ? modelMessage : `${words} ${modelMessage}`;
}

/** The arguments as they stand in the history, as far as JSON can carry them. */
function argumentsOf(input: unknown): unknown {
  const text = resultText(argumentsObject(input));
  if (text.length > MOST_ARGUMENTS) return undefined;
  return parseJson(text);
}

/** So many ids are remembered. */
const MOST_IDS = 10_000;

/** How often an id was seen before: some servers begin at `call_0` with every answer. */
export class OccurrenceCounter {
  readonly #seen = new Map<string, number>();

  next(id: string): number {
    const before = this.#seen.get(id) ?? 0;
    this.#seen.delete(id);
    this.#seen.set(id, before + 1);
    if (this.#seen.size > MOST_IDS) this.#seen.delete(this.#seen.keys().next().value as string);
    return before;
  }
}
