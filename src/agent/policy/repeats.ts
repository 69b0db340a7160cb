import { canonicalText } from "../outcome/result-text.ts";

interface Seen {
  /** How often in a row it ended the same way, those still running included. */
  times: number;
  lastResult: string | undefined;
}

/** What makes two calls the same: name and arguments, in whatever order the keys stand. */
export function fingerprint(name: string, args: unknown): string {
  let value = args;
  if (typeof args === "string") {
    try {
      value = JSON.parse(args);
    } catch {
      // As it stands.
    }
  }
  return `${name} ${canonicalText(value)}`;
}

/**
 * Notices when a model goes round in circles: the same call with the same result, again and again. Counting each call on
 * its own finds cycles of any length, and a call whose result changes is never one.
 */
export class RepeatGuard {
  readonly #most: number;
  readonly #seen = new Map<string, Seen>();
  /** How many calls were stopped. */
  blocked = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** May this call run? Counts it when it may. */
  enter(print: string): boolean {
    const seen = this.#seen.get(print) ?? { times: 0, lastResult: undefined };
    if (seen.times >= this.#most) {
      this.blocked += 1;
      return false;
    }
    seen.times += 1;
    this.#seen.set(print, seen);
    return true;
  }

  ended(print: string, result: string): void {
    const seen = this.#seen.get(print);
    if (seen === undefined) return;
    if (seen.lastResult !== undefined && seen.lastResult !== result) seen.times = 1;
    seen.lastResult = result;
  }
}
