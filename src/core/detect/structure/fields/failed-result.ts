import { actionOf } from "../../call/tool-action.ts";
import { createSignal, type Signal } from "../../signal.ts";
import type { TextWindow } from "../../text/text-window.ts";
import type { TextContext } from "../../text-signals.ts";
import { errorIn, raisedIn, refusedCode } from "./errors.ts";
import { type FieldContext, failedItems, lacksResult, refusedState, undoneField, waitsForApproval } from "./outcome.ts";
import { explainsFailure, reasonIn, statesReason } from "./reason.ts";
import { type Fields, isEntity, isFields, resultFields } from "./result-fields.ts";

/** What the fields of a result are compared with. */
export function fieldContext({ toolName, arguments: args }: TextContext): FieldContext {
  return { action: actionOf(toolName), arguments: args };
}

/**
 * Finds the failure that a result states in its fields, whatever their names are: a refused state, an action that was
 * not done, results that all failed, a result that is missing with a reason beside it.
 */
export function findFailedResult(window: TextWindow, call: FieldContext): Signal | undefined {
  // Reading costs more than all other rules together.
  const fields = call.action === undefined && !mayFail(window) ? undefined : resultFields(window);
  if (fields === undefined) {
    return undefined;
  }
  const { start } = window;
  const code = refusedCode(fields);
  if (code !== undefined) {
    return createSignal("failure", "field-code", start, code, 0.85);
  }
  const error = raisedIn(fields) ?? errorIn(fields, call.action !== undefined);
  if (error !== undefined) {
    return createSignal("failure", "field-error", start, error, 0.85);
  }
  const items = failedItems(fields);
  if (items?.all === true && (call.action !== undefined || items.isStated)) {
    return createSignal("failure", "field-results", start, items.reason, 0.85);
  }
  const reason = reasonIn(fields);
  if (fields.success === false || fields.ok === false) {
    return createSignal("failure", "field-success-false", start, reason ?? "", 0.85, { category: "failed" });
  }
  const state = refusedState(fields, call) ?? refusedState(onlyObjectIn(fields), call);
  // A thing with an id that exists in that state is what was asked for, unless a reason says what went wrong.
  if (state !== undefined && (reason !== undefined || !isEntity(fields))) {
    return createSignal("failure", "field-state", start, reason ?? state, 0.85);
  }
  const undone = undoneField(fields, call.action);
  if (undone !== undefined && (undone.isCertain || reason !== undefined || items !== undefined)) {
    return createSignal("failure", "field-not-done", start, reason ?? items?.reason ?? undone.words, 0.8);
  }
  if (
    lacksResult(fields) &&
    !isEntity(fields) &&
    (items !== undefined || statesReason(fields) || explainsFailure(reason ?? ""))
  ) {
    return createSignal("failure", "field-no-result", start, items?.reason ?? reason ?? "", 0.8);
  }
  return call.action !== undefined && waitsForApproval(fields)
    ? createSignal("open", "still-running", start, "", 0.8)
    : undefined;
}

/** The fields of the only object in a result: `{"release": "a", "info": {"status": "failed", "description": "…"}}`. */
function onlyObjectIn(fields: Fields): Fields {
  const [only, ...others] = Object.values(fields).filter(isFields);
  return others.length === 0 ? (only ?? {}) : {};
}

/** What the result of a tool that only reads contains if it states a failure. */
const MARKS = ["rror", "null", '"requested"', "success", '"ok"', '"code"', "ename", "SIG", "ault", '"err'];

function mayFail({ text, start, end }: TextWindow): boolean {
  return MARKS.some((mark) => {
    const at = text.indexOf(mark, start);
    return at !== -1 && at < end;
  });
}
