import type { HistoryCall, HistoryResult } from "./turn.ts";

type OpenCall = { -readonly [K in keyof HistoryCall]: HistoryCall[K] };

/** The calls that share an id, and the index of the next one without a result. */
interface SameId {
  readonly calls: OpenCall[];
  nextOpen: number;
}

/** Writes to neither: earlier readers return the same call. */
function withoutResult({ result: _result, resultAt: _at, unanswered: _open, ...call }: HistoryCall): OpenCall {
  return call;
}

/** Identifies a turn of the model by its first call and how often that id occurred earlier. */
export function turnId(firstId: string, n: number): string {
  return n === 0 ? firstId : `${firstId}/${n}`;
}

/**
 * Id for calls with an empty id: some servers send one, and clients return it. It has the form of a counter id, so that
 * such calls are distinguished only by position.
 */
const NO_ID = "no-id-0";
const DUPLICATE = /^(.{1,256})_dup\d{1,6}$/s;

/** What was read of a history: its calls, and the message with which each was added. */
export interface ReadHistory {
  readonly calls: readonly HistoryCall[];
  readonly positions: readonly number[];
}

/** Pairs calls and results while a history is read front to back. */
export class HistoryReader {
  readonly #calls: OpenCall[] = [];
  readonly #positions: number[] = [];
  readonly #byId = new Map<string, SameId>();
  /** Calls read before the last message. Those without a result will not get one any more. */
  #callsBeforeLastMessage = 0;
  #position = 0;
  /** The turn formed by the calls of the current message. */
  #turn: { readonly name: string; size: number } | undefined;

  /** Goes on where `position` starts, in a history that has the same messages before it. */
  static resume({ calls, positions }: ReadHistory, position: number): HistoryReader {
    const reader = new HistoryReader();
    for (const [index, call] of calls.entries()) {
      const at = positions[index] as number;
      if (at >= position) break;
      const isSettled = call.resultAt !== undefined && call.resultAt < position;
      reader.#add(isSettled ? call : withoutResult(call), at);
    }
    return reader;
  }

  /** Number of calls read. */
  get size(): number {
    return this.#calls.length;
  }

  /** The index of the message or item that is read next. */
  at(position: number): void {
    this.#position = position;
  }

  /** Starts the next message or item. */
  message(): void {
    this.#callsBeforeLastMessage = this.#calls.length;
    this.#turn = undefined;
  }

  /** Returns the index of the call, for {@link answer}. */
  call(id: string, name: string | undefined, args: unknown): number {
    const original = this.#originalId(id);
    const same = this.#sameId(original);
    const n = same.calls.length;
    this.#turn ??= { name: turnId(original, n), size: 0 };
    // Written field by field: a history is read with every request.
    const call: OpenCall = { id: original, n };
    if (name !== undefined) call.name = name;
    if (args !== undefined) call.arguments = args;
    call.turn = this.#turn.name;
    call.turnIndex = this.#turn.size;
    this.#turn.size += 1;
    this.#add(call, this.#position, same);
    return this.#calls.length - 1;
  }

  #add(call: OpenCall, at: number, same: SameId = this.#sameId(call.id)): void {
    this.#calls.push(call);
    this.#positions.push(at);
    same.calls.push(call);
  }

  /** Assigns the result to the call with this index, unless it has one. For APIs that match results by position. */
  answer(index: number, result: HistoryResult): void {
    const call = this.#calls[index];
    if (call === undefined || call.result !== undefined) return;
    call.result = result;
    call.resultAt = this.#position;
  }

  /** Assigns the result to the oldest call with this id that has none; a second result for the same call is ignored. */
  result(id: string, result: HistoryResult): void {
    const original = this.#originalId(id);
    const same = this.#byId.get(original);
    if (same === undefined) {
      this.#add({ id: original, n: 0, result, resultAt: this.#position }, this.#position);
      return;
    }
    // Calls may have been answered by position.
    while (same.calls[same.nextOpen]?.result !== undefined) same.nextOpen += 1;
    const open = same.calls[same.nextOpen];
    if (open === undefined) return;
    open.result = result;
    open.resultAt = this.#position;
    same.nextOpen += 1;
  }

  end(): readonly HistoryCall[] {
    for (let at = 0; at < this.#callsBeforeLastMessage; at += 1) {
      const call = this.#calls[at] as OpenCall;
      if (call.result === undefined) call.unanswered = true;
    }
    return this.#calls;
  }

  /** For {@link resume}. Its calls with a result never change again. */
  get read(): ReadHistory {
    return { calls: this.#calls, positions: this.#positions };
  }

  /**
   * The id before `repairHistory` made it unique: where an API requires unique ids, a repeated `call_0` is sent as
   * `call_0_dup1`.
   */
  #originalId(id: string): string {
    if (id === "") return NO_ID;
    if (!id.includes("_dup")) return id;
    const base = DUPLICATE.exec(id)?.[1];
    return base !== undefined && this.#byId.has(base) ? base : id;
  }

  #sameId(id: string): SameId {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const same: SameId = { calls: [], nextOpen: 0 };
    this.#byId.set(id, same);
    return same;
  }
}
