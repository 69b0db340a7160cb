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

  /** Whether the body contains a short ASCII text. */
  includes(text: string): boolean {
    let before: Buffer = Buffer.alloc(0);
    for (const chunk of this.#chunks) {
      if (chunk.includes(text, 0, "latin1")) return true;
      // The text may span two chunks.
      const seam = Buffer.concat([before, chunk.subarray(0, text.length - 1)]);
      if (seam.includes(text, 0, "latin1")) return true;
      before = chunk.length >= text.length - 1 ? chunk.subarray(1 - text.length) : seam.subarray(1 - text.length);
    }
    return false;
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
