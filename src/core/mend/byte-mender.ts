import { EventFramer } from "../wire/event-framer.ts";
import type { StreamMender } from "./types.ts";

/** One event of more than this is passed as it comes, and so is everything behind it. */
const EVENT_LIMIT = 4 << 20;

/** Bytes of a stream in, bytes out, mended on the way: wherever a stream is cut, the same comes out. */
export class ByteMender {
  readonly #framer = new EventFramer(Number.POSITIVE_INFINITY);
  readonly #mender: StreamMender;
  #passing = false;

  constructor(mender: StreamMender) {
    this.#mender = mender;
  }

  push(chunk: Uint8Array): readonly Uint8Array[] {
    if (this.#passing) return [chunk];
    const out = this.#framer.push(chunk).flatMap((frame) => this.#mender.push(frame));
    if (this.#framer.held <= EVENT_LIMIT) return out;
    this.#passing = true;
    return [...out, ...this.end()];
  }

  /** The stream is over, or broke off: everything that is still held. */
  end(): readonly Uint8Array[] {
    return [...this.#mender.end(), this.#framer.end()].filter(({ length }) => length > 0);
  }
}
