import type { Repair } from "../../json/values.ts";
import type { JsonObject } from "../../model/tool-call.ts";
import type { SchemaNode } from "../../schema/compile.ts";
import { Text } from "../../text/cursor.ts";
import type { Doubts } from "../arguments-fit.ts";
import type { FormatIndex } from "../formats/index-formats.ts";
import { cleanName, type ToolIndex } from "../tools.ts";
import type { RejectReason } from "../types.ts";

/** What a range of JSON was read as, by its distance from the candidate's start; `end` is a distance too. */
export type Memo = Map<number, Done>;

/** What the readers of a candidate need in addition to its text. */
export interface Reading {
  readonly tools: ToolIndex;
  /** Take what the end of the text cut off, marked as incomplete. */
  readonly eager: boolean;
  readonly formats: FormatIndex;
  /** Where the candidate starts. */
  readonly origin: number;
  /** JSON that was read for good: while a candidate waits for its closer it is not read again. */
  readonly memo: Memo;
  /** How many characters behind the end of a value may still be looked at for a better one. */
  readonly ahead: { left: number };
  /** Whether a candidate that ends here is alone on its lines. */
  readonly standsAlone: (end: number) => boolean;
  /** Reads the envelope that opens at `at`, if one does. */
  readonly open: (source: Source, at: number, depth: number) => Read | undefined;
}

/** The text of a candidate, as far as it has arrived, and what its readers need. */
export class Source extends Text {
  readonly reading: Reading;

  constructor(text: string, final: boolean, reading: Reading) {
    super(text, final);
    this.reading = reading;
  }

  get tools(): ToolIndex {
    return this.reading.tools;
  }

  get formats(): FormatIndex {
    return this.reading.formats;
  }

  /** Reads the envelope that opens at `at`, if one does. */
  open(at: number, depth: number): Read | undefined {
    return this.reading.open(this, at, depth);
  }

  /** The schema of the declared tool that a written name means. */
  schemaOf(written: string): SchemaNode | undefined {
    return this.tools.schema(cleanName(written, this.tools)?.name ?? written);
  }
}

/** A call as parsed, before any gate. */
export interface RawCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly rawArguments: string;
  readonly id?: string | undefined;
  readonly complete: boolean;
  readonly doubts?: Doubts | undefined;
}

/** A body that was read. */
export interface Done {
  readonly kind: "done";
  readonly calls: readonly RawCall[];
  readonly end: number;
  readonly repairs: readonly Repair[];
  readonly format?: string;
  readonly fenced?: boolean;
  /** The arguments stood in a fence, whether or not it has ended. */
  readonly fromFence?: boolean;
  /** Data of a further call that was cut off ends here: no call is looked for in it. */
  readonly dataEnd?: number | undefined;
}

/** A body that was refused. */
export interface Refused {
  readonly kind: "no";
  readonly at: number;
  readonly reason: RejectReason;
  readonly name?: string | undefined;
  /** Not even the beginning fitted. */
  readonly unbegun?: boolean;
  /** Everything before this is data of the refused candidate: no call is looked for in it. */
  readonly dataEnd?: number | undefined;
}

/** The result of a reader. It must stay the same whatever text follows; a reader that cannot know throws `NEED_MORE`. */
export type Read = Done | Refused;

/** What the reader of a body knows about its envelope. */
export interface Envelope {
  /** The name, when the opener carries it. */
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  /** Key of the opener. */
  readonly key: string;
  /** The opener as written: damaged text is not read past the next one. */
  readonly boundary: string;
  /** The prefix that the tags of this dialect carry. */
  readonly skin: string;
  /** Attributes of the opener, as written. */
  readonly attributes: string;
  readonly selfClosed: boolean;
  readonly depth: number;
  /** A separate block with a marked end: everything in it belongs together. */
  readonly block: boolean;
  /** Entities in values: literal, or decoded when the value is clearly escaped. */
  readonly entities: boolean;
}

/** Reads the body of an envelope. `undefined`: the body does not begin like this; finding that out must be cheap. */
export type Payload = (source: Source, at: number, envelope: Envelope) => Read | undefined;

export function no(at: number, reason: RejectReason = "malformed", name?: string, dataEnd?: number): Refused {
  return { kind: "no", at, reason, name, dataEnd };
}

/** One call. */
export function called(
  name: string,
  args: JsonObject,
  rawArguments: string,
  end: number,
  { id, complete = true, doubts, repairs = [] }: Partial<RawCall & Pick<Done, "repairs">> = {},
): Done {
  return { kind: "done", calls: [{ name, args, rawArguments, id, complete, doubts }], end, repairs };
}

/** Calls that follow one another. */
export interface Sequence extends Done {
  /** How many bodies were read: one of them may hold several calls. */
  readonly count: number;
  /** Where the next body would begin, and why it is none. */
  readonly next: number;
  readonly refused?: Refused;
}

/**
 * Reads one call after another, separated by blanks, commas or semicolons. One that turns out to be something else
 * leaves the calls before it as they are.
 */
export function readSequence(
  source: Source,
  at: number,
  readOne: (at: number) => Read,
  startsNext: (at: number) => boolean,
): Sequence | Refused {
  const calls: RawCall[] = [];
  const repairs = new Set<Repair>();
  let sequence: Sequence | undefined;
  for (let next = at; sequence === undefined || startsNext(next); ) {
    const read = readOne(next);
    const { dataEnd } = read;
    if (read.kind === "no") return sequence === undefined ? read : { ...sequence, dataEnd, refused: read };
    for (const call of read.calls) calls.push(call);
    for (const repair of read.repairs) repairs.add(repair);
    const { end } = read;
    const count: number = (sequence?.count ?? 0) + 1;
    const isWhole = read.calls.every((call) => call.complete);
    next = isWhole ? skipSeparator(source, end) : end;
    sequence = { kind: "done", calls, end, repairs: [...repairs], dataEnd, count, next };
    if (!isWhole) break;
  }
  return sequence;
}

/** Skips whitespace and a comma or semicolon between two calls. */
export function skipSeparator(source: Source, at: number): number {
  const i = source.skipBlanks(at);
  return source.at(i) === "," || source.at(i) === ";" ? source.skipBlanks(i + 1) : i;
}

const FENCE = /^```[ \t]*(?:json5?|tool_call|tool_code|python)?[ \t]*\r?\n?/i;
const MAX_FENCE_LINE = 24;

/** Where the body begins, behind the opening line of a fence: inside an envelope, a fence is markup. */
export function skipFence(source: Source, from: number): { readonly at: number; readonly fenced: boolean } {
  const at = skipEscapedBreaks(source, from);
  if (source.at(at) !== "`") return { at, fenced: false };
  source.skipWhile(at, MAX_FENCE_LINE, (c) => c !== 10);
  const length = FENCE.exec(source.text.slice(at, at + MAX_FENCE_LINE))?.[0].length;
  return length === undefined ? { at, fenced: false } : { at: source.skipBlanks(at + length), fenced: true };
}

/** Skips whitespace and line breaks that were escaped twice: `\\n` between a tag and its body. */
export function skipEscapedBreaks(source: Source, at: number): number {
  let i = source.skipBlanks(at);
  while (source.at(i) === "\\" && source.at(i + 1) === "n") i = source.skipBlanks(i + 2);
  return i;
}
