/** Searches before a map pays off. */
const MAX_SEARCHES = 4;

/**
 * How often each call id occurs in a history. Most responses ask for one or two ids, so the ids are searched before a
 * map of all of them is built.
 */
export class CallCounts {
  readonly #before: ReadonlyMap<string, number> | undefined;
  readonly #ids: string[] = [];
  readonly #counts: number[] = [];
  #map: Map<string, number> | undefined;
  #searches = 0;

  /** `before`: the counts of a conversation that the history continues. */
  constructor(before?: ReadonlyMap<string, number>) {
    this.#before = before;
  }

  /** Adds a call that `n` calls with the same id precede. */
  add(id: string, n: number): void {
    this.#ids.push(id);
    this.#counts.push(n + 1);
    this.#map?.set(id, Math.max(this.#map.get(id) ?? 0, n + 1));
  }

  of(id: string): number {
    this.#searches += 1;
    if (this.#map === undefined && this.#searches <= MAX_SEARCHES) return this.#search(id);
    return this.all.get(id) ?? 0;
  }

  get all(): ReadonlyMap<string, number> {
    if (this.#map !== undefined) return this.#map;
    const map = new Map(this.#before);
    for (const [at, id] of this.#ids.entries()) map.set(id, Math.max(map.get(id) ?? 0, this.#counts[at] as number));
    this.#map = map;
    return map;
  }

  #search(id: string): number {
    let count = this.#before?.get(id) ?? 0;
    for (let at = 0; at < this.#ids.length; at += 1)
      if (this.#ids[at] === id) count = Math.max(count, this.#counts[at] as number);
    return count;
  }
}
