import type { HistoryCall, HistoryResult } from "./turn.ts";

type OpenCall = { -readonly [K in keyof HistoryCall]: HistoryCall[K] };

/** The calls of one id, and which of them is the next to be answered. */
interface SameId {
  readonly calls: OpenCall[];
  nextOpen: number;
}

/** What names a turn of the model: its first call, and how often that id stood earlier. */
export function turnId(firstId: string, n: number): string {
  return n === 0 ? firstId : `${firstId}/${n}`;
}

/** Some servers give all their calls an empty id, and clients send it back. It looks like a counter's: their place alone tells them apart. */
const NO_ID = "no-id-0";
const DUPLICATE = /^(.{1,256})_dup\d{1,6}$/s;

/** Pairs calls and results while a history is read from front to back. */
export class HistoryReader {
  readonly #calls: OpenCall[] = [];
  readonly #byId = new Map<string, SameId>();
  /** How many calls had been read before the last message: what stands before it had its chance to be answered. */
  #beforeLast = 0;
  /** The turn that the calls of this message make. */
  #turn: { readonly name: string; size: number } | undefined;

  /** How many calls have been read. */
  get size(): number {
    return this.#calls.length;
  }

  /** The next message, or item, begins. */
  message(): void {
    this.#beforeLast = this.#calls.length;
    this.#turn = undefined;
  }

  call(id: string, name: string | undefined, args: unknown): void {
    const first = this.#original(id);
    this.#turn ??= { name: turnId(first, this.#byId.get(first)?.calls.length ?? 0), size: 0 };
    this.#add(id, {
      ...(name !== undefined && { name }),
      ...(args !== undefined && { arguments: args }),
      turn: this.#turn.name,
      turnIndex: this.#turn.size,
    });
    this.#turn.size += 1;
  }

  /** Belongs to the oldest call of that id that has no result yet; a second result for one call is not a second call. */
  result(id: string, result: HistoryResult): void {
    const same = this.#byId.get(this.#original(id));
    if (same === undefined) {
      this.#add(id, { result });
      return;
    }
    const open = same.calls[same.nextOpen];
    if (open === undefined) return;
    open.result = result;
    same.nextOpen += 1;
  }

  end(): readonly HistoryCall[] {
    for (const call of this.#calls.slice(0, this.#beforeLast)) if (call.result === undefined) call.unanswered = true;
    return this.#calls;
  }

  /** An id that was used before goes out as `call_0_dup1` where an API wants them unique (see `repairHistory`): it is that id again. */
  #original(id: string): string {
    if (id === "") return NO_ID;
    const base = DUPLICATE.exec(id)?.[1];
    return base !== undefined && this.#byId.has(base) ? base : id;
  }

  #add(given: string, rest: Omit<HistoryCall, "id" | "n">): void {
    const id = this.#original(given);
    const same = this.#byId.get(id) ?? { calls: [], nextOpen: 0 };
    this.#byId.set(id, same);
    const call: OpenCall = { id, n: same.calls.length, ...rest };
    this.#calls.push(call);
    same.calls.push(call);
    if (rest.result !== undefined) same.nextOpen = same.calls.length;
  }
}
