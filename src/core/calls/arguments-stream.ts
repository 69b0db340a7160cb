import { type JsonNode, MAX_JSON_DEPTH, readWholeTree } from "../json/json-tree.ts";
import { applyEdits } from "../json/values.ts";
import { ANY, type SchemaNode } from "../schema/compile.ts";
import { memberPath, Steps, TooManyStepsError } from "../schema/fits.ts";
import { type CheckedArguments, checkArguments, MAX_ARGUMENT_CHARS, MAX_STEPS, WRAPPERS } from "./repair-arguments.ts";
import {
  type FaultFilter,
  folded,
  isNeedlessNull,
  type Repair,
  repairItem,
  repairValue,
  type Source,
} from "./repair-value.ts";
import { planFor } from "./value-plan.ts";

/** An object or a list that is not closed yet. */
interface Frame {
  readonly closer: "}" | "]";
  readonly schema: SchemaNode;
  readonly path: string;
  readonly keys: Set<string>;
  /** Members or items so far. */
  count: number;
  /** Whether a member or an item was sent, so that the next one needs its comma. */
  hasSent: boolean;
  /** What preceded the first member, if only removed members arrived so far. */
  lead: string | undefined;
}

/** What the next character belongs to. */
type State =
  | "start"
  /** A key, or the end of an empty object. */
  | "first key"
  | "key"
  | "in key"
  | "colon"
  /** An item, or the end of an empty list. */
  | "first item"
  | "value"
  /** In a string that is sent as it arrives. */
  | "in text"
  | "in held string"
  | "in held scalar"
  | "in held container"
  | "after value"
  | "done";

/**
 * `walk`: characters are sent or held depending on the state. `hold`: everything waits for the end of the arguments.
 * `raw`: everything is sent unchanged, because the arguments can no longer be repaired.
 */
type Mode = "walk" | "hold" | "raw";

/**
 * Checks arguments while they arrive, in pieces of any size. Text that fits is sent immediately. Text that may change
 * is held as briefly as possible: a key, a scalar, the value of one member or, if only the end decides, the rest. Sent
 * text is always a prefix of the result. Never throws; takes linear time.
 */
export class ArgumentsStream {
  readonly #schema: SchemaNode;
  readonly #tool: string;
  readonly #isEnabled: FaultFilter | undefined;
  readonly #pieces: string[] = [];
  readonly #sent: string[] = [];
  #size = 0;
  #decided = 0;
  #mode: Mode = "walk";
  #state: State = "start";
  readonly #frames: Frame[] = [];
  /** Held: what precedes the value (comma, key, colon), and the value so far. */
  #before = "";
  #value: string[] = [];
  /** What preceded the key. */
  #lead = "";
  #key = "";
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  readonly #repairs: Repair[] = [];
  #needsCheck = false;
  /** Text after the first repair waits here, so that a short call that cannot be repaired is sent unchanged. */
  #deferred = "";
  /** Whether a repaired value was sent. */
  #hasSentRepair = false;
  #sentChars = 0;

  constructor(schema: SchemaNode, tool: string, isEnabled?: FaultFilter) {
    this.#schema = schema;
    this.#tool = tool;
    this.#isEnabled = isEnabled;
  }

  /** The arguments so far, as they arrived. */
  get written(): string {
    return this.#pieces.join("");
  }

  /** Ends arguments that were cut off: what is held is sent unchanged. */
  abandon(): { readonly rest: string; readonly checked: CheckedArguments } {
    const rest = this.#isDeferring ? this.#unsentAsWritten : this.#giveUp();
    const text = this.#sent.join("") + rest;
    return { rest, checked: { kind: "invalid", text, misfits: [{ path: "$", problem: "was cut off" }] } };
  }

  /** Takes a piece of the arguments. Returns what may be sent now. */
  push(piece: string): string {
    this.#size += piece.length;
    if (this.#isTooLarge) return this.#takeTooLarge(piece);
    this.#pieces.push(piece);
    const decided = this.#decided;
    const taken = this.#take(piece);
    if (!this.#holdsValue) this.#decided = this.#size;
    const out = this.#isDeferring ? this.#defer(taken, decided) : taken;
    if (out !== "") this.#sent.push(out);
    this.#sentChars += out.length;
    return out;
  }

  /** Whether something was repaired, but no repair was sent yet. Then all sent text is unchanged. */
  get #isDeferring(): boolean {
    return this.#repairs.length > 0 && !this.#hasSentRepair;
  }

  get #unsentAsWritten(): string {
    return this.written.slice(this.#sentChars);
  }

  #defer(out: string, decided: number): string {
    if (this.#hasGivenUp()) {
      // No reading of the call fits: deferred text is sent unchanged, too.
      this.#repairs.length = 0;
      this.#deferred = "";
      return this.#unsentAsWritten;
    }
    this.#deferred += out;
    if (this.#deferred.length <= MAX_DEFERRED_CHARS) {
      this.#decided = decided;
      return "";
    }
    this.#hasSentRepair = true;
    const all = this.#deferred;
    this.#deferred = "";
    return all;
  }

  get #isTooLarge(): boolean {
    return this.#size > MAX_ARGUMENT_CHARS;
  }

  /** Sends everything, and drops what was kept only for the check. */
  #takeTooLarge(piece: string): string {
    const held = this.#isDeferring ? this.#unsentAsWritten : this.#giveUp();
    this.#mode = "raw";
    this.#pieces.length = 0;
    this.#sent.length = 0;
    this.#decided = this.#size;
    return held + piece;
  }

  /** Number of decided characters of the arguments: sent unchanged, replaced or removed. */
  get decided(): number {
    return this.#decided;
  }

  /** Whether held text makes a client wait. */
  get isHolding(): boolean {
    return this.#holdsValue || this.#deferred !== "";
  }

  get #holdsValue(): boolean {
    return this.#before !== "" || this.#value.length > 0;
  }

  /** Ends the arguments. Returns the remaining text, and the result of the check. */
  end(): { readonly rest: string; readonly checked: CheckedArguments } {
    if (this.#isTooLarge) return { rest: "", checked: { kind: "valid", text: "" } };
    const sent = this.#sent.join("");
    const held = this.#isDeferring ? this.#unsentAsWritten : this.#before + this.#value.join("");
    if (this.#state === "done" && held === "" && !this.#needsCheck) return { rest: "", checked: this.#result(sent) };
    const checked = checkArguments(this.#pieces.join(""), this.#schema, this.#tool, this.#isEnabled);
    if (checked.kind !== "invalid" && checked.text.startsWith(sent))
      return { rest: checked.text.slice(sent.length), checked };
    // The rest is sent unchanged. Values repaired earlier stay repaired: they were sent.
    const misfits =
      checked.kind === "invalid" ? checked.misfits : [{ path: "$", problem: "was sent before it could be repaired" }];
    return { rest: held, checked: { kind: "invalid", text: sent + held, misfits } };
  }

  #result(text: string): CheckedArguments {
    return this.#repairs.length === 0 ? { kind: "valid", text } : { kind: "repaired", text, repairs: this.#repairs };
  }

  #take(arrived: string): string {
    if (this.#hasGivenUp()) return arrived;
    const isCutEscape = this.#state === "in text" && this.#isWalking();
    const piece = isCutEscape ? this.#before + arrived : arrived;
    if (isCutEscape) this.#before = "";
    let out = "";
    let at = 0;
    while (at < piece.length && this.#isWalking()) {
      const step = this.#step(piece, at);
      out += step.out;
      at = step.at;
      if (!this.#holdsValue) this.#decided = this.#size - piece.length + at;
    }
    const rest = piece.slice(at);
    if (this.#hasGivenUp()) return out + rest;
    if (rest !== "") this.#value.push(rest);
    return out;
  }

  #isWalking(): boolean {
    return this.#mode === "walk";
  }

  #hasGivenUp(): boolean {
    return this.#mode === "raw";
  }

  /** The arguments stay unchanged: sends the held text. */
  #giveUp(): string {
    this.#mode = "raw";
    this.#needsCheck = true;
    const held = this.#before + this.#value.join("");
    this.#before = "";
    this.#value = [];
    return held;
  }

  /** Only the end decides what this is: not JSON, an object around the arguments, or a key that may be misspelled. */
  #holdRest(at: number): Step {
    this.#mode = "hold";
    return { out: "", at };
  }

  /** Handles at least one character, or changes the mode. */
  #step(piece: string, at: number): Step {
    switch (this.#state) {
      case "in text":
        return this.#readText(piece, at);
      case "in key":
        return this.#readKey(piece, at);
      case "in held string":
      case "in held container":
        return this.#readHeld(piece, at);
      case "in held scalar":
        return this.#readScalar(piece, at);
      default:
        return this.#readSign(piece.charAt(at), at);
    }
  }

  #readSign(sign: string, at: number): Step {
    if (sign === " " || sign === "\n" || sign === "\t" || sign === "\r") {
      if (this.#state === "done") return { out: sign, at: at + 1 };
      this.#before += sign;
      return { out: "", at: at + 1 };
    }
    switch (this.#state) {
      case "start":
        // Alternatives for the arguments as a whole can only be compared with all of them.
        if (sign !== "{" || this.#schema.unions.length > 0) return this.#holdRest(at);
        this.#before += sign;
        this.#open("}", this.#schema, "$");
        return { out: "", at: at + 1 };
      case "first key":
      case "key":
        return this.#beginKey(sign, at);
      case "colon":
        if (sign !== ":") return this.#holdRest(at);
        this.#before += sign;
        this.#state = "value";
        return this.#decideKey(at + 1);
      case "first item":
      case "value":
        return this.#beginValue(sign, at);
      case "after value":
        return this.#continue(sign, at);
      default:
        // Something follows the closing brace.
        return this.#holdRest(at);
    }
  }

  #open(closer: "}" | "]", schema: SchemaNode, path: string): void {
    this.#frames.push({ closer, schema, path, keys: new Set(), count: 0, hasSent: false, lead: undefined });
    this.#state = closer === "}" ? "first key" : "first item";
  }

  #beginKey(sign: string, at: number): Step {
    const top = this.#frames.at(-1);
    if (sign === "}" && this.#state === "first key" && top !== undefined) {
      // An empty object may precede the real one.
      return this.#frames.length === 1 ? this.#holdRest(at) : this.#close(top, sign, at);
    }
    if (sign !== '"' || top === undefined) return this.#holdRest(at);
    // Drops the comma behind a removed first member.
    this.#lead = top.lead ?? this.#before;
    top.lead = undefined;
    this.#before = this.#lead + sign;
    this.#key = "";
    this.#isEscaped = false;
    this.#state = "in key";
    return { out: "", at: at + 1 };
  }

  #readKey(piece: string, from: number): Step {
    const end = this.#stringEnd(piece, from);
    if (end === undefined) return this.#holdRest(from);
    const part = piece.slice(from, end.at);
    this.#before += part;
    this.#key += part;
    if (!end.isClosed) return { out: "", at: end.at };
    const key = readWholeTree(`"${this.#key}`);
    if (key?.kind !== "string") return this.#holdRest(end.at);
    this.#key = key.value;
    this.#state = "colon";
    return { out: "", at: end.at };
  }

  /** Decides by the key alone, before the value arrives. */
  #decideKey(at: number): Step {
    const top = this.#frames.at(-1);
    if (top === undefined) return this.#holdRest(at);
    const { schema, keys } = top;
    // Of two values for one key, either may be meant.
    if (keys.has(this.#key)) return { out: this.#giveUp(), at };
    keys.add(this.#key);
    if (schema.isOpaque || schema.properties.has(this.#key)) return { out: "", at };
    const isWrapper = this.#key === "name" || WRAPPERS.some((name) => name === this.#key);
    if (this.#frames.length === 1 && isWrapper && keys.size <= 2) return this.#holdRest(at);
    const wanted = folded(this.#key);
    for (const name of schema.properties.keys()) if (folded(name) === wanted) return this.#holdRest(at);
    return schema.additional === false ? { out: this.#giveUp(), at } : { out: "", at };
  }

  #schemaOfValue(): SchemaNode {
    const top = this.#frames.at(-1);
    if (top === undefined) return ANY;
    if (top.closer === "]") return top.schema.items;
    return top.schema.properties.get(this.#key) ?? (top.schema.additional || ANY);
  }

  #pathOfValue({ closer, path, count }: Frame): string {
    return closer === "]" ? `${path}[${count}]` : memberPath(path, this.#key);
  }

  #beginValue(sign: string, at: number): Step {
    const top = this.#frames.at(-1);
    if (top === undefined) return this.#holdRest(at);
    if (sign === "]" && this.#state === "first item") return this.#close(top, sign, at);
    const plan = planFor(this.#schemaOfValue(), sign);
    this.#isEscaped = false;
    this.#depth = 0;
    this.#isInString = false;
    if (plan.kind === "hold") {
      if (sign === '"') this.#state = "in held string";
      else this.#state = sign === "{" || sign === "[" ? "in held container" : "in held scalar";
      if (this.#state === "in held scalar") return { out: "", at };
      this.#value.push(sign);
      this.#depth = 1;
      this.#isInString = sign === '"';
      return { out: "", at: at + 1 };
    }
    if (plan.kind === "container" && this.#frames.length >= MAX_JSON_DEPTH) return { out: this.#giveUp(), at };
    const out = this.#before + sign;
    this.#before = "";
    const path = this.#pathOfValue(top);
    top.hasSent = true;
    if (plan.kind === "container") this.#open(sign === "{" ? "}" : "]", plan.schema, path);
    else this.#state = "in text";
    return { out, at: at + 1 };
  }

  #readText(piece: string, from: number): Step {
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (code === QUOTE) {
        this.#endValue();
        return { out: piece.slice(from, at + 1), at: at + 1 };
      }
      if (code === BACKSLASH) {
        if (at + 1 === piece.length) {
          // The escape is split between two pieces.
          this.#before = piece.slice(at);
          return { out: piece.slice(from, at), at: piece.length };
        }
        at += 1;
        if (ESCAPES.includes(piece.charAt(at))) continue;
        at -= 1;
      } else if (code >= FIRST_PLAIN_CODE) continue;
      // JSON does not allow this character here, but the text before it is unambiguous.
      this.#mode = "hold";
      return { out: piece.slice(from, at), at };
    }
    return { out: piece.slice(from), at: piece.length };
  }

  /** Finds the end of a string, or of the piece. Returns undefined at a character that JSON does not allow. */
  #stringEnd(piece: string, from: number): { readonly at: number; readonly isClosed: boolean } | undefined {
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (code < FIRST_PLAIN_CODE) return undefined;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) return { at: at + 1, isClosed: true };
    }
    return { at: piece.length, isClosed: false };
  }

  /** Reads a held string or container to its end, by quotes and brackets. */
  #readHeld(piece: string, from: number): Step {
    for (let at = from; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#isInString && code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) this.#isInString = !this.#isInString;
      else if (!this.#isInString && (code === OPEN_BRACE || code === OPEN_BRACKET)) this.#depth += 1;
      else if (!this.#isInString && (code === CLOSE_BRACE || code === CLOSE_BRACKET)) this.#depth -= 1;
      else continue;
      const isEnd = this.#state === "in held string" ? !this.#isInString : this.#depth === 0;
      if (!isEnd || this.#isEscaped) continue;
      this.#value.push(piece.slice(from, at + 1));
      return { out: this.#decideValue(), at: at + 1 };
    }
    this.#value.push(piece.slice(from));
    return { out: "", at: piece.length };
  }

  #readScalar(piece: string, from: number): Step {
    let at = from;
    while (at < piece.length && !SCALAR_ENDS.includes(piece.charAt(at))) at += 1;
    this.#value.push(piece.slice(from, at));
    return { out: at < piece.length ? this.#decideValue() : "", at };
  }

  /** Sends a held value, repaired if necessary. */
  #decideValue(): string {
    const top = this.#frames.at(-1);
    const text = this.#value.join("");
    const node = readWholeTree(text);
    if (top === undefined || node === undefined) {
      this.#mode = "hold";
      return "";
    }
    try {
      return this.#sendOrRemove(top, { text, steps: new Steps(MAX_STEPS) }, node);
    } catch (error) {
      if (error instanceof TooManyStepsError) return this.#giveUp();
      throw error;
    }
  }

  #sendOrRemove(top: Frame, source: Source, node: JsonNode): string {
    const schema = this.#schemaOfValue();
    const path = this.#pathOfValue(top);
    const isDeclared = top.closer === "}" && top.schema.properties.has(this.#key);
    if (isDeclared && isNeedlessNull(source, node, schema, this.#key, top.schema))
      return this.#isEnabled?.("null-for-optional") === false ? this.#giveUp() : this.#remove(top, path);
    const change =
      top.closer === "]" ? repairItem(source, node, schema, path) : repairValue(source, node, schema, path);
    if (change === undefined) return this.#giveUp();
    if (change.repairs.some((repair) => this.#isEnabled?.(repair.class) === false)) return this.#giveUp();
    this.#repairs.push(...change.repairs);
    const out = this.#before + applyEdits(source.text, change.edits);
    this.#before = "";
    this.#value = [];
    top.hasSent = true;
    this.#endValue();
    return out;
  }

  /** Removes a member that is null, with its comma. */
  #remove(top: Frame, path: string): string {
    this.#repairs.push({ class: "null-for-optional", path, before: "null" });
    this.#before = "";
    this.#value = [];
    if (!top.hasSent) top.lead = this.#lead;
    this.#endValue();
    return "";
  }

  #endValue(): void {
    const top = this.#frames.at(-1);
    if (top !== undefined) top.count += 1;
    this.#state = "after value";
  }

  #continue(sign: string, at: number): Step {
    const top = this.#frames.at(-1);
    if (top === undefined) return this.#holdRest(at);
    if (sign === top.closer) return this.#close(top, sign, at);
    if (sign !== ",") return this.#holdRest(at);
    this.#before += sign;
    this.#state = top.closer === "}" ? "key" : "value";
    return { out: "", at: at + 1 };
  }

  #close(top: Frame, sign: string, at: number): Step {
    const out = (top.lead ?? "") + this.#before + sign;
    this.#before = "";
    this.#frames.pop();
    const { required, limits, isOpaque } = top.schema;
    const isMissing = !isOpaque && top.closer === "}" && [...required].some((key) => !top.keys.has(key));
    const isLimited = limits.minItems !== undefined || limits.maxItems !== undefined;
    this.#needsCheck ||= isMissing || isLimited || this.#repairs.length > 0;
    if (this.#frames.length === 0) this.#state = "done";
    else this.#endValue();
    return { out, at: at + 1 };
  }
}

interface Step {
  readonly out: string;
  readonly at: number;
}

/**
 * Long enough for most calls, so that a stream gives the same result as a body. A long text must not wait because a
 * number before it was repaired.
 */
const MAX_DEFERRED_CHARS = 1024;

const FIRST_PLAIN_CODE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const SCALAR_ENDS = ",]} \t\n\r";
/** What may follow a backslash in JSON. */
const ESCAPES = '"\\/bfnrtu';
