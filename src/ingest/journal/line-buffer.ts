const INITIAL_BYTES = 64 << 10;
const MAX_KEPT_BYTES = 1 << 20;
const LF = 10;
/** The most that a UTF-16 code unit takes in UTF-8. */
const MAX_BYTES_PER_UNIT = 3;

/**
 * Encodes lines one by one. Joined as one text, a single character beyond Latin-1 would double the memory of all lines
 * and slow down encoding them.
 */
export class LineBuffer {
  #bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #size = 0;

  /** Returns all lines as UTF-8, each with a line feed. */
  encode(lines: Iterable<string>): Buffer {
    this.#size = 0;
    for (const line of lines) this.#add(line);
    const encoded = Buffer.from(this.#bytes.subarray(0, this.#size));
    if (this.#bytes.length > MAX_KEPT_BYTES) this.#bytes = Buffer.allocUnsafeSlow(INITIAL_BYTES);
    return encoded;
  }

  #add(line: string): void {
    this.#reserve(line.length * MAX_BYTES_PER_UNIT + 1);
    this.#size += this.#bytes.write(line, this.#size);
    this.#bytes[this.#size] = LF;
    this.#size += 1;
  }

  #reserve(more: number): void {
    const needed = this.#size + more;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}
