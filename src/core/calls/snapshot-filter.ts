/**
 * Removes repetitions from a stream: some servers send all arguments so far in every event. An event is a repetition
 * only if it begins with all previous text, and appending it would not be JSON. So text that only looks like a
 * repetition stays. Takes linear time.
 */
export class SnapshotFilter {
  readonly #progress = new JsonProgress();
  /** Parsed lazily: the result is rarely needed. */
  #unread = "";
  #text = "";
  #hasRepetitions = false;

  /** Takes the next piece. Returns what is new in it. */
  push(piece: string): string {
    const added = this.#isSnapshot(piece) ? piece.slice(this.#text.length) : piece;
    this.#hasRepetitions ||= added !== piece;
    this.#unread += added;
    if (this.#unread.length > MAX_UNREAD_CHARS) this.#read();
    if (this.#text.length <= MAX_COMPARED_CHARS) this.#text += added;
    return added;
  }

  /** Whether anything was removed. */
  get hasRepetitions(): boolean {
    return this.#hasRepetitions;
  }

  /** Whether the arguments are a complete object. */
  get isComplete(): boolean {
    return this.#read().isComplete;
  }

  #read(): JsonProgress {
    this.#progress.read(this.#unread);
    this.#unread = "";
    return this.#progress;
  }

  #isSnapshot(piece: string): boolean {
    if (this.#text === "" || piece.length < this.#text.length || this.#text.length > MAX_COMPARED_CHARS) return false;
    // The argument check decides about a complete object that is repeated.
    if (!piece.startsWith(this.#text) || this.isComplete) return false;
    // A server that repeated once always repeats: later repetitions need no other evidence.
    if (this.#hasRepetitions) return true;
    const progress = this.#read();
    // Two equal characters, or text that is not JSON anyway, are no evidence.
    const isSign = !progress.isBroken && this.#text.length > 1 && piece.length > this.#text.length;
    return isSign && !progress.copy().read(piece);
  }
}

const MAX_UNREAD_CHARS = 1 << 16;
/** Longer arguments are not compared with what follows. */
const MAX_COMPARED_CHARS = 1 << 20;
const SPACES = " \t\r\n";

/** State of a JSON text that arrives in pieces: enough to decide whether a piece can follow. */
class JsonProgress {
  /** Open brackets, outermost first. */
  #open = "";
  #isInString = false;
  #isEscaped = false;
  #isBroken = false;
  /** What may follow, outside of strings. */
  #next: "value" | "first key" | "key" | "colon" | "comma" | "end" = "value";
  /** Whether the current string is a key. */
  #isKey = false;

  get isComplete(): boolean {
    return this.#next === "end" && !this.#isBroken;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  copy(): JsonProgress {
    const copy = new JsonProgress();
    copy.#open = this.#open;
    copy.#isInString = this.#isInString;
    copy.#isEscaped = this.#isEscaped;
    copy.#isBroken = this.#isBroken;
    copy.#next = this.#next;
    copy.#isKey = this.#isKey;
    return copy;
  }

  /** Returns false if this piece cannot follow in JSON. */
  read(piece: string): boolean {
    for (const sign of this.#isBroken ? "" : piece) {
      if (this.#isInString) this.#readInString(sign);
      else if (!SPACES.includes(sign) && !this.#readSign(sign)) {
        this.#isBroken = true;
        break;
      }
    }
    return !this.#isBroken;
  }

  #readInString(sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === "\\") this.#isEscaped = true;
    else if (sign === '"') {
      this.#isInString = false;
      this.#next = this.#isKey ? "colon" : this.#afterValue();
    }
  }

  #readSign(sign: string): boolean {
    const mayClose = this.#next === "comma" || this.#next === "first key";
    if (sign === "}" || sign === "]") {
      const isOwn = this.#open.endsWith(sign === "}" ? "{" : "[");
      // A list may be empty: its bracket may replace a value.
      if (!isOwn || !(mayClose || (sign === "]" && this.#next === "value"))) return false;
      this.#open = this.#open.slice(0, -1);
      this.#next = this.#afterValue();
      return true;
    }
    switch (this.#next) {
      case "first key":
      case "key":
        this.#isKey = true;
        this.#isInString = sign === '"';
        return this.#isInString;
      case "colon":
        this.#next = "value";
        return sign === ":";
      case "comma":
        if (sign === ",") this.#next = this.#open.endsWith("{") ? "key" : "value";
        // Digits and letters of a scalar come one by one.
        return sign === "," || IN_SCALAR.test(sign);
      case "value":
        return this.#beginValue(sign);
      case "end":
        return false;
    }
  }

  #beginValue(sign: string): boolean {
    if (sign === "{" || sign === "[") {
      if (this.#open.length >= MAX_DEPTH) return false;
      this.#open += sign;
      this.#next = sign === "{" ? "first key" : "value";
      return true;
    }
    this.#isKey = false;
    this.#isInString = sign === '"';
    if (!this.#isInString) this.#next = this.#afterValue();
    return this.#isInString || IN_SCALAR.test(sign);
  }

  #afterValue(): "comma" | "end" {
    return this.#open === "" ? "end" : "comma";
  }
}

const MAX_DEPTH = 64;
const IN_SCALAR = /[\w.+-]/;
