import type { StreamFrame } from "../repair/types.ts";
import { FORMATS } from "./formats.ts";
import type { AskableApi, Attempt, AttemptCall, AttemptReader } from "./types.ts";

export interface AttemptGateOptions {
  /** Whether the response may be requested again. Called when its first call begins. */
  readonly isArmed: () => boolean;
  readonly isHopeless: (call: AttemptCall) => boolean;
}

/** Larger turns are not held. */
const MAX_HELD_BYTES = 4 << 20;

/**
 * Holds the calls of a streamed turn until one of them is complete and could work, or the turn ends. Everything before
 * the first call passes immediately.
 */
export class AttemptGate<F extends StreamFrame> {
  readonly #options: AttemptGateOptions;
  readonly #reader: AttemptReader;
  #held: F[] = [];
  #heldBytes = 0;
  #checkedCalls = 0;
  #isOpen = false;

  constructor(api: AskableApi, options: AttemptGateOptions) {
    this.#options = options;
    this.#reader = FORMATS[api].createReader();
  }

  get isHolding(): boolean {
    return this.#held.length > 0;
  }

  /** Returns the events that may be sent now. */
  push(frame: F): readonly F[] {
    if (this.#isOpen) return [frame];
    const verdict = this.#reader.push(frame);
    if (verdict === "pass") return [frame];
    if (!this.isHolding && !this.#options.isArmed()) return this.#open(frame);
    if (verdict === "release" || this.#couldWork()) return this.#open(frame);
    this.#held.push(frame);
    this.#heldBytes += frame.raw.length;
    return this.#heldBytes > MAX_HELD_BYTES ? this.release() : [];
  }

  /** Whether a complete call could work, so that the turn is not hopeless. */
  #couldWork(): boolean {
    const { finishedCalls } = this.#reader;
    const fresh = finishedCalls.slice(this.#checkedCalls);
    this.#checkedCalls = finishedCalls.length;
    return fresh.some((call) => !this.#options.isHopeless(call));
  }

  #open(frame: F): readonly F[] {
    return [...this.release(), frame];
  }

  /** Gives up: returns the held events, and lets all further ones pass. */
  release(): readonly F[] {
    const held = this.#held;
    this.#held = [];
    this.#isOpen = true;
    return held;
  }

  /** The held events, and the turn they end; undefined if nothing is held. */
  end(): { readonly held: readonly F[]; readonly readAttempt: () => Attempt } | undefined {
    if (!this.isHolding) return undefined;
    return { held: this.release(), readAttempt: () => this.#reader.end() };
  }
}
