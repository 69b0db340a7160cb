const BODY_LIMIT = 32 << 20;

/** Copies of a body's chunks, up to a bound. */
export class BodyCopy {
  #chunks: Buffer[] | undefined = [];
  #size = 0;

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > BODY_LIMIT) this.#chunks = undefined;
    this.#chunks?.push(chunk);
  }

  /** The whole body in pieces; undefined when it was too large to keep. */
  takeChunks(): readonly Buffer[] | undefined {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** The whole body in one piece. */
  take(): Buffer | undefined {
    const chunks = this.takeChunks();
    return chunks?.length === 1 ? chunks[0] : chunks && Buffer.concat(chunks);
  }
}
