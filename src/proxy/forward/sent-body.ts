import type { ClientRequest } from "node:http";

const MAX_RESEND_BYTES = 32 << 20;

/** References to the chunks sent so far, for a retry. Dropped when the upstream responds or the body gets too large. */
export class SentBody {
  #chunks: Buffer[] = [];
  #size = 0;
  #isDropped = false;
  #ended = false;

  get canReplay(): boolean {
    return !this.#isDropped;
  }

  add(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_RESEND_BYTES) this.drop();
    if (!this.#isDropped) this.#chunks.push(chunk);
  }

  drop(): void {
    this.#isDropped = true;
    this.#chunks = [];
  }

  end(): void {
    this.#ended = true;
  }

  /** All chunks; undefined if the body is not complete or was dropped. */
  get whole(): readonly Buffer[] | undefined {
    return this.#ended && !this.#isDropped ? this.#chunks : undefined;
  }

  /** Sends the chunks again. Later chunks follow as they arrive. */
  replay(upstream: ClientRequest): void {
    for (const chunk of this.#chunks) upstream.write(chunk);
    this.drop();
    if (this.#ended) upstream.end();
  }
}
