import { isReusableId } from "../../core/model/place.ts";

/** What is remembered of a call until its result comes. */
export interface OpenCall {
  readonly name?: string;
  readonly arguments?: unknown;
  readonly model?: string;
  readonly turn: string;
  readonly turn_index: number;
  readonly n: number;
  /** When it was made. */
  readonly at: number;
}

/** Calls that nobody answered are forgotten beyond this many: a transcript can be of any length. */
const MOST_OPEN = 512;

/** The calls of a transcript that wait for their results, the newest last. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  add(key: string, call: OpenCall): void {
    this.#calls.delete(key);
    this.#calls.set(key, call);
    if (this.#calls.size > MOST_OPEN) this.#calls.delete(this.#calls.keys().next().value as string);
  }

  find(key: string): OpenCall | undefined {
    return this.#calls.get(key);
  }

  /** Those of one turn, by the keys they were added under. */
  ofTurn(turn: string): readonly (readonly [key: string, call: OpenCall])[] {
    return [...this.#calls].filter(([, call]) => call.turn === turn);
  }

  take(key: string): OpenCall | undefined {
    const call = this.#calls.get(key);
    this.#calls.delete(key);
    return call;
  }
}

/** How a turn is named: by its first call, and by its number where the id was called before. */
export function turnName(id: string, n: number): string {
  return n === 0 ? id : `${id}/${n}`;
}

/** How often ids were called that a server hands out again and again, and by which turn last. */
export type IdCounts = { readonly [key: string]: { readonly n: number; readonly turn: string } };

const MOST_COUNTED = 512;

/** The number of a call among those with its id. A random id is one call, however often it is written down. */
export function countCall(counts: IdCounts, key: string, id: string, turn: string): { n: number; counts: IdCounts } {
  if (!isReusableId(id)) return { n: 0, counts };
  const { [key]: last, ...others } = counts;
  const n = last === undefined ? 0 : last.turn === turn ? last.n : last.n + 1;
  const names = Object.keys(others);
  const kept =
    names.length < MOST_COUNTED ? others : Object.fromEntries(names.slice(1).map((name) => [name, others[name]]));
  return { n, counts: { ...kept, [key]: { n, turn } } as IdCounts };
}
