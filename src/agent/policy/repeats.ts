import { canonicalText } from "../outcome/result-text.ts";

interface Seen {
  /** Consecutive equal results, including calls that are still running. */
  times: number;
  lastResult: string | undefined;
}

/** Identity of a call: name and arguments, regardless of key order. */
export function fingerprint(name: string, args: unknown): string {
  let value = args;
  if (typeof args === "string") {
    try {
      value = JSON.parse(args);
    } catch {
      // Not JSON: compared as text.
    }
  }
  return `${name} ${canonicalText(value)}`;
}

/**
 * Detects a model that repeats the same call with the same result. Counting each call separately finds cycles of any
 * length, and a call whose result changes is never blocked.
 */
export class RepeatGuard {
  readonly #most: number;
  readonly #seen = new Map<string, Seen>();
  /** Number of blocked calls. */
  blocked = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether this call may run; if so, counts it. */
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
