/**
 * Decides, while a candidate is incomplete, whether a new chunk is worth reading it again. Each reading starts at the
 * opener, so it must be rare: where JSON closes its last bracket, where markup closes a tag, and in any case when the
 * text has grown by half. The readers decide the same whenever they are asked, so this only moves latency.
 */
export class Waker {
  private length: number;
  private readonly tried: number;
  /** Characters read for this candidate so far. */
  private readonly spent: number;
  private readonly cap: number;
  private readonly soon: boolean;

  private mode: "json" | "markup" | "unknown";
  private depth = 0;
  private inString = false;
  private escaped = false;

  constructor(text: string, start: number, bodyAt: number, spent: number, cap: number, soon: boolean) {
    this.spent = spent;
    this.cap = cap;
    this.length = text.length - start;
    this.tried = this.length;

    let body = bodyAt;
    while (body < text.length && text.charCodeAt(body) <= 32) body += 1;
    const c = text.charCodeAt(body);
    this.soon = soon;
    this.mode = body >= text.length ? "unknown" : c === 123 || c === 91 ? "json" : "markup";
    if (this.mode === "json") this.follow(text, body);
  }

  wakes(chunk: string): boolean {
    this.length += chunk.length;
    if (this.mode === "unknown" || this.length < 64 || (this.soon && this.length < 1024)) return true;
    if (this.length > this.tried * 1.5 + 1024 || this.length > this.cap) return true;
    const signal = this.mode === "json" ? this.follow(chunk, 0) : hasClose(chunk);
    return signal && this.spent <= 5 * this.length + 8192;
  }

  /** Follows the brackets; true when the last one was closed, or text goes on behind it. */
  private follow(text: string, from: number): boolean {
    let closed = this.depth === 0 && from === 0;
    for (let i = from; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (this.inString) {
        if (this.escaped) this.escaped = false;
        else if (c === 92) this.escaped = true;
        else if (c === 34) this.inString = false;
      } else if (c === 34) this.inString = true;
      else if (c === 123 || c === 91) this.depth += 1;
      else if (c === 125 || c === 93) {
        this.depth -= 1;
        if (this.depth <= 0) {
          this.depth = 0;
          closed = true;
        }
      }
    }
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
