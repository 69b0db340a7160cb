import { FrameTooLargeError, joinBytes } from "./event-framer.ts";

/** The bytes of a frame whose end has not arrived. */
export class FrameBuffer {
  readonly #limit: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#size;
  }

  /** Throws when the frame exceeds the limit; the caller then stops observing. */
  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size > this.#limit) throw new FrameTooLargeError(this.#limit);
  }

  /** Returns the frame with its last part, and begins the next one. The limit is for frames that do not end. */
  take(last: Uint8Array = new Uint8Array()): Uint8Array {
    const frame = joinBytes([...this.#parts, last], this.#size + last.length);
    this.#parts = [];
    this.#size = 0;
    return frame;
  }
}
