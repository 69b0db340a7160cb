import { type Finding, finding } from "./finding.ts";
import { findLead } from "./lead-rules.ts";
import { findLastLines, findTraceback } from "./output-rules.ts";
import { findOwnComplaint } from "./own-complaint.ts";
import type { ReadingContext } from "./reading.ts";
import { findShortSentence } from "./sentence-rules.ts";
import { asksServer, commandOf, showsOthers, showsStoredText } from "./shell-command.ts";
import type { TextWindow } from "./text-window.ts";

/** A text that says it was cut where it ends. */
const CUT =
  /(?:\[?(?:output|result|content|response)? ?(?:truncated|omitted)\b[^\n]{0,60}\]?|\.\.\. ?\(?truncated\)?|<truncated>)\s*$/i;

/** What a program printed. */
export function readOutput(
  window: TextWindow,
  context: ReadingContext,
  stated: Finding | undefined,
): Finding | undefined {
  const traceback = findTraceback(window);
  const line = traceback === undefined ? findLastLines(window) : undefined;
  const last = line !== undefined && line.confidence <= SURE && recovers(window, line.at) ? undefined : line;
  const lead =
    traceback === undefined && (last === undefined || last.confidence < SURE) ? findLead(window, "shell") : undefined;
  const found =
    traceback ??
    strongest(lead === undefined || endsWell(window) ? undefined : lead, last) ??
    findShortSentence(window, "shell");
  if (found === undefined) {
    return mayComplain(window)
      ? (findOwnComplaint(window, commandOf(context.arguments)) ?? cutOff(window, stated))
      : cutOff(window, stated);
  }
  const command = commandOf(context.arguments);
  if (command !== undefined && showsOthers(command)) {
    const newline = window.text.indexOf("\n", window.start);
    return newline === -1 || newline >= window.end ? found : findOwnComplaint(window, command);
  }
  // A command that only shows stored text prints other people's errors; its own complaints have one form.
  if (command !== undefined && (showsStoredText(command) || asksServer(command))) {
    return isComplaint(last) ? last : findOwnComplaint(window, command);
  }
  return found;
}

/** A last line this sure is not asked about the first. */
const SURE = 0.85;

/** Programs that try again tell the first failures first; the last line says how it ended. */
const GOOD_END =
  /\b(?:succeeded|success(?:ful|fully)?|completed?|passed|finished|done|0 (?:errors?|failed|failures))\b[^\n]{0,80}$/i;

/** A line further up counts no more when the last one says outright that it worked. */
const OUTRIGHT = /\b(?:success(?:ful|fully)|succeeded|0 errors)\b/i;

function recovers(window: TextWindow, at: number): boolean {
  const { text, end } = window;
  const last = text.lastIndexOf("\n", end - 1);
  return at <= last && OUTRIGHT.test(text.slice(Math.max(last, end - 200), end)) && endsWell(window);
}

function endsWell({ text, start, end }: TextWindow): boolean {
  const at = text.lastIndexOf("\n", end - 1);
  if (at <= start) {
    return false;
  }
  const line = text.slice(Math.max(at + 1, end - 200), end);
  return GOOD_END.test(line) && !/\b(?:not|un|never|fail\w*|errors?)\b/i.test(line.replace(/\b0 \w+/, ""));
}

/** Is the first or the last line of the form `word: …`? Only then the command is worth reading. */
function mayComplain({ text, start, end }: TextWindow): boolean {
  const at = Math.max(start, text.lastIndexOf("\n", end - 1) + 1);
  return text.slice(at, at + 32).indexOf(": ") > 0 || text.slice(start, start + 32).indexOf(": ") > 0;
}

/** What programs that show text say when they cannot. */
const COMPLAINTS = new Set(["output-shell-complaint", "output-shell-not-found", "output-curl", "output-parse-error"]);

function isComplaint(found: Finding | undefined): boolean {
  return found !== undefined && COMPLAINTS.has(found.rule);
}

function strongest(one: Finding | undefined, two: Finding | undefined): Finding | undefined {
  return one === undefined || (two !== undefined && two.confidence > one.confidence) ? two : one;
}

function cutOff({ text, start, end }: TextWindow, stated: Finding | undefined): Finding | undefined {
  if (stated !== undefined) {
    return undefined;
  }
  const at = Math.max(start, end - 120);
  const last = text.slice(at, end);
  return (last.includes("runcated") || last.includes("mitted")) && CUT.test(last)
    ? finding("open", "cut", at, text.slice(at, end).trim(), 0.6)
    : undefined;
}
