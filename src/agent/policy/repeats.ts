import { canonicalText } from "../outcome/result-text.ts";

interface RepeatCount {
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
  readonly #maxRepeats: number;
  readonly #counts = new Map<string, RepeatCount>();
  /** Number of blocked calls. */
  blocked = 0;

  constructor(maxRepeats: number) {
    this.#maxRepeats = maxRepeats;
  }

  /** Whether this call may run; if so, counts it. */
  enter(key: string): boolean {
    const count = this.#counts.get(key) ?? { times: 0, lastResult: undefined };
    if (count.times >= this.#maxRepeats) {
      this.blocked += 1;
      return false;
    }
    count.times += 1;
    this.#counts.set(key, count);
    return true;
  }

  ended(key: string, result: string): void {
    const count = this.#counts.get(key);
    if (count === undefined) return;
    if (count.lastResult !== undefined && count.lastResult !== result) count.times = 1;
    count.lastResult = result;
  }
}
