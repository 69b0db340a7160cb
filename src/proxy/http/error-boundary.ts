import type { EventEmitter } from "node:events";

/** Kinds of contained failures; the values of a metric label. */
export const FAILURE_KINDS = [
  /** Forwarding a request or its response threw an exception. */
  "forward",
  /** The upstream sent an invalid HTTP response. */
  "upstream-protocol",
  /** The client stopped sending its request body. */
  "request-timeout",
  /** Repair threw an exception; the response was forwarded unchanged. */
  "repair",
  /** Rewriting the request threw an exception; it was forwarded unchanged. */
  "rewrite",
  /** Recording threw an exception; the exchange, or a part of it, is not recorded. */
  "recording",
  /** The API, the dashboard or the metrics threw an exception. */
  "local",
  /** An exception outside all boundaries. */
  "uncaught",
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export type OnFailure = (kind: FailureKind, error: unknown) => void;

/**
 * Contains every failure of one exchange: exceptions in listeners of the emitters it owns, `error` events without a
 * listener, and exceptions in bound callbacks. Without it, each of them would end the process and all other exchanges.
 */
export class ErrorBoundary {
  readonly #lastResort: () => void;
  #handle: (error: unknown) => void;
  #failed = false;

  /** `lastResort` ends the exchange if `handle` throws; it must not throw itself. */
  constructor(handle: (error: unknown) => void, lastResort: () => void) {
    this.#handle = handle;
    this.#lastResort = lastResort;
  }

  /** Replaces the failure handler. */
  handleWith(handle: (error: unknown) => void): void {
    this.#handle = handle;
  }

  /**
   * Contains all listeners of an emitter, also those added later. All emitters share one `emit`: with a function of its
   * own on each of them, the engine kept every exchange in memory until the next full collection.
   */
  own(emitter: EventEmitter): void {
    (emitter as OwnedEmitter)[BOUNDARY] = this;
    emitter.emit = containedEmit;
  }

  run(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }

  /** Contains a callback that no owned emitter calls, such as a timer's. */
  bind<Args extends readonly unknown[]>(callback: (...args: Args) => void): (...args: Args) => void {
    return (...args) => this.run(() => callback(...args));
  }

  /** Handles the first failure; later ones are its consequences. */
  fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    try {
      this.#handle(error);
    } catch {
      this.#lastResort();
    }
  }
}

const BOUNDARY = Symbol("boundary");

interface OwnedEmitter extends EventEmitter {
  [BOUNDARY]: ErrorBoundary;
}

function containedEmit(this: EventEmitter, ...args: Parameters<EventEmitter["emit"]>): boolean {
  try {
    return Reflect.apply((Object.getPrototypeOf(this) as EventEmitter).emit, this, args);
  } catch (error) {
    (this as OwnedEmitter)[BOUNDARY].fail(error);
    return true;
  }
}
