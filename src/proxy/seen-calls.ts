/**
 * Remembers which calls of a history were recorded already, so that a client that resends its whole history costs what is new in it. Only a
 * shortcut: the store counts once whatever arrives, and a forgotten entry is merely recorded again.
 */
export class SeenCalls {
  readonly #seen = new Map<string, number>();
  readonly #limit: number;

  constructor(limit = 50_000) {
    this.#limit = limit;
  }

  /** True when exactly this was seen before. `size` tells a call from the same call with its result. */
  has(key: string, size: number): boolean {
    return this.#seen.get(key) === size;
  }

  add(key: string, size: number): void {
    this.#seen.delete(key);
    this.#seen.set(key, size);
    if (this.#seen.size > this.#limit) this.#seen.delete(this.#seen.keys().next().value as string);
  }
}
