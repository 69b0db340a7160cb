import { argumentFields, asksServer, showsStoredText } from "../call/shell-command.ts";
import { createSignal, type Signal } from "../signal.ts";
import { extensionOf, readPlain } from "../text/read-plain.ts";
import { type TextWindow, textWindow } from "../text/text-window.ts";
import { findTraceback } from "../text/traceback.ts";
import { windowHints } from "../text/window-hints.ts";
import type { TextContext } from "../text-signals.ts";
import { mayReport, readWording } from "../wording/read-wording.ts";
import { fieldContext, findFailedResult } from "./fields/failed-result.ts";
import { onlySentence } from "./fields/reason.ts";
import { isEntityList, isValidationErrorList } from "./json-entity.ts";
import { findField, printedText } from "./json-rules.ts";

/** Finds the signals in a JSON result. */
export function readStructured(window: TextWindow, context: TextContext): Signal | undefined {
  if (isValidationErrorList(window) && context.kind !== "read" && context.kind !== "search") {
    const words = window.text.slice(window.start, Math.min(window.end, window.start + 500));
    return createSignal("failure", "field-complaints", window.start, words, 0.85, { category: "invalid_arguments" });
  }
  if (isEntityList(window)) {
    return undefined;
  }
  const shows = context.kind === "read" || context.kind === "search" || context.kind === "prose";
  const field = shows ? shortField(window) : findField(window);
  if (field !== undefined) {
    // For a tool that cancels something, "cancelled" reports success.
    const asked = field.category === "cancelled" && /cancel|abort|stop/i.test(context.toolName ?? "");
    // `cat result.json` prints fields of other programs; only a client's envelope counts.
    const shown = context.kind === "shell" && printedText(window) === undefined && isDataCommand(context);
    // `check_url` reports the status of another server, and `fraud_check` its own decision.
    const checked =
      context.kind === "prose" &&
      (field.rule === "field-decision" || (field.rule === "field-status-number" && field.words.startsWith('"')));
    if (asked || shown || checked || showsJsonFile(context) || isSubject(field, window, context)) {
      return undefined;
    }
    return asked || context.kind !== "shell" || !askedServer(context) ? field : { ...field, denied: true };
  }
  const refusal = shows ? undefined : findFailedResult(window, fieldContext(context));
  if (refusal !== undefined) {
    return refusal;
  }
  const only = onlySentence(window);
  if (only !== undefined) {
    const inner = textWindow(only);
    return mayReport(inner, context.kind, context.toolName, windowHints(inner, context.kind))
      ? readWording(inner, context)
      : undefined;
  }
  return context.kind === "shell" ? readPrinted(window, context) : undefined;
}

/** A tool named after errors returns them in a field of that name, beside others. */
function isSubject({ rule }: Signal, { text, start, end }: TextWindow, { toolName }: TextContext): boolean {
  return (
    rule === "field-error" &&
    /error|exception|failure|crash/i.test(toolName ?? "") &&
    !/^\{\s*["']error["']\s*:\s*["'][^"']*["']\s*\}$/i.test(text.slice(start, Math.min(end, start + 600)))
  );
}

/** A server error printed by `curl` is not a failure of `curl`. */
function askedServer(context: TextContext): boolean {
  const command = context.command;
  return command !== undefined && asksServer(command);
}

const JSON_FILES = new Set("json jsonl ipynb har yaml yml".split(" "));

/** Every field of a JSON file is data. */
function showsJsonFile({ kind, arguments: args }: TextContext): boolean {
  return (
    kind === "read" &&
    Object.values(argumentFields(args) ?? {}).some(
      (value) => typeof value === "string" && JSON_FILES.has(extensionOf(value)),
    )
  );
}

/** A JSON result of a shell without an exit code contains the output. */
function readPrinted(window: TextWindow, context: TextContext): Signal | undefined {
  const printed = printedText(window);
  return printed === undefined ? findTraceback(window) : readPlain(textWindow(printed), context, undefined);
}

/** Files and search hits may contain any field; only a short result is the tool's own. */
function shortField(window: TextWindow): Signal | undefined {
  return window.end - window.start <= 600 ? findField(window) : undefined;
}

function isDataCommand(context: TextContext): boolean {
  const command = context.command;
  return command !== undefined && showsStoredText(command);
}
