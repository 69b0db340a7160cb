import type { HistoryCall, HistoryResult } from "./turn.ts";

type OpenCall = { -readonly [K in keyof HistoryCall]: HistoryCall[K] };

/** The calls that share an id, and the index of the next one without a result. */
interface SameId {
  readonly calls: OpenCall[];
  nextOpen: number;
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

/** Pairs calls and results while a history is read front to back. */
export class HistoryReader {
  readonly #calls: OpenCall[] = [];
  readonly #byId = new Map<string, SameId>();
  /** Calls read before the last message. Those without a result will not get one any more. */
  #callsBeforeLastMessage = 0;
  #position = 0;
  /** The turn formed by the calls of the current message. */
  #turn: { readonly name: string; size: number } | undefined;

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
    const first = this.#originalId(id);
    this.#turn ??= { name: turnId(first, this.#byId.get(first)?.calls.length ?? 0), size: 0 };
    this.#add(id, {
      ...(name !== undefined && { name }),
      ...(args !== undefined && { arguments: args }),
      turn: this.#turn.name,
      turnIndex: this.#turn.size,
    });
    this.#turn.size += 1;
    return this.#calls.length - 1;
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
    const same = this.#byId.get(this.#originalId(id));
    if (same === undefined) {
      this.#add(id, { result, resultAt: this.#position });
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
    for (const call of this.#calls.slice(0, this.#callsBeforeLastMessage))
      if (call.result === undefined) call.unanswered = true;
    return this.#calls;
  }

  /**
   * The id before `repairHistory` made it unique: where an API requires unique ids, a repeated `call_0` is sent as
   * `call_0_dup1`.
   */
  #originalId(id: string): string {
    if (id === "") return NO_ID;
    const base = DUPLICATE.exec(id)?.[1];
    return base !== undefined && this.#byId.has(base) ? base : id;
  }

  #add(rawId: string, fields: Omit<HistoryCall, "id" | "n">): void {
    const id = this.#originalId(rawId);
    const same = this.#byId.get(id) ?? { calls: [], nextOpen: 0 };
    this.#byId.set(id, same);
    const call: OpenCall = { id, n: same.calls.length, ...fields };
    this.#calls.push(call);
    same.calls.push(call);
    if (fields.result !== undefined) same.nextOpen = same.calls.length;
  }
}
