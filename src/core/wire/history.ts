import type { HistoryCall, HistoryResult } from "./turn.ts";

type OpenCall = { -readonly [K in keyof HistoryCall]: HistoryCall[K] };

/** The indexes of the calls that share an id, and which of them is the next one without a result. */
interface SameId {
  readonly calls: number[];
  nextOpen: number;
}

/** Greater than any position. */
const NO_RESULT = 2 ** 30;

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
  /** Of each call: the message that made it, and the one with its result. */
  readonly #positions: number[] = [];
  readonly #resultPositions: number[] = [];
  readonly #byId = new Map<string, SameId>();
  /** Calls read before the last message. Those without a result will not get one. */
  #callsBeforeLastMessage = 0;
  #position = 0;
  /** The turn formed by the calls of the current message. */
  #turn: { readonly name: string; size: number } | undefined;

  /**
   * Forgets everything from the message at `position` on, so that reading goes on with other ones. Calls that were
   * returned stay as they are.
   */
  rewind(position: number): void {
    let kept = this.#calls.length;
    for (; kept > 0 && (this.#positions[kept - 1] as number) >= position; kept -= 1) {
      const { id } = this.#calls[kept - 1] as OpenCall;
      const same = this.#sameId(id);
      same.calls.pop();
      same.nextOpen = Math.min(same.nextOpen, same.calls.length);
      if (same.calls.length === 0) this.#byId.delete(id);
    }
    this.#calls.length = this.#positions.length = this.#resultPositions.length = kept;
    // Reads no call that has its result: most calls have, and there may be thousands.
    for (let index = 0; index < kept; index += 1)
      if ((this.#resultPositions[index] as number) >= position) this.#reopen(index);
  }

  #reopen(index: number): void {
    const { result: _result, resultAt: _at, unanswered: _open, ...call } = this.#calls[index] as OpenCall;
    this.#calls[index] = call;
    this.#resultPositions[index] = NO_RESULT;
    const same = this.#sameId(call.id);
    same.nextOpen = Math.min(same.nextOpen, call.n);
  }

  /** Number of calls read. */
  get size(): number {
    return this.#calls.length;
  }

  /** The index of the next message or item. */
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
    this.#add(call, same);
    return this.#calls.length - 1;
  }

  #add(call: OpenCall, same: SameId): void {
    same.calls.push(this.#calls.length);
    this.#calls.push(call);
    this.#positions.push(this.#position);
    this.#resultPositions.push(NO_RESULT);
  }

  /** Assigns the result to the call with this index, unless it has one. For APIs that match results by position. */
  answer(index: number, result: HistoryResult): void {
    const call = this.#calls[index];
    if (call === undefined || call.result !== undefined) return;
    call.result = result;
    call.resultAt = this.#position;
    this.#resultPositions[index] = this.#position;
  }

  /** Assigns the result to the oldest call with this id that has none; a second result for the same call is ignored. */
  result(id: string, result: HistoryResult): void {
    const original = this.#originalId(id);
    const isKnown = this.#byId.has(original);
    const same = this.#sameId(original);
    if (!isKnown) this.#add({ id: original, n: 0 }, same);
    // Calls may have been answered by position.
    while (this.#hasResult(same.calls[same.nextOpen])) same.nextOpen += 1;
    const open = same.calls[same.nextOpen];
    if (open === undefined) return;
    this.answer(open, result);
    same.nextOpen += 1;
  }

  #hasResult(index: number | undefined): boolean {
    return index !== undefined && this.#resultPositions[index] !== NO_RESULT;
  }

  end(): readonly HistoryCall[] {
    for (let at = 0; at < this.#callsBeforeLastMessage; at += 1)
      if (!this.#hasResult(at)) (this.#calls[at] as OpenCall).unanswered = true;
    return this.#calls.slice();
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
