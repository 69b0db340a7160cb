import { canonicalText } from "../outcome/result-text.ts";

interface RepeatCount {
  /** Consecutive equal results, including calls that are still running. */
  times: number;
  lastResult: string | undefined;
}

/** Identity of a call: name and arguments, regardless of key order. */
export function fingerprint(name: string, args: unknown): string {
  return `${name} ${canonicalText(typeof args === "string" ? parsedExactly(args) : args)}`;
}

/** Strings, and numbers that a double may not represent exactly: ids that differ in their last digit are different. */
const STRING_OR_LONG_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function parsedExactly(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // The text is valid JSON, so that every string in it ends and the search is linear.
    if (!/\d{16}/.test(text)) return value;
    return JSON.parse(text.replace(STRING_OR_LONG_NUMBER, (part) => (part.startsWith('"') ? part : `"${part}"`)));
  } catch {
    // Not JSON: compared as text.
    return text;
  }
}

/**
 * Detects a model that repeats calls which bring nothing new. A new call, or a call with another result than before,
 * resets the count of all others: a test run after another edit is work, and so is reading a file between other work.
 * Counting each call separately finds cycles of any length. Unlike in `core/loop`, results are compared exactly,
 * because normalizing them needs too much code for web pages.
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
    if (count === undefined || count.lastResult === result) return;
    if (count.lastResult !== undefined) count.times = 1;
    count.lastResult = result;
    for (const other of this.#counts.values()) if (other !== count) other.times = Math.min(other.times, 1);
  }
}
