import { isReusableId } from "../../core/model/locate-call.ts";
import type { Seen } from "../../core/model/observation.ts";
import type { RawCallObservation, RawResult } from "../../ingest/observe/observe-call.ts";

/** A call without its result; everything that is told of it later stands here already. */
export type OpenCall = RawCallObservation & { readonly turn: string };

/** Calls that nobody answered are forgotten beyond this many: a transcript can be of any length. */
const MAX_OPEN_CALLS = 512;

/** The calls of a transcript that wait for their results, the newest last. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  /** Answers with the call that is forgotten for it: one that stood under the same key, or the oldest of too many. */
  add(key: string, call: OpenCall): OpenCall | undefined {
    const replaced = this.take(key);
    this.#calls.set(key, call);
    if (replaced !== undefined || this.#calls.size <= MAX_OPEN_CALLS) return replaced;
    return this.take(this.#calls.keys().next().value as string);
  }

  find(key: string): OpenCall | undefined {
    return this.#calls.get(key);
  }

  take(key: string): OpenCall | undefined {
    const call = this.#calls.get(key);
    this.#calls.delete(key);
    return call;
  }

  all(): readonly OpenCall[] {
    return [...this.#calls.values()];
  }
}

/**
 * A call with its result. Told under the time it was made, with the time until its result beside: so it is one and the same
 * whether it is told in one go or first without the result.
 */
export function callWithResult(
  call: OpenCall,
  at: number,
  live: boolean,
  result: RawResult,
  executionMs?: number,
): RawCallObservation {
  const measured = executionMs ?? call.execution_time_ms;
  return {
    ...call,
    live,
    result,
    ...(at >= call.occurred_at && { turnaround_ms: at - call.occurred_at }),
    ...(measured !== undefined && { execution_time_ms: measured }),
  };
}

/** A result whose call was not seen: reading began behind it. `n`: which of the calls with this id it answers. */
export function orphanResult(
  base: Seen,
  id: string,
  n: number,
  result: RawResult,
  executionMs: number | undefined,
): RawCallObservation {
  const measured = executionMs === undefined ? {} : { execution_time_ms: executionMs };
  return { ...base, tool_call_id: id, place: { kind: "exact", n }, result, ...measured };
}

/** How a turn is named: by its first call, and by its number where the id was called before. */
export function turnId(id: string, n: number): string {
  return n === 0 ? id : `${id}/${n}`;
}

/** How often ids were called that a server hands out again and again, and by which turn last. */
export type IdCounts = { readonly [key: string]: { readonly n: number; readonly turn: string } };

const MAX_COUNTED_CALLS = 512;

/** The number of a call among those with its id. A random id is one call, however often it is written down. */
export function countCall(counts: IdCounts, key: string, id: string, turn: string): { n: number; counts: IdCounts } {
  if (!isReusableId(id)) return { n: 0, counts };
  const { [key]: last, ...others } = counts;
  const n = last === undefined ? 0 : last.turn === turn ? last.n : last.n + 1;
  const names = Object.keys(others);
  const kept =
    names.length < MAX_COUNTED_CALLS ? others : Object.fromEntries(names.slice(1).map((name) => [name, others[name]]));
  return { n, counts: { ...kept, [key]: { n, turn } } as IdCounts };
}
