/** How much of a body is read. What is larger passes unread. */
export const BODY_LIMIT: number = 32 << 20;

/** Copies of a body's chunks, up to a bound. */
export class BodyCopy {
  #chunks: Buffer[] = [];
  #size = 0;

  /** Throws, and lets go of everything, when the body outgrows the bound. */
  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > BODY_LIMIT) {
      this.#chunks = [];
      throw new BodyTooLargeError();
    }
    this.#chunks.push(chunk);
  }

  /** Does a short text of plain characters stand in it? */
  includes(text: string): boolean {
    let before: Buffer = Buffer.alloc(0);
    for (const chunk of this.#chunks) {
      if (chunk.includes(text, 0, "latin1")) return true;
      // It may stand across two pieces.
      const seam = Buffer.concat([before, chunk.subarray(0, text.length - 1)]);
      if (seam.includes(text, 0, "latin1")) return true;
      before = chunk.length >= text.length - 1 ? chunk.subarray(1 - text.length) : seam.subarray(1 - text.length);
    }
    return false;
  }

  /** Holds this instead: the same body, decoded. */
  replace(body: Buffer): void {
    this.#chunks = [body];
    this.#size = body.length;
  }

  /** The whole body in pieces. */
  takeChunks(): readonly Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** The whole body in one piece. */
  take(): Buffer {
    const chunks = this.takeChunks();
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
  }
}

/** A body is larger than we are willing to read. */
export class BodyTooLargeError extends Error {
  readonly code = "body-too-large";
  constructor() {
    super("too large");
    this.name = "BodyTooLargeError";
  }
}
