/** Larger bodies are forwarded without being read. */
export const BODY_LIMIT: number = 32 << 20;

/** References to a body's chunks, up to `BODY_LIMIT`. */
export class BodyCopy {
  #chunks: Buffer[] = [];
  #size = 0;

  /** Throws and drops all chunks if the body exceeds the limit. */
  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > BODY_LIMIT) {
      this.#chunks = [];
      throw new BodyTooLargeError();
    }
    this.#chunks.push(chunk);
  }

  /** Whether the body contains a short ASCII text. Searches from the end, where most clients put their tools. */
  includes(text: string): boolean {
    const overlap = text.length - 1;
    let after: Buffer = Buffer.alloc(0);
    for (let at = this.#chunks.length - 1; at >= 0; at -= 1) {
      const chunk = this.#chunks[at] as Buffer;
      if (chunk.includes(text, 0, "latin1")) return true;
      // The text may span two chunks.
      const seam = Buffer.concat([chunk.subarray(Math.max(0, chunk.length - overlap)), after]);
      if (seam.includes(text, 0, "latin1")) return true;
      after = (chunk.length >= overlap ? chunk : seam).subarray(0, overlap);
    }
    return false;
  }

  get chunks(): readonly Buffer[] {
    return this.#chunks;
  }

  /** Replaces the chunks with the decoded body. */
  replace(body: Buffer): void {
    this.#chunks = [body];
    this.#size = body.length;
  }

  /** Returns the chunks and drops them here. */
  takeChunks(): readonly Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** Returns the body as one buffer and drops it here. */
  take(): Buffer {
    const chunks = this.takeChunks();
    return joinChunks(chunks);
  }
}

/** One chunk is returned as it is; several are copied. */
export function joinChunks(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}

export class BodyTooLargeError extends Error {
  readonly code = "body-too-large";
  constructor() {
    super("too large");
    this.name = "BodyTooLargeError";
  }
}
