import { ROOT_AGENT } from "../../core/model/call-key.ts";
import type { ObservationBase } from "../../core/model/observation.ts";
import { hasTokens, tokenCount } from "../../core/model/token-usage.ts";
import { humanText } from "../../core/wire/human-prompt.ts";
import { type Fields, isObject, messageText, omitUndefined, parseJson, text } from "../../core/wire/json.ts";
import { callOf, resultOf } from "../../core/wire/responses-items.ts";
import { codexUsage } from "../../core/wire/usage.ts";
import type { RawResult } from "../../ingest/observe/observe-call.ts";
import { type CodexThread, isBareMeta, openThread, passLine } from "./codex-thread.ts";
import { callWithResult, countCall, type IdCounts, OpenCalls, orphanResult, turnId } from "./open-calls.ts";
import { type PromptState, promptFields, promptObservation, startPrompt } from "./prompt-state.ts";
import {
  folderObservation,
  type RawTranscriptObservation,
  type ReaderMemory,
  type ReadingContext,
  rawCall,
  type TranscriptReader,
  usageObservation,
} from "./transcript-reader.ts";

/** Consecutive calls with no result in between form a turn. Rollouts contain no other mark of a turn. */
interface Turn {
  readonly first: string;
  readonly calls: number;
  readonly waiting: number;
  readonly answered: boolean;
}

interface Memory extends PromptState {
  readonly thread?: CodexThread;
  readonly turn?: Turn;
  readonly turns: number;
  readonly counts: IdCounts;
  readonly model?: string;
  readonly lastAt?: number;
  /** All tokens of the thread up to the last observed usage, and the turn of that usage. */
  readonly totalTokens?: number;
  readonly countedTurn?: string;
  /** An earlier line was an event for a prompt: then messages in the history are not separate prompts. */
  readonly hasPromptEvents?: true;
  /** The prompt that was read from a message. Some versions write an event for it, too. */
  readonly messagePrompt?: string;
}

const INITIAL_MEMORY: Memory = { turns: 0, counts: {}, prompts: 0 };

/** Substrings of relevant lines. All others are reasoning, model messages and the client's bookkeeping. */
const RELEVANT_MARKERS = [
  "_call",
  '_end"',
  "session_meta",
  "turn_context",
  "user_message",
  "task_started",
  "token_count",
  '"instructions"',
  '"role":"user"',
];

/** Prefixes of messages that the client wrote in the role of the user. */
const CLIENT_MESSAGE_PREFIXES = [
  "<environment_context>",
  "<user_instructions>",
  "<permissions",
  "<turn_aborted>",
  "# AGENTS.md",
];

/** Reads Codex rollouts: lines in an envelope with a timestamp, and the bare items of 2025. */
export class CodexReader implements TranscriptReader {
  readonly #context: ReadingContext;
  readonly #open = new OpenCalls();
  #memory: Memory;
  startedTurn = false;

  constructor(context: ReadingContext, memory?: ReaderMemory) {
    this.#context = context;
    // Written by an earlier run of this reader.
    const { counts, ...rest } = (memory ?? {}) as Partial<Memory>;
    this.#memory = isObject(counts) ? { ...INITIAL_MEMORY, ...rest, counts } : INITIAL_MEMORY;
  }

  isRelevant(line: Buffer): boolean {
    return RELEVANT_MARKERS.some((mark) => line.includes(mark));
  }

  get isSettled(): boolean {
    return (this.#memory.turn?.waiting ?? 0) === 0;
  }

  memory(): ReaderMemory {
    return this.#memory;
  }

  push(line: Fields): readonly RawTranscriptObservation[] {
    this.startedTurn = false;
    const enveloped = isObject(line.payload);
    const item = isObject(line.payload) ? line.payload : line;
    const at = this.#time(line, enveloped);
    const type = enveloped ? line.type : isBareMeta(line) ? "session_meta" : "response_item";
    const thread = passLine(this.#memory.thread, { type, item, at });
    this.#remember(omitUndefined({ lastAt: at, thread }));
    switch (type) {
      case "session_meta":
        if (thread !== undefined) return [];
        this.#remember(omitUndefined({ thread: openThread(item, at) }));
        return this.#folder(item, at);
      case "turn_context":
        this.#remember(omitUndefined({ model: text(item.model) }));
        this.#enterTurn(item);
        return [];
      case "event_msg":
        return this.#event(item, at);
      case "response_item":
        return this.#item(item, at, enveloped);
      default:
        return [];
    }
  }

  /** A fork starts with the lines of another session, and a subagent may work elsewhere. */
  #folder({ cwd, git }: Fields, at: number): readonly RawTranscriptObservation[] {
    const base = this.#base(at);
    if (base === undefined || base.agent_id !== ROOT_AGENT || this.#memory.thread?.carriedFrom !== undefined) return [];
    return folderObservation(base, text(cwd), isObject(git) ? text(git.branch) : undefined);
  }

  #event(event: Fields, at: number): readonly RawTranscriptObservation[] {
    if (event.type === "task_started") this.#enterTurn(event);
    if (event.type === "user_message") {
      this.#remember({ hasPromptEvents: true });
      const turn = this.#memory.thread?.turn_id;
      if (turn !== undefined && turn === this.#memory.messagePrompt) return [];
      return this.#prompt(text(event.message) ?? "", at);
    }
    if (event.type === "token_count") return this.#usage(event.info, at);
    const id = text(event.call_id) ?? "";
    const ms = durationMs(event.duration);
    const call = this.#open.find(id);
    if (call !== undefined && ms !== undefined) this.#open.add(id, { ...call, execution_time_ms: ms });
    return [];
  }

  /**
   * The usage of the response before this line. The client repeats the line when only its rate limits change; then the
   * total is the same.
   */
  #usage(info: unknown, at: number): readonly RawTranscriptObservation[] {
    const base = this.#base(at);
    if (base === undefined || !isObject(info)) return [];
    const total = isObject(info.total_token_usage) ? tokenCount(info.total_token_usage.total_tokens) : undefined;
    const usage = codexUsage(info.last_token_usage);
    if (!hasTokens(usage) || (total !== undefined && total === this.#memory.totalTokens)) return [];
    const { turn, countedTurn, model } = this.#memory;
    // Without a call since the last response, this response made none.
    const own = turn?.first === countedTurn ? undefined : turn?.first;
    this.#remember(omitUndefined({ totalTokens: total, countedTurn: turn?.first }));
    return [usageObservation(base, omitUndefined({ usage, turn: own, model }))];
  }

  open(): readonly RawTranscriptObservation[] {
    return this.#open.all().map(rawCall);
  }

  #item(item: Fields, at: number, enveloped: boolean): readonly RawTranscriptObservation[] {
    const base = this.#base(at);
    if (base === undefined) return [];
    const call = callOf(item);
    if (call !== undefined) return this.#call(call, base);
    const result = resultOf(item);
    if (result !== undefined) return [this.#result(result, base)];
    return item.type === "message" && item.role === "user" ? this.#message(item, at, enveloped) : [];
  }

  /** Rollouts of 2025, and those since 0.166, have no events for prompts; there the message is the prompt. */
  #message(item: Fields, at: number, enveloped: boolean): readonly RawTranscriptObservation[] {
    const { hasPromptEvents, messagePrompt, thread } = this.#memory;
    if (!enveloped) return this.#prompt(messageText(item.content), at);
    const turn = thread?.turn_id;
    const isCopied = thread?.carriedFrom !== undefined;
    if (hasPromptEvents === true || turn === undefined || turn === messagePrompt || isCopied) return [];
    const prompts = this.#prompt(humanText(messageText(item.content)), at);
    if (prompts.length > 0) this.#remember({ messagePrompt: turn });
    return prompts;
  }

  #call(parsed: ParsedCall, base: ObservationBase): readonly RawTranscriptObservation[] {
    const before = this.#memory.turn;
    const isSameTurn = before !== undefined && !before.answered;
    this.startedTurn = !isSameTurn;
    const turns = isSameTurn ? this.#memory.turns : this.#memory.turns + 1;
    const { n, counts } = countCall(this.#memory.counts, parsed.id, parsed.id, String(turns));
    const turn = isSameTurn
      ? { ...before, calls: before.calls + 1, waiting: before.waiting + 1 }
      : { first: turnId(parsed.id, n), calls: 1, waiting: 1, answered: false };
    this.#remember({ turn, turns, counts });
    const evicted = this.#open.add(parsed.id, {
      ...base,
      ...promptFields(this.#memory),
      ...omitUndefined({ name: parsed.name, arguments: parsed.arguments, model: this.#memory.model }),
      tool_call_id: parsed.id,
      place: { kind: "exact", n },
      turn: turn.first,
      turn_index: turn.calls - 1,
    });
    return evicted === undefined ? [] : [rawCall(evicted)];
  }

  #result(
    { id, content, is_error }: NonNullable<ReturnType<typeof resultOf>>,
    base: ObservationBase,
  ): RawTranscriptObservation {
    const call = this.#open.take(id);
    const { turn } = this.#memory;
    if (turn !== undefined) {
      const waiting = call?.turn === turn.first ? Math.max(0, turn.waiting - 1) : turn.waiting;
      this.#remember({ turn: { ...turn, waiting, answered: true } });
    }
    const isError = isObject(content) && typeof content.success === "boolean" ? !content.success : is_error;
    const result: RawResult = omitUndefined({ content, is_error: isError });
    const ms = measuredMs(content);
    if (call !== undefined) return rawCall(callWithResult(call, base.occurred_at, base.live, result, ms));
    const n = this.#memory.counts[id]?.n ?? 0;
    return rawCall(orphanResult({ ...base, ...promptFields(this.#memory) }, id, n, result, ms));
  }

  #prompt(promptText: string, at: number): readonly RawTranscriptObservation[] {
    const base = this.#base(at);
    const typed = promptText.trimStart();
    if (base === undefined || typed === "" || CLIENT_MESSAGE_PREFIXES.some((start) => typed.startsWith(start)))
      return [];
    const prompted = startPrompt(this.#memory, promptText, this.#memory.thread?.turn_id);
    this.#memory = prompted;
    return [promptObservation(base, prompted, promptText)];
  }

  /** The client starts a turn per user message, even if the message itself is not in the file. */
  #enterTurn(item: Fields): void {
    const prompt = text(item.turn_id);
    if (prompt === undefined || prompt === "" || prompt === this.#memory.prompt) return;
    const { workflow: _earlier, ...rest } = this.#memory;
    this.#memory = { ...rest, prompt };
  }

  #base(at: number): ObservationBase | undefined {
    const { thread } = this.#memory;
    if (thread === undefined) return undefined;
    const session = thread.carriedFrom ?? thread.session_id;
    return {
      v: 1,
      project: this.#context.project,
      session_id: session,
      agent_id: thread.carriedFrom === undefined ? thread.agent_id : ROOT_AGENT,
      source: "transcript",
      occurred_at: at,
      seen_at: this.#context.seenAt,
      live: this.#context.isLive(at),
      provider: thread.provider,
      client: "codex",
      api: "responses",
    };
  }

  /** Bare items have no timestamp. Each gets 1 ms more than the line before, which preserves their order. */
  #time(line: Fields, enveloped: boolean): number {
    const at = Date.parse(text(line.timestamp) ?? "");
    if (at >= 0) return at;
    return this.#memory.lastAt === undefined ? this.#context.fallbackTime : this.#memory.lastAt + (enveloped ? 0 : 1);
  }

  #remember(changes: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...changes };
  }
}

type ParsedCall = NonNullable<ReturnType<typeof callOf>>;

/** Returns the duration measured by the client, from its fixed position: a JSON field or the head of the text. */
export function measuredMs(content: unknown): number | undefined {
  if (typeof content !== "string") return undefined;
  const head = /^(?:(?:Chunk ID|Exit code): [^\n]{0,80}\n)?Wall time: (\d{1,9}(?:\.\d{1,9})?) seconds?\n/.exec(
    content.slice(0, 300),
  );
  if (head !== null) return Math.round(Number(head[1]) * 1000);
  if (!content.startsWith('{"output":')) return undefined;
  const whole = parseJson(content);
  const seconds = isObject(whole) && isObject(whole.metadata) ? whole.metadata.duration_seconds : undefined;
  return typeof seconds === "number" && seconds >= 0 && Number.isFinite(seconds)
    ? Math.round(seconds * 1000)
    : undefined;
}

/** Returns the duration measured by the client in an event. */
export function durationMs(duration: unknown): number | undefined {
  if (!isObject(duration)) return undefined;
  const { secs, nanos } = duration;
  if (typeof secs !== "number" || typeof nanos !== "number") return undefined;
  const ms = secs * 1000 + nanos / 1e6;
  return Number.isFinite(ms) && secs >= 0 ? Math.round(ms) : undefined;
}
