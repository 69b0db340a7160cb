import { type Opening, openingOf } from "../formats/index-formats.ts";
import { TOOL_TAG } from "../formats/tool-tag.ts";
import { lexToken, type Token } from "../lex/token.ts";
import { endsThinking, isSimulatedResult, needsRole, thinkClosers } from "./markers.ts";
import type { ScanState } from "./scan-state.ts";
import type { Settings } from "./settings.ts";
import { takeOpener } from "./take-opener.ts";

/** Handles a possible tag of thinking, of a turn or of a call. Returns false if more text is needed. */
export function takeTag(state: ScanState, final: boolean): boolean {
  const { text, context, settings } = state;
  const relevant = settings.relevant(text, state.pos, final);
  if (relevant === undefined) return false;
  const token = relevant ? lexToken(text, state.pos, final) : null;
  if (token === "more") return false;
  if (token === null) {
    state.skipText(state.pos + 1);
    return true;
  }
  if (context.fence === undefined && context.inline === 0) {
    if (takeThinking(state, token)) return true;
    if (!final && needsRole(token, text)) return false;
    if (isSimulatedResult(token, text)) {
      state.startInvented();
      state.skipText(token.end);
      return true;
    }
  }
  const opening = openingFor(token, settings);
  if (opening !== undefined) return takeOpener(state, opening, final);
  state.skipText(state.pos + 1);
  return true;
}

/** Handles a tag that begins or ends thinking. Returns false if the tag also needs other handling. */
function takeThinking(state: ScanState, token: Token): boolean {
  const { context, settings } = state;
  if (context.think?.includes(token.key) && (token.close || token.key.includes("|"))) {
    context.think = undefined;
    state.startResponse();
    if (openingOf(settings.formats, token) === undefined) {
      state.skipMarkup(token.end);
      // The response begins here, even in the middle of a line.
      context.lineStart = true;
      context.first = true;
      return true;
    }
  }
  if (context.think === undefined && settings.think !== "always" && endsThinking(token)) {
    state.endThinking(token.end);
    return true;
  }
  const closers = context.think === undefined && settings.think !== "always" ? thinkClosers(token) : undefined;
  if (closers === undefined) return false;
  context.think = closers;
  state.skipMarkup(token.end);
  return true;
}

function openingFor(token: Token, settings: Settings): Opening | undefined {
  const found = openingOf(settings.formats, token);
  // A tool with the name of an ambiguous tag takes precedence over the format.
  const isAmbiguous = found === undefined || found.rows.every((row) => row.strength === "named");
  return isAmbiguous ? (toolTag(token, settings) ?? found) : found;
}

function toolTag(token: Token, settings: Settings): Opening | undefined {
  if (token.close || token.skin !== "" || token.value !== undefined) return undefined;
  const name = settings.toolTags.get(token.key);
  return name === undefined
    ? undefined
    : { rows: [TOOL_TAG], token, key: token.key, name, start: token.start, bodyAt: token.end };
}
