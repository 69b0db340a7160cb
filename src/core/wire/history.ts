import type { HistoryCall, HistoryResult } from "./turn.ts";

type OpenCall = { -readonly [K in keyof HistoryCall]: HistoryCall[K] };

/** Pairs calls and results while a history is read from front to back. */
export class HistoryReader {
  readonly #calls: OpenCall[] = [];
  readonly #byId = new Map<string, OpenCall[]>();

  call(id: string, name: string | undefined, args: unknown): void {
    this.#add(id, { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) });
  }

  /** Belongs to the oldest call of that id that has no result yet; a second result for one call is not a second call. */
  result(id: string, result: HistoryResult): void {
    const same = this.#byId.get(id);
    const open = same?.find((call) => call.result === undefined);
    if (open !== undefined) open.result = result;
    else if (same === undefined) this.#add(id, { result });
  }

  end(): readonly HistoryCall[] {
    return this.#calls;
  }

  #add(id: string, rest: Omit<HistoryCall, "id" | "n">): void {
    const same = this.#byId.get(id);
    const call: OpenCall = { id, n: same?.length ?? 0, ...rest };
    this.#calls.push(call);
    if (same === undefined) this.#byId.set(id, [call]);
    else same.push(call);
  }
}
