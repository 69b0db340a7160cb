import type { CallFacts } from "./call-facts.ts";
import { sharedPieces } from "./similarity.ts";
import type { Budget } from "./windows.ts";

/** The maximum distance of a value from the envelope, and the compared length of the value, in squeezed characters. */
const REACH_CHARS = 300;
const MAX_VALUE_CHARS = 240;
const MIN_VALUE_CHARS = 12;
/** Longer values are found by pieces, so that a changed character does not hide them. */
const MAX_WHOLE_CHARS = 36;
const PIECE_CHARS = 16;
const MIN_SHARED_PIECES = 0.7;

/** Parts of call envelopes, squeezed. Words that are common in pages and code are left out. */
const ENVELOPE =
  /<[\w|:]{0,24}(?:invoke|function[=n_c]|parameter|tool_?call|tool_use|arg_value)|tool_?calls?[\]:|}]|tool_uses?[:,}]|function_?calls?[:|]|arguments[:=]|action_?input|\[tool_|tool_code|functions\.|✿function/g;

/** Returns the parts of a squeezed text around envelopes, which may belong to a call. Most texts have none. */
export function envelopeRegions(text: string): readonly string[] {
  const regions: string[] = [];
  let [start, end] = [0, -1];
  for (const { index } of text.matchAll(ENVELOPE)) {
    if (index - REACH_CHARS > end) {
      if (end > 0) regions.push(text.slice(start, end));
      start = Math.max(0, index - REACH_CHARS);
    }
    end = index + 2 * REACH_CHARS + MAX_VALUE_CHARS;
  }
  if (end > 0) regions.push(text.slice(start, end));
  return regions;
}

/**
 * Whether a region contains an identifying value of the call, with the tool's name near it in a name's position. The
 * parsers only find complete calls; this finds calls that decoration or truncation made unparsable.
 */
export function isInRegion(region: string, { tool, values }: CallFacts, budget: Budget): boolean {
  return values.some((value) => {
    if (value.text.length < MIN_VALUE_CHARS) return false;
    const text = value.text.slice(0, MAX_VALUE_CHARS);
    return piecesOf(text).some(([piece, offset]) => {
      for (let at = region.indexOf(piece); at !== -1; at = region.indexOf(piece, at + 1)) {
        if (budget.left < 0) return true;
        budget.left -= REACH_CHARS;
        if (isArgument(region, at - offset, text, tool, budget)) return true;
      }
      return false;
    });
  });
}

function piecesOf(value: string): readonly (readonly [string, number])[] {
  if (value.length <= MAX_WHOLE_CHARS) return [[value, 0]];
  const last = value.length - PIECE_CHARS;
  return [0, last >> 1, last].map((offset) => [value.slice(offset, offset + PIECE_CHARS), offset] as const);
}

function isArgument(region: string, at: number, value: string, tool: string, budget: Budget): boolean {
  const start = Math.max(0, at);
  const end = start + value.length;
  const before = region.slice(Math.max(0, start - REACH_CHARS), start);
  if (before.search(ENVELOPE) === -1) return false;
  if (!hasName(before, tool) && !hasName(region.slice(end, end + REACH_CHARS), tool)) return false;
  if (value.length <= MAX_WHOLE_CHARS) return true;
  const slack = value.length >> 2;
  return sharedPieces(value, region.slice(Math.max(0, start - slack), end + slack), budget) >= MIN_SHARED_PIECES;
}

const BEFORE_NAME = "=:<.|](/";

/** Whether the tool's name occurs in the position of a call's name. */
function hasName(text: string, tool: string): boolean {
  const folded = text.replace(/[_-]+/g, "");
  for (let at = folded.indexOf(tool); at !== -1; at = folded.indexOf(tool, at + 1)) {
    const isWhole = !/^[a-z0-9]/.test(folded.slice(at + tool.length, at + tool.length + 1));
    if (isWhole && (BEFORE_NAME.includes(folded[at - 1] ?? "=") || folded.endsWith("toolcall", at))) return true;
  }
  return false;
}
