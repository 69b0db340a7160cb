import type { Outcome } from "../model/outcome.ts";

/** What a call does, inferred from its name and arguments. */
export const CALL_EFFECTS = ["reads", "changes", "waits"] as const;
export type CallEffect = (typeof CALL_EFFECTS)[number];

/**
 * A call with its result. Calls that did not run (denied, blocked) are left out, because they have no result to
 * compare.
 */
export interface FinishedCall {
  readonly tool: string;
  /** Equal for equal arguments. */
  readonly argumentsDigest: string;
  /** Equal for results that differ only in times and ids; see `result-digest.ts`. */
  readonly resultDigest: string;
  readonly effect: CallEffect;
  readonly failed: boolean;
  /** The guard may ignore it; see `ignored-calls.ts`. It counts nevertheless. */
  readonly ignored?: boolean;
}

/**
 * Whether a call was refused or cancelled. It has no result to compare, and a refusal must not count as a new result.
 */
export function hasNoResult({ phase, category }: Partial<Pick<Outcome, "phase" | "category">>): boolean {
  return phase === "gate" || category === "cancelled";
}

/** `failing`: every call of the loop failed; otherwise `repeat` of one call, or a `cycle` of several. */
export const LOOP_KINDS = ["repeat", "cycle", "failing"] as const;
export type LoopKind = (typeof LOOP_KINDS)[number];

/** Calls in a row that brought nothing new. */
export interface Loop<Position> {
  readonly kind: LoopKind;
  /** The number of different calls in it. */
  readonly period: number;
  /** How many calls brought nothing new. The first occurrence of each is not counted. */
  readonly run: number;
  /** Where the run reached {@link LOOP_LEVELS}.loop. */
  readonly at: Position;
  readonly tools: readonly string[];
}

/** Lengths of a run: a loop is recorded, an alarm is given, the guard may stop the agent. See docs/loops.md. */
export const LOOP_LEVELS = { loop: 3, alarm: 6, stop: 10 } as const;
/** A run in which every call is ignored is stopped too, but later. */
export const MAX_IGNORED_RUN = 30;
export type LoopLevel = (typeof LOOP_LEVELS)[keyof typeof LOOP_LEVELS];

/** Waiting for a job repeats a call legitimately, so waits count only from this one on. */
export const FREE_WAITS = 10;
/** The oldest are evicted first. Longer cycles are not found. */
const MAX_REMEMBERED = 4096;

/**
 * Counts calls in a row that brought nothing new: the same tool, arguments and result as before, with no new call, no
 * new result, no human message and no change in between. Finds repeats and cycles of any length up to 4,096. The count
 * depends only on the given calls, so every replay of a conversation gives the same.
 */
export class LoopSignal<Position> {
  /** Calls with their results since the last change. */
  readonly #seen = new Set<string>();
  /** Calls with their results since the last human message: repeating a change is not a new change. */
  readonly #ever = new Set<string>();
  #run: OpenRun<Position> = newRun();

  /** The current run. */
  get run(): number {
    return this.#run.length;
  }

  /** The current run as a loop; undefined below {@link LOOP_LEVELS}.loop. */
  get current(): Loop<Position> | undefined {
    const { length, at, pairs, tools, hasSuccess } = this.#run;
    if (at === undefined) return undefined;
    const kind = hasSuccess ? (pairs.size === 1 ? "repeat" : "cycle") : "failing";
    return { kind, period: pairs.size, run: length, at: at.position, tools: [...tools] };
  }

  /** Whether every call of the run is ignored. */
  get isIgnored(): boolean {
    return this.#run.length > 0 && !this.#run.hasCounted;
  }

  /** Whether the run contains this call, with any result. */
  isInRun(tool: string, argumentsDigest: string): boolean {
    const start = `${tool}\0${argumentsDigest}\0`;
    return [...this.#run.pairs].some((pair) => pair.startsWith(start));
  }

  /** A person wrote, so a new task begins. Returns the loop that this ended. */
  human(): Loop<Position> | undefined {
    this.#seen.clear();
    this.#ever.clear();
    return this.#end();
  }

  /**
   * Counts the calls of one turn. They are compared with earlier turns only, so that parallel calls are not repeats of
   * each other. Returns the loop that a new result ended.
   */
  turn(calls: readonly FinishedCall[], position: Position): Loop<Position> | undefined {
    const turn = new Map(calls.map((call) => [pairOf(call), call]));
    let ended: Loop<Position> | undefined;
    const isNew = [...turn.keys()].some((pair) => !this.#seen.has(pair));
    if (isNew) ended = this.#end();
    else for (const [pair, call] of turn) this.#repeat(pair, call, position);
    if ([...turn].some(([pair, call]) => this.#isNewChange(pair, call))) this.#seen.clear();
    for (const pair of turn.keys()) {
      rememberPair(this.#seen, pair);
      rememberPair(this.#ever, pair);
    }
    return ended;
  }

  #isNewChange(pair: string, { effect, failed }: FinishedCall): boolean {
    return effect === "changes" && !failed && !this.#ever.has(pair);
  }

  #repeat(pair: string, { effect, failed, tool, ignored }: FinishedCall, position: Position): void {
    const run = this.#run;
    run.hasCounted ||= ignored !== true;
    run.pairs.add(pair);
    run.tools.add(tool);
    run.hasSuccess ||= !failed;
    if (effect === "waits") {
      run.waits += 1;
      if (run.waits < FREE_WAITS) return;
    }
    run.length += 1;
    if (run.length === LOOP_LEVELS.loop) run.at = { position };
  }

  #end(): Loop<Position> | undefined {
    const ended = this.current;
    this.#run = newRun();
    return ended;
  }
}

interface OpenRun<Position> {
  length: number;
  waits: number;
  readonly pairs: Set<string>;
  readonly tools: Set<string>;
  hasSuccess: boolean;
  /** Whether a call of the run is not ignored. */
  hasCounted: boolean;
  at: { readonly position: Position } | undefined;
}

function newRun<Position>(): OpenRun<Position> {
  return {
    length: 0,
    waits: 0,
    pairs: new Set(),
    tools: new Set(),
    hasSuccess: false,
    hasCounted: false,
    at: undefined,
  };
}

function pairOf({ tool, argumentsDigest, resultDigest }: FinishedCall): string {
  return `${tool}\0${argumentsDigest}\0${resultDigest}`;
}

/** Adds a pair, and forgets the oldest beyond {@link MAX_REMEMBERED}. */
function rememberPair(pairs: Set<string>, pair: string): void {
  // Deleting first moves a repeated pair to the end, so that a running cycle is not forgotten.
  pairs.delete(pair);
  pairs.add(pair);
  if (pairs.size <= MAX_REMEMBERED) return;
  for (const oldest of pairs) {
    pairs.delete(oldest);
    return;
  }
}
