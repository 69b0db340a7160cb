/** What may complete a candidate: the end of a tag, of brackets, or of a line. */
const CLOSERS = /[>})\]\n]/;

/**
 * Decides whether a new chunk justifies parsing an incomplete candidate again. Each attempt starts at the opener, so
 * attempts must be rare: when something closes, within a budget, and in any case when the text has doubled. The result
 * does not depend on when parsing happens, so this only affects latency.
 */
export class ReparseGate {
  private length = 0;
  /** Beyond this length the candidate is always parsed again. */
  private limit = 0;
  /** Characters parsed for this candidate so far. */
  private spent = 0;
  private soon = false;
  private readonly cap: number;

  constructor(cap: number) {
    this.cap = cap;
  }

  /** Records an attempt that needs more text. */
  recordAttempt(length: number, soon: boolean): void {
    this.length = length;
    this.spent += length;
    this.soon = soon;
    this.limit = Math.min(this.cap, length * 2 + 1024);
  }

  shouldReparse(chunk: string): boolean {
    this.length += chunk.length;
    if (this.length > this.limit) return true;
    if (this.spent > 3 * this.length + 8192) return false;
    return this.length < 64 || (this.soon && this.length < 1024) || CLOSERS.test(chunk);
  }
}
