import { isValidId, ROOT_AGENT } from "../../core/model/call-key.ts";
import { isArray, isOneOf } from "../../core/model/narrow.ts";
import {
  type CallObservation,
  type ObservationBase,
  type OutcomeFacts,
  type ResultFacts,
  SOURCES,
} from "../../core/model/observation.ts";
import { CATEGORIES } from "../../core/model/outcome.ts";
import { hasTokens, readTokenUsage } from "../../core/model/token-usage.ts";
import { count, type Fields, omitUndefined, text } from "../../core/wire/json.ts";
import {
  type RawTranscriptObservation,
  type ReaderMemory,
  type ReadingContext,
  type TranscriptReader,
  usageObservation,
} from "./transcript-reader.ts";

/**
 * Reads `events/*.jsonl`. Events lack hashes and excerpts, so their observations rank below all others of a call:
 * importing events into the store that wrote them changes nothing.
 */
export class ToolmendEventsReader implements TranscriptReader {
  readonly #context: ReadingContext;
  readonly isSettled = true;
  readonly startedTurn = false;

  constructor(context: ReadingContext) {
    this.#context = context;
  }

  isRelevant(line: Buffer): boolean {
    return line.includes("tool_call_re") || line.includes("response_recorded");
  }

  open(): readonly RawTranscriptObservation[] {
    return [];
  }

  memory(): ReaderMemory {
    return {};
  }

  push(event: Fields): readonly RawTranscriptObservation[] {
    if (event.type === "response_recorded") return this.#usage(event);
    const recorded = event.type === "tool_call_recorded";
    if (!recorded && event.type !== "tool_call_requested") return [];
    const base = this.#base(event);
    const id = text(event.tool_call_id);
    if (base === undefined || id === undefined || id === "") return [];
    const occurrence = count(event.occurrence);
    const name = text(event.tool_name);
    const observation: CallObservation = omitUndefined({
      ...base,
      kind: "call" as const,
      tool_call_id: id,
      place: {
        kind: "known",
        place: `/${occurrence !== undefined && occurrence >= 0 ? Math.trunc(occurrence) : 0}`,
      } as const,
      name: name === "unknown" ? undefined : name,
      origin: event.origin === "native" || event.origin === "recovered" ? event.origin : undefined,
      result: recorded ? resultOf(event) : undefined,
      execution_time_ms: count(event.execution_time_ms),
      turnaround_ms: count(event.turnaround_ms),
    });
    return [{ kind: "observation", observation }];
  }

  #usage(event: Fields): readonly RawTranscriptObservation[] {
    const base = this.#base(event);
    const { cache_read_tokens: cached_tokens, cache_creation_tokens: cache_write_tokens } = event;
    const usage = readTokenUsage({ ...event, cached_tokens, cache_write_tokens });
    // Earlier versions wrote no id, and did not count cached input as input.
    if (base === undefined || !("response_id" in event) || !hasTokens(usage)) return [];
    const identity = { response_id: text(event.response_id), turn: text(event.turn), model: text(event.model_used) };
    return [usageObservation(base, omitUndefined({ usage, ...identity }))];
  }

  #base(event: Fields): ObservationBase | undefined {
    const [project, session] = [text(event.project), text(event.session_id)];
    if (project === undefined || session === undefined || !isValidId(project) || !isValidId(session)) return undefined;
    const agent = text(event.agent_id);
    const at = Date.parse(text(event.timestamp) ?? "");
    const [source] = isArray(event.sources) ? event.sources : [];
    return omitUndefined({
      v: 1 as const,
      project,
      session_id: session,
      agent_id: agent !== undefined && isValidId(agent) ? agent : ROOT_AGENT,
      source: isOneOf(SOURCES, source) ? source : "proxy",
      occurred_at: at >= 0 ? at : this.#context.fallbackTime,
      seen_at: this.#context.seenAt,
      live: false,
      request_id: text(event.request_id),
      model: text(event.model_name),
      provider: text(event.provider),
      client: text(event.client),
    });
  }
}

/** Rebuilds the outcome from an event. Provisional, so that a real result replaces it. */
function resultOf(event: Fields): ResultFacts | undefined {
  const { status, phase, soft } = event;
  if (status !== "ok" && status !== "failed" && status !== "unknown") return undefined;
  const category = isOneOf(CATEGORIES, event.category) ? event.category : undefined;
  const outcome: OutcomeFacts = omitUndefined({
    status,
    flag: "absent" as const,
    reported: status,
    soft: soft === true,
    confidence: 1,
    rule: "event",
    phase: phase === "call" || phase === "gate" || phase === "run" ? phase : undefined,
    category,
    severity: count(event.severity),
    exit_code: count(event.exit_code),
    status_message: text(event.status_message)?.slice(0, 300),
  });
  return { hash: "", size_bytes: count(event.output_size_bytes) ?? 0, outcome, provisional: true };
}
