import type { Context } from "./context.ts";
import { type LineStart, MAX_RUN, runLength, startOfLine } from "./line.ts";
import { SELF_ENDS } from "./markers.ts";
import type { ScanState } from "./scan-state.ts";
import { takeOpener } from "./take-opener.ts";

/** `wait`: more text is needed. `moved`: scanning continues elsewhere. `line`: it continues on this line. */
export type Started = "wait" | "moved" | "line";

/** Handles the start of a line: fences, quotes, and the forms that are only valid there. */
export function startLine(state: ScanState, final: boolean): Started {
  const { context, text, settings } = state;
  const code = skipIndent(state);
  if (state.pos >= text.length) return "moved";
  if (code === 10 || code === 13) return continueLine(context);
  if (context.fence !== undefined) return closeFence(state, context.fence, final);
  const start = startOfLine(text, state.pos, final, settings);
  switch (start.kind) {
    case "wait":
      state.canRelease = start.plain === true;
      return "wait";
    case "opening":
      context.lineStart = false;
      if (takeOpener(state, start.opening, final)) return "moved";
      context.lineStart = true;
      return "wait";
    case "fence":
      return openFence(state, start, final);
    case "quote":
      context.quote = true;
      state.skipMarkup(state.pos + 1);
      break;
    case "result":
      state.startInvented();
      break;
    case "think":
      if (context.think !== undefined || settings.think === "always") break;
      context.think = SELF_ENDS;
      state.skipMarkup(start.end);
      break;
    case "plain":
      break;
  }
  return continueLine(context);
}

/** Counts the indentation and returns the character after it. */
function skipIndent(state: ScanState): number {
  const { context, text } = state;
  let code = text.charCodeAt(state.pos);
  while (code === 32 || code === 9) {
    context.indent += code === 9 ? 4 : 1;
    state.pos += 1;
    code = text.charCodeAt(state.pos);
  }
  return code;
}

function continueLine(context: Context): "line" {
  context.lineStart = false;
  return "line";
}

function openFence(state: ScanState, start: Extract<LineStart, { kind: "fence" }>, final: boolean): Started {
  const { context, outbox, settings } = state;
  const at = state.pos;
  // A fence ends the paragraph, and with it inline code that was never closed.
  context.inline = 0;
  if (start.opening !== undefined && (state.rejectReason() === undefined || settings.ungated)) {
    if (!takeOpener(state, start.opening, final)) return "wait";
    if (state.pos > at + 3) {
      context.lineStart = false;
      return "moved";
    }
  }
  context.fence = { char: start.char, length: start.length };
  state.skipMarkup(start.end);
  // A second block shows that the block before it is not the whole message.
  if (outbox.hasQueued) outbox.visibleText(state.text);
  return continueLine(context);
}

function closeFence(state: ScanState, fence: NonNullable<Context["fence"]>, final: boolean): Started {
  const { context, text } = state;
  if (text[state.pos] !== fence.char) return continueLine(context);
  const length = runLength(text, state.pos, fence.char);
  const stop = state.pos + length + MAX_RUN;
  let i = state.pos + length;
  while (i < stop && (text[i] === " " || text[i] === "\t" || text[i] === "\r")) i += 1;
  if (length > MAX_RUN || i >= stop) return continueLine(context);
  if (i >= text.length && !final) return "wait";
  if (length >= fence.length && (i >= text.length || text[i] === "\n")) {
    context.fence = undefined;
    state.skipMarkup(i);
  }
  return continueLine(context);
}
