import { type Finding, finding } from "./finding.ts";
import { listsComplaints, listsThings } from "./json-entity.ts";
import { findField, findRefusal, onlySentence, printedText } from "./json-rules.ts";
import { findLead } from "./lead-rules.ts";
import { findTraceback } from "./output-rules.ts";
import { readOutput } from "./read-output.ts";
import type { ReadingContext } from "./reading.ts";
import { findSentence } from "./sentence-rules.ts";
import { asksServer, commandOf, showsStoredText } from "./shell-command.ts";
import { type TextWindow, textWindow } from "./text-window.ts";

/** What an answer in JSON says. */
export function readStructured(window: TextWindow, context: ReadingContext): Finding | undefined {
  if (listsComplaints(window) && context.kind !== "read" && context.kind !== "search") {
    const words = window.text.slice(window.start, Math.min(window.end, window.start + 500));
    return finding("failure", "field-complaints", window.start, words, 0.85, { category: "invalid_arguments" });
  }
  if (listsThings(window)) {
    return undefined;
  }
  const shows = context.kind === "read" || context.kind === "search" || context.kind === "prose";
  const field = shows ? shortField(window) : findField(window);
  if (field !== undefined) {
    // A tool that was asked to cancel something says so when it did.
    const asked = field.category === "cancelled" && /cancel|abort|stop/i.test(context.toolName ?? "");
    // `cat result.json` prints somebody else's fields; a harness's envelope says what it holds.
    const shown = context.kind === "shell" && printedText(window) === undefined && isDataCommand(context);
    if (asked || shown || showsJsonFile(context) || isSubject(field, window, context)) {
      return undefined;
    }
    return asked || context.kind !== "shell" || !askedServer(context) ? field : { ...field, denied: true };
  }
  const refusal = shows ? undefined : findRefusal(window);
  if (refusal !== undefined) {
    return refusal;
  }
  const only = onlySentence(window);
  if (only !== undefined) {
    const inner = textWindow(only);
    return findLead(inner, context.kind) ?? findSentence(inner, context.kind, context.toolName);
  }
  return context.kind === "shell" ? readPrinted(window, context) : undefined;
}

/** A tool that is named after errors gives them in a field of that name, beside others. */
function isSubject({ rule }: Finding, { text, start, end }: TextWindow, { toolName }: ReadingContext): boolean {
  return (
    rule === "field-error" &&
    /error|exception|failure|crash/i.test(toolName ?? "") &&
    !/^\{\s*["']error["']\s*:\s*["'][^"']*["']\s*\}$/i.test(text.slice(start, Math.min(end, start + 600)))
  );
}

/** The server's error that `curl` printed is no failure of `curl`. */
function askedServer(context: ReadingContext): boolean {
  const command = commandOf(context.arguments);
  return command !== undefined && asksServer(command);
}

const JSON_FILE = /\.(?:jsonl?|ipynb|har|ya?ml)$/i;

/** Of a file that holds JSON every field is data. */
function showsJsonFile({ kind, arguments: args }: ReadingContext): boolean {
  return (
    kind === "read" &&
    typeof args === "object" &&
    args !== null &&
    Object.values(args).some((value) => typeof value === "string" && JSON_FILE.test(value.slice(-8)))
  );
}

/** A shell's answer in JSON without an exit status: what was printed is inside. */
function readPrinted(window: TextWindow, context: ReadingContext): Finding | undefined {
  const printed = printedText(window);
  return printed === undefined ? findTraceback(window) : readOutput(textWindow(printed), context, undefined);
}

/** A file or a list of hits may hold any field; only a short answer is the tool's own. */
function shortField(window: TextWindow): Finding | undefined {
  return window.end - window.start <= 600 ? findField(window) : undefined;
}

function isDataCommand(context: ReadingContext): boolean {
  const command = commandOf(context.arguments);
  return command !== undefined && showsStoredText(command);
}
