import type { Opening } from "../formats/index-formats.ts";
import { HARMONY_ENDS, SELF_ENDS } from "./markers.ts";
import type { ScanState } from "./scan-state.ts";

/** Upper bound for the length of the words before an opener. */
const LEAD_REACH = 24;

/** Handles an opener: parses and evaluates the candidate. Returns false if more text is needed. */
export function takeOpener(state: ScanState, opening: Opening, final: boolean): boolean {
  const { context, text } = state;
  const positionReason = state.rejectReason();
  const found = state.candidates.consider(text, opening, final, {
    reason: positionReason,
    isVisible: context.visible,
    isBlock: context.fence !== undefined,
    isFirst: context.first,
  });
  if (found.kind === "wait") {
    state.reparseGate = found.reparseGate;
    // The words before the opener must not be released before it is decided.
    state.pos = Math.min(state.pos, opening.start);
    return false;
  }
  if (found.kind === "passed") {
    if (found.dataEnd !== undefined && text[opening.start] !== "`") state.skipText(found.dataEnd);
    else passOpener(state, opening, found.after, positionReason !== undefined);
    return true;
  }
  if (found.kind === "left") {
    state.skipText(found.end);
    return true;
  }
  state.pos = found.end;
  context.first = false;
  if (found.dataEnd !== undefined) state.skipText(found.dataEnd);
  // Calls without an envelope may follow one another on one line.
  if (found.row.bare === true && found.row.strength === "weak") context.lineStart = true;
  return true;
}

/** Extends an opening to include the words that introduce it. */
export function withLead(state: ScanState, opening: Opening): Opening {
  // In a fence, text is released ahead of the scanner and no calls are accepted, so there is nothing to extend.
  if (state.context.fence !== undefined && state.context.visible) return opening;
  const from = Math.max(state.outbox.released, state.markupEnd, opening.start - LEAD_REACH);
  const before = state.text.slice(from, opening.start);
  const lead = opening.rows[0]?.leads?.find((one) => before.endsWith(one));
  return lead === undefined ? opening : { ...opening, start: opening.start - lead.length };
}

/** Continues after an opener that did not lead to a call. */
function passOpener(state: ScanState, opening: Opening, after: number, quoted: boolean): void {
  const thinkEnds = quoted ? undefined : thinkEndsAfter(opening, state.text, after);
  if (thinkEnds !== undefined) {
    state.context.think = thinkEnds;
    state.skipMarkup(after);
    return;
  }
  const next = state.pos + 1;
  // A literal may contain other openers. The caller handles fence lines.
  if (opening.token !== undefined) state.skipText(opening.stray === true ? next : Math.max(after, next));
  else if (state.text[opening.start] !== "`") state.skipText(next);
}

/** Returns the tokens that end a message from the model to itself, if one begins here. */
function thinkEndsAfter({ token }: Opening, text: string, after: number): readonly string[] | undefined {
  if (token?.key === "|channel|" && /^\s{0,2}analysis/.test(text.slice(after, after + 12))) return HARMONY_ENDS;
  if (token?.key === "|start|" && /^assistant to=self/.test(text.slice(after, after + 20))) return SELF_ENDS;
  return undefined;
}
