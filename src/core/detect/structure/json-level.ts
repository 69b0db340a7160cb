/** Larger objects describe an entity; smaller ones are results. */
export const ENTITY_LENGTH = 600;

/** Wrapper keys: their content counts as top level. */
const WRAPPERS = new Set(
  "result results data response output body payload metadata meta structuredcontent value return detail".split(" "),
);

/** Scans a structured text once from left to right and tracks the nesting level of a position. */
export class LevelScanner {
  readonly #text: string;
  /** In a short result the first object of a list counts as top level. */
  readonly #short: boolean;
  #at: number;
  #path: string[] = [];
  #key = "";
  #lastString = "";
  /** Position after the string that contains a match. */
  stringEnd = 0;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#short = end - start <= ENTITY_LENGTH;
    this.#at = start;
  }

  levelAt(place: number): "top" | "nested" | "inside-text" {
    const text = this.#text;
    while (this.#at < place) {
      const code = text.charCodeAt(this.#at);
      if (code === 34 || code === 39) {
        const stop = this.#stringEnd(this.#at);
        if (stop > place) {
          this.stringEnd = stop;
          return "inside-text";
        }
        this.#lastString = text.slice(this.#at + 1, Math.min(stop - 1, this.#at + 40));
        this.#at = stop;
        continue;
      }
      if (code === 58) {
        this.#key = this.#lastString;
      } else if (code === 123 || code === 91) {
        this.#path.push(this.#path.length === 0 ? "" : code === 91 ? `[${this.#key}` : this.#key);
      } else if (code === 125 || code === 93) {
        this.#path.pop();
      }
      this.#at += 1;
    }
    return this.#path.length === 1 ||
      this.#path
        .slice(1)
        .every((key) => (key === "" || key === "status" ? this.#short : WRAPPERS.has(key.toLowerCase())))
      ? "top"
      : "nested";
  }

  #stringEnd(at: number): number {
    const text = this.#text;
    const quote = text[at] ?? '"';
    let stop = text.indexOf(quote, at + 1);
    while (stop !== -1 && isEscaped(text, stop)) {
      stop = text.indexOf(quote, stop + 1);
    }
    return stop === -1 ? text.length : stop + 1;
  }
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 92 && slashes < 64) {
    slashes += 1;
  }
  return slashes % 2 === 1;
}
