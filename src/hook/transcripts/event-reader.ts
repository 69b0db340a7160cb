import { isValidId, ROOT_AGENT } from "../../core/model/call-key.ts";
import type { ObservationBase, UsageObservation } from "../../core/model/observation.ts";
import { hasTokens } from "../../core/model/token-usage.ts";
import { humanText } from "../../core/wire/human-prompt.ts";
import { type Fields, isObject, omitUndefined, text } from "../../core/wire/json.ts";
import { type AgentTurns, addToTurn, countResult, haveAllResults, type Turn } from "./agent-turns.ts";
import { callWithResult, countCall, type IdCounts, OpenCalls, orphanResult, turnId } from "./open-calls.ts";
import { type PromptState, promptFields, promptObservation, startPrompt } from "./prompt-state.ts";
import type { TimedEvent, TranscriptFormat } from "./transcript-event.ts";
import {
  type RawTranscriptObservation,
  type ReaderMemory,
  type ReadingContext,
  rawCall,
  rawObservation,
  type TranscriptReader,
} from "./transcript-reader.ts";

interface Memory extends PromptState {
  readonly session?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly provider?: string;
  readonly turns: AgentTurns;
  readonly counts: IdCounts;
  readonly lastAt?: number;
  /** Tokens of responses before the first call; see {@link EventReader.open}. */
  readonly early?: readonly UsageObservation[];
}

const INITIAL_MEMORY: Memory = { turns: {}, counts: {}, prompts: 0 };
const MAX_EARLY_USAGES = 4;

/** Reads the transcripts of clients whose lines a {@link TranscriptFormat} turns into events. */
export class EventReader implements TranscriptReader {
  readonly #format: TranscriptFormat;
  readonly #context: ReadingContext;
  readonly #open = new OpenCalls();
  #memory: Memory;
  startedTurn = false;

  constructor(format: TranscriptFormat, context: ReadingContext, memory?: ReaderMemory) {
    this.#format = format;
    this.#context = context;
    // Written by an earlier run of this reader.
    const { turns, counts, ...rest } = (memory ?? {}) as Partial<Memory>;
    this.#memory = isObject(turns) && isObject(counts) ? { ...INITIAL_MEMORY, ...rest, turns, counts } : INITIAL_MEMORY;
  }

  isRelevant(line: Buffer): boolean {
    return this.#format.markers.some((marker) => line.includes(marker));
  }

  get isSettled(): boolean {
    return haveAllResults(this.#memory.turns);
  }

  memory(): ReaderMemory {
    return this.#memory;
  }

  push(line: Fields): readonly RawTranscriptObservation[] {
    this.startedTurn = false;
    const at = timeOf(line.timestamp);
    return this.#format.read(line).flatMap((event) => this.add({ at, ...event }));
  }

  /** Reads an event that is not from a line, such as an entry of a document. */
  add(event: TimedEvent): readonly RawTranscriptObservation[] {
    const at = event.at ?? (this.#memory.lastAt === undefined ? this.#context.fallbackTime : this.#memory.lastAt + 1);
    this.#remember({ lastAt: at });
    switch (event.kind) {
      case "session":
        if (isValidId(event.session)) {
          const { agent: _before, ...rest } = this.#memory;
          this.#memory = { ...rest, session: event.session, ...omitUndefined({ agent: valid(event.agent) }) };
        }
        return [];
      case "model":
        this.#remember(omitUndefined({ model: event.model, provider: valid(event.provider) }));
        return [];
      case "duration":
        this.#setDuration(event);
        return [];
      default:
        return this.#observe(event, at);
    }
  }

  /**
   * Some clients write the tokens of a response before its calls. Those of the first response are emitted again with
   * its turn.
   */
  open(): readonly RawTranscriptObservation[] {
    return [...this.#open.all().map(rawCall), ...(this.#memory.early ?? []).map(rawObservation)];
  }

  #observe(
    event: Exclude<TimedEvent, { readonly kind: "session" | "model" | "duration" }>,
    at: number,
  ): readonly RawTranscriptObservation[] {
    const base = this.#base(at, "agent" in event ? event.agent : undefined);
    if (base === undefined) return [];
    switch (event.kind) {
      case "prompt": {
        const typed = humanText(event.text);
        if (typed === "") return [];
        const prompted = startPrompt(this.#memory, typed, event.id);
        this.#memory = prompted;
        return [promptObservation(base, prompted, typed)];
      }
      case "call":
        return this.#call(event, base);
      case "result":
        return [this.#result(event, base)];
      case "usage": {
        if (!hasTokens(event.usage)) return [];
        const turn = this.#memory.turns[base.agent_id]?.first;
        const { model } = this.#memory;
        const reported = omitUndefined({ usage: event.usage, response_id: event.response, turn, model });
        const observation: UsageObservation = { ...base, ...reported, kind: "usage" };
        const { early = [] } = this.#memory;
        if (turn !== undefined || early.length === MAX_EARLY_USAGES) return [rawObservation(observation)];
        this.#remember({ early: [...early, observation] });
        return [];
      }
    }
  }

  #call(
    event: Extract<TimedEvent, { readonly kind: "call" }>,
    base: ObservationBase,
  ): readonly RawTranscriptObservation[] {
    const { id, name, message } = event;
    if (id === "") return [];
    const key = keyOf(base.agent_id, id);
    // A client that rewrites a message repeats its calls.
    if (this.#open.find(key) !== undefined) return [];
    const { n, counts } = countCall(this.#memory.counts, key, id, message);
    const turn = this.#turnOf(base.agent_id, message, turnId(id, n));
    this.#remember({ counts });
    const evicted = this.#open.add(key, {
      ...base,
      ...promptFields(this.#memory),
      ...omitUndefined({ name, arguments: event.arguments, model: this.#memory.model }),
      tool_call_id: id,
      place: { kind: "exact", n },
      turn: turn.first,
      turn_index: turn.calls - 1,
    });
    return [...this.#takeEarly(base.agent_id, turn.first), ...(evicted === undefined ? [] : [rawCall(evicted)])];
  }

  #takeEarly(agent: string, turn: string): readonly RawTranscriptObservation[] {
    const { early = [], ...rest } = this.#memory;
    const own = early.filter(({ agent_id }) => agent_id === agent);
    if (own.length === 0) return [];
    const others = early.filter((one) => !own.includes(one));
    this.#memory = others.length === 0 ? rest : { ...rest, early: others };
    return own.map((observation) => rawObservation({ ...observation, turn }));
  }

  #turnOf(agent: string, message: string, name: string): Turn {
    const { turns, turn, isNew } = addToTurn(this.#memory.turns, agent, message, name);
    this.startedTurn ||= isNew;
    this.#remember({ turns });
    return turn;
  }

  #result(event: Extract<TimedEvent, { readonly kind: "result" }>, base: ObservationBase): RawTranscriptObservation {
    const { id, result, executionMs } = event;
    const key = keyOf(base.agent_id, id);
    const call = this.#open.take(key);
    this.#remember({ turns: countResult(this.#memory.turns, base.agent_id, call?.turn) });
    if (call !== undefined) return rawCall(callWithResult(call, base.occurred_at, base.live, result, executionMs));
    const n = this.#memory.counts[key]?.n ?? 0;
    return rawCall(orphanResult({ ...base, ...promptFields(this.#memory) }, id, n, result, executionMs));
  }

  #setDuration({ id, ms, agent }: Extract<TimedEvent, { readonly kind: "duration" }>): void {
    const key = keyOf(this.#agentOf(agent), id);
    const call = this.#open.find(key);
    if (call !== undefined) this.#open.add(key, { ...call, execution_time_ms: ms });
  }

  #agentOf(agent: string | undefined): string {
    return valid(agent) ?? this.#memory.agent ?? ROOT_AGENT;
  }

  #base(at: number, agent: string | undefined): ObservationBase | undefined {
    const { session, provider } = this.#memory;
    if (session === undefined) return undefined;
    const from = provider ?? this.#format.provider;
    return {
      v: 1,
      project: this.#context.project,
      session_id: session,
      agent_id: this.#agentOf(agent),
      source: "transcript",
      occurred_at: at,
      seen_at: this.#context.seenAt,
      live: this.#context.isLive(at),
      client: this.#format.client,
      ...omitUndefined({ provider: from }),
    };
  }

  #remember(changes: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...changes };
  }
}

function keyOf(agent: string, id: string): string {
  return `${agent}\u0000${id}`;
}

function valid(id: string | undefined): string | undefined {
  return id !== undefined && isValidId(id) ? id : undefined;
}

/** A time in ms, or in the form of ISO 8601. */
export function timeOf(value: unknown): number | undefined {
  const at = typeof value === "number" ? value : Date.parse(text(value) ?? "");
  return at >= 0 && Number.isSafeInteger(at) ? at : undefined;
}
