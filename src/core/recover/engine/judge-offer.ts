import type { Echoes } from "../echo/echoes.ts";
import type { FormatRow } from "../formats/row.ts";
import type { RawCall, Read } from "../payload/payload.ts";
import type { RejectReason } from "../types.ts";
import { judge, type Verdict } from "./gate.ts";
import type { Settings } from "./settings.ts";

/** A candidate that was read, offered for a verdict. */
export interface Offer {
  readonly start: number;
  readonly end: number;
  readonly row: FormatRow;
  readonly read: Extract<Read, { kind: "done" }>;
  /** What surrounds it, where it would otherwise be no call. */
  readonly place: RejectReason | undefined;
}

const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["‘", "’"],
  ["«", "»"],
  ["„", "“"],
]);

/** Judges a candidate by what it says and by what stands next to it. `before`: the character in front of it. */
export function judgeOffer(text: string, offer: Offer, before: string, settings: Settings, echoes: Echoes): Verdict {
  const { start, end, row, read } = offer;
  const { tools, mode, ungated } = settings;
  const verdict = judge(read.calls, read.repairs, row, tools, ungated ? "eager" : mode);
  if (verdict.kind === "rejected" || ungated) return verdict;
  const { name } = read.calls[0] as RawCall;
  const refuse = (reason: RejectReason): Verdict => ({ kind: "rejected", reason, name });
  const quote = QUOTES.get(before);
  if (quote !== undefined && text[end] === quote) return refuse("in-quote");
  if (row.strength === "weak" && row.last !== true && !endsLine(text, end)) return refuse("not-anchored");
  if (echoes.find(verdict.calls, text.slice(start, end)) !== undefined) return refuse("echo");
  return verdict;
}

/** Does the line end here, or another block begin? */
function endsLine(text: string, at: number): boolean {
  let i = at;
  while (text[i] === " " || text[i] === "\t" || text[i] === ";" || text[i] === "\r") i += 1;
  const c = text[i];
  return c === undefined || c === "\n" || c === "<" || c === "{" || c === "[";
}
