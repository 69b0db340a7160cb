/** A value inside a JSON body: its bytes, and what parsing them gave. */
export interface JsonPart {
  start: number;
  /** Exclusive. */
  end: number;
  value: unknown;
}

/** Where a scan takes values from. */
export interface PartValues {
  /** Returns the value at this position if it is known, so that its bytes need not be scanned. */
  readonly known: (start: number) => JsonPart | undefined;
  /** Called with the parts inside a known one. */
  readonly inside: (known: JsonPart) => readonly JsonPart[];
  /** Returns a value that is not known. `index` is its position in an array. Throws if it is not JSON. */
  readonly read: (start: number, end: number, name: string, index?: number) => unknown;
}

/** The body may be JSON, but not of the kind that is read in parts. */
export class UnclearBodyError extends Error {
  constructor() {
    super("unclear");
    this.name = "UnclearBodyError";
  }
}

// Not imported: in the loops over every byte, constants of the same module are faster.
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Many more than a conversation has messages; reading each alone would cost more than reading all together. */
const MAX_PARTS = 20_000;

interface OpenArray {
  readonly name: string;
  readonly items: unknown[];
  readonly part: JsonPart;
}

/**
 * Reads a JSON object part by part: its members, and the items of members that are arrays. What it accepts is JSON, and
 * `body` equals the result of JSON.parse, with frozen arrays. All else throws, also some objects that are JSON, such as
 * one with the same name twice.
 */
export class JsonPartScan {
  readonly #bytes: Buffer;
  readonly #size: number;
  readonly #values: PartValues;
  readonly #body: Record<string, unknown> = {};
  readonly #parts: JsonPart[] = [];
  #at = 0;
  #array: OpenArray | undefined;
  #isDone = false;
  #containers = 0;

  constructor(bytes: Buffer, size: number, values: PartValues) {
    this.#bytes = bytes;
    this.#size = size;
    this.#values = values;
    this.#at = this.#expect(this.#blanks(0), OPEN_BRACE);
    if (this.#peek() === CLOSE_BRACE) this.#end();
  }

  /** The members that were read, in their order. */
  get body(): Readonly<Record<string, unknown>> {
    return this.#body;
  }

  /** All members and items, by position. */
  get parts(): JsonPart[] {
    return this.#parts;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Objects and arrays inside the values that were not known. */
  get containers(): number {
    return this.#containers;
  }

  /** Reads one value. */
  step(): void {
    if (this.#array === undefined) this.#member();
    else this.#item(this.#array);
  }

  #member(): void {
    const name = this.#name();
    this.#at = this.#expect(this.#blanks(this.#at), COLON);
    const start = this.#at;
    const known = this.#values.known(start);
    if (known === undefined && this.#bytes[start] === OPEN_BRACKET) {
      const items: unknown[] = [];
      this.#array = { name, items, part: { start, end: start, value: items } };
      this.#parts.push(this.#array.part);
      this.#at = this.#blanks(start + 1);
      if (this.#peek() === CLOSE_BRACKET) this.#closeArray(this.#array);
      return;
    }
    this.#body[name] = known === undefined ? this.#read(start, name) : this.#reuse(known);
    this.#afterMember();
  }

  #item(array: OpenArray): void {
    const start = this.#at;
    const known = this.#values.known(start);
    array.items.push(known === undefined ? this.#read(start, array.name, array.items.length) : this.#reuse(known));
    this.#at = this.#blanks(this.#at);
    if (this.#peek() === CLOSE_BRACKET) this.#closeArray(array);
    else this.#at = this.#expect(this.#at, COMMA);
  }

  #closeArray({ name, items, part }: OpenArray): void {
    this.#at += 1;
    this.#array = undefined;
    this.#body[name] = Object.freeze(items);
    part.end = this.#at;
    this.#afterMember();
  }

  #afterMember(): void {
    this.#at = this.#blanks(this.#at);
    if (this.#peek() === CLOSE_BRACE) this.#end();
    else this.#at = this.#expect(this.#at, COMMA);
  }

  #end(): void {
    if (this.#blanks(this.#at + 1) !== this.#size) throw new UnclearBodyError();
    this.#isDone = true;
  }

  #name(): string {
    const start = this.#at;
    if (this.#peek() !== QUOTE) throw new UnclearBodyError();
    const end = skipString(this.#bytes, start, this.#size);
    const name: unknown = JSON.parse(this.#bytes.toString("latin1", start, end));
    // An escaped or odd name is possible in JSON, and no client sends one.
    if (typeof name !== "string" || !PLAIN_NAME.test(name) || Object.hasOwn(this.#body, name))
      throw new UnclearBodyError();
    this.#at = end;
    return name;
  }

  #read(start: number, name: string, index?: number): unknown {
    if (this.#parts.length >= MAX_PARTS) throw new UnclearBodyError();
    const end = this.#skipValue(start);
    const value = this.#values.read(start, end, name, index);
    this.#parts.push({ start, end, value });
    this.#at = end;
    return value;
  }

  #reuse(known: JsonPart): unknown {
    this.#parts.push(known);
    for (const part of this.#values.inside(known)) this.#parts.push(part);
    this.#at = known.end;
    return known.value;
  }

  /** Counts brackets instead of recursing. The value is checked when it is parsed. */
  #skipValue(at: number): number {
    const [bytes, size] = [this.#bytes, this.#size];
    let depth = 0;
    let i = at;
    while (i < size) {
      const byte = bytes[i] as number;
      if (byte === QUOTE) {
        i = skipString(bytes, i, size);
        if (depth === 0) return i;
        continue;
      }
      if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth += 1;
        this.#containers += 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        if (depth === 0) return i;
        depth -= 1;
        if (depth === 0) return i + 1;
      } else if (depth === 0 && (byte === COMMA || isBlank(byte))) return i;
      i += 1;
    }
    return size;
  }

  #peek(): number | undefined {
    return this.#at < this.#size ? this.#bytes[this.#at] : undefined;
  }

  #expect(at: number, byte: number): number {
    if (at >= this.#size || this.#bytes[at] !== byte) throw new UnclearBodyError();
    return this.#blanks(at + 1);
  }

  #blanks(from: number): number {
    let at = from;
    while (at < this.#size && isBlank(this.#bytes[at] as number)) at += 1;
    return at;
  }
}

/** `__proto__` would not become a member. */
const PLAIN_NAME = /^(?!__proto__$)[a-zA-Z_][\w-]*$/;

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

/** Returns the position after the string, or `size` if it does not end. */
function skipString(bytes: Uint8Array, at: number, size: number): number {
  for (let i = at + 1; i < size; i += 1) {
    const byte = bytes[i];
    if (byte === BACKSLASH) i += 1;
    else if (byte === QUOTE) return i + 1;
  }
  return size;
}
