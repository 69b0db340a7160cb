import type { EventEmitter } from "node:events";

/** Where a failure was contained; the values of a metric's label, so they are few. */
export const FAILURE_KINDS = [
  /** Passing on a request or its response threw an exception. */
  "forward",
  /** The upstream sent something that is no valid HTTP response. */
  "upstream-protocol",
  /** The client stopped in the middle of its request. */
  "request-timeout",
  /** Repair threw an exception: the response left as it came. */
  "repair",
  /** Rewriting the request threw an exception: it was forwarded as it came. */
  "rewrite",
  /** Recording threw an exception: the exchange, or a part of it, is not recorded. */
  "recording",
  /** The API, the dashboard or the metrics threw an exception. */
  "local",
  /** An exception outside of every boundary. */
  "uncaught",
] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

export type OnFailure = (kind: FailureKind, error: unknown) => void;

/**
 * Contains every failure of one exchange: exceptions in listeners of its emitters, `error` events without a listener, and exceptions in
 * callbacks that it was given. They end this exchange; without it, each of them would end the process and with it all other exchanges.
 */
export class ErrorBoundary {
  readonly #lastResort: () => void;
  #handle: (error: unknown) => void;
  #failed = false;

  /** `lastResort`: ends the exchange where `handle` fails, too. It must not throw. */
  constructor(handle: (error: unknown) => void, lastResort: () => void) {
    this.#handle = handle;
    this.#lastResort = lastResort;
  }

  /** What becomes of a failure from now on. */
  handleWith(handle: (error: unknown) => void): void {
    this.#handle = handle;
  }

  /** Contains whatever is emitted: all listeners, also those that are added later. */
  own(emitter: EventEmitter): void {
    const { emit } = emitter;
    emitter.emit = (...args) => {
      try {
        return Reflect.apply(emit, emitter, args);
      } catch (error) {
        this.fail(error);
        return true;
      }
    };
  }

  run(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }

  /** For timers and callbacks, which no emitter calls. */
  bind<Args extends readonly unknown[]>(callback: (...args: Args) => void): (...args: Args) => void {
    return (...args) => this.run(() => callback(...args));
  }

  /** The first failure ends the exchange; what follows from that is part of it. */
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
