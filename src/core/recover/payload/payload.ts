import type { JsonObject } from "../../model/tool-call.ts";
import type { Doubts } from "../arguments-fit.ts";
import type { FormatIndex } from "../formats/index-formats.ts";
import type { Repair } from "../json/repairs.ts";
import { Text } from "../lex/text.ts";
import type { ToolIndex } from "../tools.ts";
import type { RejectReason } from "../types.ts";

/** The parsed value of a range of JSON, by its distance from the candidate's start; `end` is a distance too. */
export type Memo = Map<
  number,
  { readonly calls: readonly RawCall[]; readonly end: number; readonly repairs: readonly Repair[] }
>;

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
  /** Nothing has been recognized yet: a few more characters may show that this is not a call. */
  isStarting = false;

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
}

/** A call as parsed, before any gate. */
export interface RawCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly rawArguments: string;
  readonly id?: string;
  readonly complete: boolean;
  readonly doubts?: Doubts;
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
  readonly dataEnd?: number;
}

/** A body that was refused. */
export interface Refused {
  readonly kind: "no";
  readonly at: number;
  readonly reason: RejectReason;
  readonly name?: string;
  /** Not even the beginning fitted. */
  readonly unbegun?: boolean;
  /** Everything before this is data of the refused candidate: no call is looked for in it. */
  readonly dataEnd?: number;
}

/** The result of a reader. It must stay the same whatever text follows; a reader that cannot know throws `NEED_MORE`. */
export type Read = Done | Refused;

/** What the reader of a body knows about its envelope. */
export interface Envelope {
  /** The name, when the opener carries it. */
  readonly name?: string;
  readonly id?: string;
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

/** Parses the body of an envelope. `starts` must be cheap. */
export interface Payload {
  readonly starts: (source: Source, at: number, envelope: Envelope) => boolean;
  readonly read: (source: Source, at: number, envelope: Envelope) => Read;
}

export function no(at: number, reason: RejectReason = "malformed", name?: string, dataEnd?: number): Refused {
  return {
    kind: "no",
    at,
    reason,
    ...(name === undefined ? {} : { name }),
    ...(dataEnd === undefined ? {} : { dataEnd }),
  };
}

/** One call without repairs. */
export function called(name: string, args: JsonObject, rawArguments: string, end: number, doubts?: Doubts): Done {
  const call = { name, args, rawArguments, complete: true, ...(doubts === undefined ? {} : { doubts }) };
  return { kind: "done", calls: [call], end, repairs: [] };
}
