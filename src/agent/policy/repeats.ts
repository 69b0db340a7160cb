import { rememberPair, resultDigest } from "../../core/loop/index.ts";
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

/** Strings, and numbers whose digits a double may not keep: ids that differ in their last digit are different. */
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
 * Detects a model that repeats calls which bring nothing new, as `LoopSignal` of `core/loop` does: counting ends with a
 * new call, a new result, or a change after which a repeat is work, such as a test run after an edit. Counting each call
 * separately finds cycles of any length up to 4,096.
 */
export class RepeatGuard {
  readonly #maxRepeats: number;
  readonly #counts = new Map<string, RepeatCount>();
  /** Calls with their results since the last change, and of the whole run: repeating a change is not a new change. */
  readonly #seen = new Set<string>();
  readonly #ever = new Set<string>();
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

  /** `isChange`: the call is known to have changed something. */
  ended(key: string, text: string, isChange = false): void {
    const count = this.#counts.get(key);
    if (count === undefined) return;
    const result = resultDigest(text);
    const pair = `${key}\0${result}`;
    const isNew = !this.#seen.has(pair);
    if (isNew) for (const other of this.#counts.values()) if (other !== count) other.times = Math.min(other.times, 1);
    if (count.lastResult !== undefined && (isNew || count.lastResult !== result)) count.times = 1;
    count.lastResult = result;
    if (isChange && !this.#ever.has(pair)) this.#seen.clear();
    rememberPair(this.#seen, pair);
    rememberPair(this.#ever, pair);
  }
}
