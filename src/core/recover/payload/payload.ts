import type { JsonObject } from "../../model/tool-call.ts";
import type { Doubts } from "../arguments-fit.ts";
import type { FormatIndex } from "../formats/index-formats.ts";
import type { Repair } from "../json/repairs.ts";
import type { ToolIndex } from "../tools.ts";
import type { RejectReason } from "../types.ts";

/** The parsed value of a range of JSON, by its distance from the candidate's start; `end` is a distance too. */
export type Memo = Map<
  number,
  { readonly calls: readonly RawCall[]; readonly end: number; readonly repairs: readonly Repair[] }
>;

/** The text as far as it has come. */
export interface Source {
  readonly text: string;
  /** No more will come. */
  readonly final: boolean;
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
  /** Whether a candidate that ends here is alone on its lines. `undefined`: more text is needed. */
  readonly standsAlone: (end: number) => boolean | undefined;
  /** Reads the envelope that opens at `at`, if one does. */
  readonly open: (source: Source, at: number, depth: number) => Read | undefined;
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

/**
 * The result of a reader. To make a stream equal the whole text, `done` and `no` must stay the same whatever text
 * follows; as long as they might change, the result is `more`.
 */
export type Read =
  | {
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
  /** `soon`: a few more characters may show that this is nothing. */
  | { readonly kind: "more"; readonly soon?: boolean }
  /** `unbegun`: not even the beginning fitted. */
  | {
      readonly kind: "no";
      readonly at: number;
      readonly reason: RejectReason;
      readonly name?: string;
      readonly unbegun?: boolean;
      /** Everything before this is data of the refused candidate: no call is looked for in it. */
      readonly dataEnd?: number;
    };

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

/** Parses the body of an envelope. `starts` must be cheap; `undefined` means that more text is needed. */
export interface Payload {
  readonly starts: (source: Source, at: number, envelope: Envelope) => boolean | undefined;
  readonly read: (source: Source, at: number, envelope: Envelope) => Read;
}

export const MORE = { kind: "more" } as const;

export function no(at: number, reason: RejectReason = "malformed", name?: string, dataEnd?: number): Read {
  return {
    kind: "no",
    at,
    reason,
    ...(name === undefined ? {} : { name }),
    ...(dataEnd === undefined ? {} : { dataEnd }),
  };
}
