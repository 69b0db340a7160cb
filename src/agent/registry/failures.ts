import { hasFields } from "../../core/model/narrow.ts";
import type { Clock } from "../clock.ts";
import type { ModelCall } from "../model/message.ts";
import { type ArgumentIssue, type FailureKind, failureOf, type ToolFailure } from "../outcome/failure.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { resultText } from "../outcome/result-text.ts";
import { type RequiredRule, type ReturnedError, readReturnedError, ToolError } from "../outcome/tool-error.ts";
import type { Sanitizer } from "../sanitize/safe-text.ts";
import { shownName } from "../sanitize/user-texts.ts";
import { describeUnknown } from "./names.ts";

/** Text for the model if an exception has no message meant for it. */
export const UNEXPECTED = '{"error":"Tool execution failed"}';

/** How failures of tools are interpreted; depends on the policy. */
export interface FailureParser {
  /** Which returned errors report a missing argument. */
  readonly isRequired?: RequiredRule;
  /** Whether a rate limit is worth a retry, or counts as permanent. */
  readonly rateLimits?: "retryable" | "permanent";
  /** Whether `retryable: false` excludes the same arguments only (default), or the tool for the rest of the run. */
  readonly notRetryable?: "arguments" | "permanent";
}

/** Data shared by all failures of one call. */
export interface FailureContext {
  readonly tool: string;
  readonly sanitizer: Sanitizer;
  readonly ref: string;
  /** The model's arguments as text: paths from it may be repeated to the model. */
  readonly known: string;
  readonly reading: FailureParser;
}

export function failureContext(
  { clock, sanitizer }: { readonly clock: Clock; readonly sanitizer: Sanitizer },
  tool: string,
  args: unknown,
  reading: FailureParser = {},
): FailureContext {
  const ref = Math.floor(clock.random() * 36 ** 6)
    .toString(36)
    .padStart(6, "0");
  return { tool, sanitizer, ref, known: resultText(args).slice(0, 20_000), reading };
}

interface FailureFields extends Partial<Omit<ToolFailure, "kind" | "modelMessage" | "ref">> {
  readonly modelMessage: string;
}

export function failureIn(
  context: FailureContext,
  kind: FailureKind,
  fields: FailureFields,
  cause?: unknown,
): ToolFailure {
  return failureOf(
    {
      kind,
      retryable: true,
      executed: false,
      userMessage: context.sanitizer.userText(kind, context.tool),
      ...fields,
      ref: context.ref,
    },
    cause,
  );
}

export function malformedFailure(context: FailureContext, why: string): ToolFailure {
  return failureIn(context, "malformed_arguments", {
    modelMessage: `Error: The arguments for '${shownName(context.tool)}' could not be read: ${why}. The tool was not run. Please call it again with its arguments as one JSON object.`,
  });
}

export function argumentFailure(
  context: FailureContext,
  issues: readonly ArgumentIssue[],
  ignored: readonly string[],
): ToolFailure {
  const missing = issues.filter(({ problem }) => problem === "missing").map(({ path }) => path);
  const invalid = issues.filter(({ problem }) => problem === "invalid");
  const name = shownName(context.tool);
  const lines = [
    missing.length > 0
      ? `Error: Tool '${name}' was called without required parameters: ${missing.join(", ")}.`
      : `Error: Tool '${name}' was called with invalid arguments.`,
    ...invalid.map(({ path, message }) => `- ${path === "" ? "arguments" : path}: ${message}`),
    ...(ignored.length > 0 ? [`It has no parameters named: ${ignored.join(", ")}.`] : []),
    "The tool was not run. Please call it again with corrected arguments.",
  ];
  return failureIn(context, missing.length > 0 ? "missing_parameter" : "invalid_arguments", {
    issues: issues.map((issue) => ({ ...issue, message: context.sanitizer.forModel(issue.message, context.known) })),
    modelMessage: context.sanitizer.forModel(lines.join("\n"), context.known),
  });
}

/** A failure the tool returned: its text is forwarded, sanitized. */
export function returnedFailure(context: FailureContext, error: ReturnedError, cause: unknown): ToolFailure {
  const isLimited = isRateLimit(error.message);
  const detail = context.sanitizer.forModel(error.message, context.known);
  return failureIn(
    context,
    error.kind,
    {
      executed: true,
      ...retryFields(context, error, isLimited),
      ...(isLimited && { code: "rate_limited" }),
      ...(detail !== "" && { detail: context.sanitizer.forUser(error.message) }),
      modelMessage: detail === "" ? UNEXPECTED : `Error: ${detail}`,
    },
    cause,
  );
}

/** A failure the tool threw: only the message of a `ToolError` is forwarded. */
export function thrownFailure(context: FailureContext, error: unknown): ToolFailure {
  if (ToolError.isInstance(error)) {
    const { kind = "execution", code, userMessage } = error.options;
    const message = String(error.message);
    const detail = context.sanitizer.forModel(message, context.known);
    return failureIn(
      context,
      kind,
      {
        executed: true,
        ...retryFields(context, error.options, false),
        ...(code !== undefined && { code }),
        ...(userMessage !== undefined && { userMessage: context.sanitizer.forUser(userMessage) }),
        detail: context.sanitizer.forUser(message),
        modelMessage: detail === "" ? UNEXPECTED : `Error: ${detail}`,
      },
      error,
    );
  }
  const limited = isRateLimit(statusOrMessage(error));
  return failureIn(
    context,
    "execution",
    {
      executed: true,
      unexpected: true,
      ...retryFields(context, {}, limited),
      ...(limited && { code: "rate_limited" }),
      modelMessage: UNEXPECTED,
    },
    error,
  );
}

/** Whether the same call can succeed, and whether the tool can: these differ. */
function retryFields(
  { reading }: FailureContext,
  { retryable = true, permanent = false }: { readonly retryable?: boolean; readonly permanent?: boolean },
  isLimited: boolean,
): Pick<ToolFailure, "retryable" | "permanent"> {
  const isPermanent =
    permanent ||
    (!retryable && reading.notRetryable === "permanent") ||
    (isLimited && reading.rateLimits === "permanent");
  return isPermanent ? { retryable: false, permanent: true } : { retryable };
}

export function timeoutFailure(
  context: FailureContext,
  timeoutMs: number,
  { executed, isHarmless }: { readonly executed: boolean; readonly isHarmless: boolean },
): ToolFailure {
  const again = isHarmless ? "" : " It may still have taken effect: check before you call it again.";
  return failureIn(context, "timeout", {
    executed,
    retryable: isHarmless,
    modelMessage: `Error: Tool '${shownName(context.tool)}' gave no result within ${timeoutMs} ms and was stopped.${again}`,
  });
}

export function abortedFailure(context: FailureContext, executed: boolean): ToolFailure {
  return failureIn(context, "aborted", {
    executed,
    retryable: false,
    modelMessage: executed
      ? `Error: Tool '${shownName(context.tool)}' was stopped before it ended. It may have taken effect.`
      : `Error: Tool '${shownName(context.tool)}' was not run: the run was stopped.`,
  });
}

/** The failure reported by a returned value, if any. */
export function readFailure(
  value: unknown,
  detect: ((value: unknown) => ReturnedError | undefined) | undefined,
  reading: FailureParser,
): ReturnedError | undefined {
  return detect === undefined ? readReturnedError(value, reading.isRequired) : detect(value);
}

function isRateLimit(fields: string): boolean {
  return /\b429\b|rate.?limit|too many requests/i.test(fields.slice(0, 2000));
}

/** For classification only; never shown. */
function statusOrMessage(error: unknown): string {
  try {
    if (!hasFields(error)) return String(error);
    const { status, statusCode, code, message } = error;
    return [status, statusCode, code, message]
      .filter((value) => typeof value === "string" || typeof value === "number")
      .join(" ");
  } catch {
    return "";
  }
}

/** The outcome of a call that never reached its tool. */
export function endedEarly(call: ModelCall, failure: ToolFailure): ToolOutcome {
  return { call, input: call.arguments, attempts: 0, durationMs: 0, replayed: false, notes: [], ok: false, failure };
}

export function unknownFailure(
  context: FailureContext,
  name: string,
  names: readonly string[],
  maxListed: number,
): ToolFailure {
  const { text, suggestions, listed } = describeUnknown(name, names, maxListed);
  return failureIn(context, "unknown_tool", { modelMessage: text, suggestions, available: listed });
}

export function disabledFailure(context: FailureContext, names: readonly string[], maxListed: number): ToolFailure {
  const available = names.slice(0, maxListed);
  return failureIn(context, "denied", {
    code: "disabled",
    retryable: false,
    available,
    modelMessage: `Error: Tool '${shownName(context.tool)}' cannot be called now.\n\nAvailable tools: ${available.join(", ")}`,
  });
}

export function deniedFailure(context: FailureContext, why: string, cause?: unknown): ToolFailure {
  const reason = why === "" ? "" : ` ${why}`;
  return failureIn(
    context,
    "denied",
    { retryable: false, modelMessage: `Error: Tool '${shownName(context.tool)}' was not allowed to run.${reason}` },
    cause,
  );
}

const APPROVAL_PENDING = "approval_pending";

/** The call did not run: the decision is pending. */
export function pendingFailure(context: FailureContext): ToolFailure {
  return failureIn(context, "denied", {
    code: APPROVAL_PENDING,
    modelMessage: `Error: Tool '${shownName(context.tool)}' was not run: it waits for an approval.`,
  });
}

/** Whether the call waits for an approval. */
export function isPending(outcome: ToolOutcome): boolean {
  return !outcome.ok && outcome.failure.kind === "denied" && outcome.failure.code === APPROVAL_PENDING;
}

export function interruptedFailure(context: FailureContext): ToolFailure {
  return failureIn(context, "execution", {
    code: "interrupted",
    executed: true,
    retryable: false,
    modelMessage: `Error: Tool '${shownName(context.tool)}' was started before an interruption and may have taken effect. It was not run again: check first.`,
  });
}

/** It is unknown whether the call was already made. */
export function ledgerFailure(context: FailureContext, cause: unknown): ToolFailure {
  return failureIn(context, "execution", { code: "ledger", modelMessage: UNEXPECTED }, cause);
}

export function circuitOpenFailure(context: FailureContext): ToolFailure {
  return failureIn(context, "circuit_open", {
    modelMessage: `Error: Tool '${shownName(context.tool)}' has failed several times in a row and is switched off for a while. Continue without it.`,
  });
}
