/**
 * Decides whether a new chunk justifies parsing an incomplete candidate again. Each attempt starts at the opener, so
 * attempts must be rare: when JSON closes its last bracket, when markup closes a tag, and in any case when the text has
 * grown several times. The result does not depend on when parsing happens, so this only affects latency.
 */
export class ReparseGate {
  private length = 0;
  /** Beyond this length the candidate is always parsed again. */
  private limit = 0;
  /** Characters parsed for this candidate so far. */
  private spent = 0;
  private soon = false;
  private mode: "json" | "markup" | "unknown" = "unknown";
  private depth = 0;
  private inString = false;
  private escaped = false;
  private readonly cap: number;

  constructor(cap: number) {
    this.cap = cap;
  }

  /** Records an attempt that needs more text. */
  recordAttempt(text: string, start: number, bodyAt: number, soon: boolean): void {
    this.length = text.length - start;
    this.spent += this.length;
    this.soon = soon;
    if (this.mode === "unknown") {
      let body = bodyAt;
      while (body < text.length && text.charCodeAt(body) <= 32) body += 1;
      const c = text.charCodeAt(body);
      if (body < text.length) this.mode = c === 123 || c === 91 ? "json" : "markup";
      if (this.mode === "json") this.trackBrackets(text, body);
    }
    // Balanced brackets show when JSON is complete; only damaged JSON needs attempts in between.
    this.limit = Math.min(this.cap, this.length * (this.mode === "json" ? 8 : 2) + 1024);
  }

  shouldReparse(chunk: string): boolean {
    this.length += chunk.length;
    const signal = this.mode === "json" ? this.trackBrackets(chunk, 0) : this.mode === "unknown" || hasClose(chunk);
    if (this.length > this.limit) return true;
    if (this.spent > 5 * this.length + 8192) return false;
    return signal || this.length < 64 || (this.soon && this.length < 1024);
  }

  /** Tracks brackets. Returns true if the last one was closed, or if text follows it. */
  private trackBrackets(text: string, from: number): boolean {
    let { depth, inString, escaped } = this;
    let closed = depth === 0 && from === 0;
    for (let i = from; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (escaped) escaped = false;
      else if (inString) {
        escaped = c === 92;
        inString = c !== 34;
      } else if (c === 34) inString = true;
      else if (c === 123 || c === 91) depth += 1;
      else if ((c === 125 || c === 93) && --depth <= 0) {
        depth = 0;
        closed = true;
      }
    }
    this.depth = depth;
    this.inString = inString;
    this.escaped = escaped;
    return closed;
  }
}

function hasClose(chunk: string): boolean {
  for (let i = 0; i < chunk.length; i++) {
    const c = chunk.charCodeAt(i);
    if (c === 62 || c === 125 || c === 41 || c === 93 || c === 10) return true;
  }
  return false;
}
