import { isReusableId } from "../../core/model/locate-call.ts";
import { present } from "../../core/model/narrow.ts";
import type { ObservationBase } from "../../core/model/observation.ts";
import type { RawCallObservation, RawResult } from "../../ingest/observe/observe-call.ts";

/** A call without its result. Contains everything else that will be emitted for it. */
export type OpenCall = RawCallObservation & { readonly turn: string };

/** Older calls without a result are evicted: a transcript can have any length. */
const MAX_OPEN_CALLS = 512;

/** The calls of a transcript that have no result yet, newest last. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  /** Adds a call. Returns the call it replaces or evicts: one with the same key, or the oldest one over the limit. */
  add(key: string, call: OpenCall): OpenCall | undefined {
    const replaced = this.take(key);
    this.#calls.set(key, call);
    if (replaced !== undefined || this.#calls.size <= MAX_OPEN_CALLS) return replaced;
    return this.take(present(this.#calls.keys().next().value));
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
 * Adds the result to a call. Keeps the time of the call and adds the turnaround time, so that the record is the same
 * whether the call is emitted once with its result or first without it.
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

/** Builds the observation of a result whose call came before the checkpoint. `n` selects among calls with this id. */
export function orphanResult(
  base: ObservationBase,
  id: string,
  n: number,
  result: RawResult,
  executionMs: number | undefined,
): RawCallObservation {
  const measured = executionMs === undefined ? {} : { execution_time_ms: executionMs };
  return { ...base, tool_call_id: id, place: { kind: "exact", n }, result, ...measured };
}

/** Names a turn after its first call, with a number if the id was used before. */
export function turnId(id: string, n: number): string {
  return n === 0 ? id : `${id}/${n}`;
}

/** How often each reusable id was called, and the last turn that called it. */
export type IdCounts = { readonly [key: string]: { readonly n: number; readonly turn: string } };

const MAX_COUNTED_CALLS = 512;

/** Numbers the calls with the same id. A random id always means the same call, however often it is repeated. */
export function countCall(counts: IdCounts, key: string, id: string, turn: string): { n: number; counts: IdCounts } {
  if (!isReusableId(id)) return { n: 0, counts };
  const { [key]: last, ...others } = counts;
  const n = last === undefined ? 0 : last.turn === turn ? last.n : last.n + 1;
  const entries = Object.entries(others);
  const retained = entries.length < MAX_COUNTED_CALLS ? others : Object.fromEntries(entries.slice(1));
  return { n, counts: { ...retained, [key]: { n, turn } } };
}
