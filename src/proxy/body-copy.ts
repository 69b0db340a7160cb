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

  /** Does a short text of plain characters stand in it? */
  includes(text: string): boolean {
    let before: Buffer = Buffer.alloc(0);
    for (const chunk of this.#chunks ?? []) {
      if (chunk.includes(text, 0, "latin1")) return true;
      // It may stand across two pieces.
      const seam = Buffer.concat([before, chunk.subarray(0, text.length - 1)]);
      if (seam.includes(text, 0, "latin1")) return true;
      before = chunk.length >= text.length - 1 ? chunk.subarray(1 - text.length) : seam.subarray(1 - text.length);
    }
    return false;
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
