import type { KeyDoubt } from "../arguments-fit.ts";
import { skipWhitespace } from "./read-string.ts";
import type { Repair } from "./repairs.ts";

/** What differs between the dialects that share this reader. */
export interface TolerantOptions {
  /** Tokens that quote a string and cannot occur in it (Gemma's `<|"|>`). */
  readonly quoteTokens?: readonly string[];
  /** Python: `f(a=1)` places, where `)` ends a value. */
  readonly python?: boolean;
}

/** What holds the value that is being read. */
export type Holder = "object" | "array";

/** The text at this position cannot be parsed. */
export class Unreadable extends Error {}

/** How far a tolerant reader has come, and what it noticed on the way. */
export class TolerantState {
  i: number;
  /** The text ended inside a value. */
  open = false;
  /** More text might change what was read. */
  touched = false;
  /** The text ended inside a string. */
  inString = false;
  /** What the value before leaves open: the next key may belong to it. */
  loose: KeyDoubt | undefined;
  readonly keyDoubts = new Map<string, KeyDoubt>();
  readonly repairs = new Set<Repair>();
  readonly text: string;
  readonly limit: number;
  readonly options: TolerantOptions;

  constructor(text: string, start: number, limit: number, options: TolerantOptions) {
    this.text = text;
    this.i = start;
    this.limit = limit;
    this.options = options;
  }

  /** Has the text run out? Then whatever is being read stays open. */
  ranOut(): boolean {
    if (this.i < this.limit) return false;
    this.open = true;
    return true;
  }

  /** Skips blanks and comments. */
  gap(): void {
    for (;;) {
      this.i = skipWhitespace(this.text, this.i, this.limit);
      const two = this.text.slice(this.i, this.i + 2);
      if (two === "//" || two[0] === "#") {
        while (this.i < this.limit && this.text[this.i] !== "\n" && this.text[this.i] !== "\r") this.i += 1;
      } else if (two === "/*") {
        const end = this.text.indexOf("*/", this.i + 2);
        this.i = end === -1 || end > this.limit ? this.limit : end + 2;
      } else return;
      this.repairs.add("comment");
    }
  }
}
