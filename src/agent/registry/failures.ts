import type { Clock } from "../clock.ts";
import type { ModelCall } from "../model/message.ts";
import { type ArgumentIssue, type FailureKind, failureOf, type ToolFailure } from "../outcome/failure.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { resultText } from "../outcome/result-text.ts";
import { type RequiredRule, type ReturnedError, readReturnedError } from "../outcome/returned-error.ts";
import { ToolError } from "../outcome/tool-error.ts";
import type { Sanitizer } from "../sanitize/sanitizer.ts";
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

interface FailureWords extends Partial<Omit<ToolFailure, "kind" | "modelMessage" | "ref">> {
  readonly modelMessage: string;
}

export function failureIn(scene: FailureContext, kind: FailureKind, words: FailureWords, cause?: unknown): ToolFailure {
  return failureOf(
    {
      kind,
      retryable: true,
      executed: false,
      userMessage: scene.sanitizer.userText(kind, scene.tool),
      ...words,
      ref: scene.ref,
    },
    cause,
  );
}

export function malformedFailure(scene: FailureContext, why: string): ToolFailure {
  return failureIn(scene, "malformed_arguments", {
    modelMessage: `Error: The arguments for '${shownName(scene.tool)}' could not be read: ${why}. The tool was not run. Please call it again with its arguments as one JSON object.`,
  });
}

export function argumentFailure(
  scene: FailureContext,
  issues: readonly ArgumentIssue[],
  ignored: readonly string[],
): ToolFailure {
  const missing = issues.filter(({ problem }) => problem === "missing").map(({ path }) => path);
  const invalid = issues.filter(({ problem }) => problem === "invalid");
  const name = shownName(scene.tool);
  const lines = [
    missing.length > 0
      ? `Error: Tool '${name}' was called without required parameters: ${missing.join(", ")}.`
      : `Error: Tool '${name}' was called with invalid arguments.`,
    ...invalid.map(({ path, message }) => `- ${path === "" ? "arguments" : path}: ${message}`),
    ...(ignored.length > 0 ? [`It has no parameters named: ${ignored.join(", ")}.`] : []),
    "The tool was not run. Please call it again with corrected arguments.",
  ];
  return failureIn(scene, missing.length > 0 ? "missing_parameter" : "invalid_arguments", {
    issues: issues.map((issue) => ({ ...issue, message: scene.sanitizer.forModel(issue.message, scene.known) })),
    modelMessage: scene.sanitizer.forModel(lines.join("\n"), scene.known),
  });
}

/** A failure the tool returned: its text is forwarded, sanitized. */
export function returnedFailure(scene: FailureContext, error: ReturnedError, cause: unknown): ToolFailure {
  const isPermanent = !error.retryable || (isRateLimit(error.message) && scene.reading.rateLimits === "permanent");
  const detail = scene.sanitizer.forModel(error.message, scene.known);
  return failureIn(
    scene,
    error.kind,
    {
      executed: true,
      retryable: !isPermanent,
      ...(isRateLimit(error.message) && { code: "rate_limited" }),
      ...(detail !== "" && { detail: scene.sanitizer.forUser(error.message) }),
      modelMessage: detail === "" ? UNEXPECTED : `Error: ${detail}`,
    },
    cause,
  );
}

/** A failure the tool threw: only the message of a `ToolError` is forwarded. */
export function thrownFailure(scene: FailureContext, error: unknown): ToolFailure {
  if (ToolError.isInstance(error)) {
    const { kind = "execution", retryable = true, code, userMessage } = error.options;
    const message = String(error.message);
    const detail = scene.sanitizer.forModel(message, scene.known);
    return failureIn(
      scene,
      kind,
      {
        executed: true,
        retryable,
        ...(code !== undefined && { code }),
        ...(userMessage !== undefined && { userMessage: scene.sanitizer.forUser(userMessage) }),
        detail: scene.sanitizer.forUser(message),
        modelMessage: detail === "" ? UNEXPECTED : `Error: ${detail}`,
      },
      error,
    );
  }
  const limited = isRateLimit(statusOrMessage(error));
  return failureIn(
    scene,
    "execution",
    {
      executed: true,
      retryable: !(limited && scene.reading.rateLimits === "permanent"),
      ...(limited && { code: "rate_limited" }),
      modelMessage: UNEXPECTED,
    },
    error,
  );
}

export function timeoutFailure(
  scene: FailureContext,
  timeoutMs: number,
  { executed, isHarmless }: { readonly executed: boolean; readonly isHarmless: boolean },
): ToolFailure {
  const again = isHarmless ? "" : " It may still have taken effect: check before you call it again.";
  return failureIn(scene, "timeout", {
    executed,
    retryable: isHarmless,
    modelMessage: `Error: Tool '${shownName(scene.tool)}' gave no result within ${timeoutMs} ms and was stopped.${again}`,
  });
}

export function abortedFailure(scene: FailureContext, executed: boolean): ToolFailure {
  return failureIn(scene, "aborted", {
    executed,
    retryable: false,
    modelMessage: executed
      ? `Error: Tool '${shownName(scene.tool)}' was stopped before it ended. It may have taken effect.`
      : `Error: Tool '${shownName(scene.tool)}' was not run: the run was stopped.`,
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

function isRateLimit(words: string): boolean {
  return /\b429\b|rate.?limit|too many requests/i.test(words.slice(0, 2000));
}

/** For classification only; never shown. */
function statusOrMessage(error: unknown): string {
  try {
    if (typeof error !== "object" || error === null) return String(error);
    const { status, statusCode, code, message } = error as { readonly [key: string]: unknown };
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
  scene: FailureContext,
  name: string,
  names: readonly string[],
  most: number,
): ToolFailure {
  const { text, suggestions, listed } = describeUnknown(name, names, most);
  return failureIn(scene, "unknown_tool", { modelMessage: text, suggestions, available: listed });
}

export function disabledFailure(scene: FailureContext, names: readonly string[], most: number): ToolFailure {
  const available = names.slice(0, most);
  return failureIn(scene, "denied", {
    code: "disabled",
    retryable: false,
    available,
    modelMessage: `Error: Tool '${shownName(scene.tool)}' cannot be called now.\n\nAvailable tools: ${available.join(", ")}`,
  });
}

export function deniedFailure(scene: FailureContext, why: string, cause?: unknown): ToolFailure {
  const reason = why === "" ? "" : ` ${why}`;
  return failureIn(
    scene,
    "denied",
    { retryable: false, modelMessage: `Error: Tool '${shownName(scene.tool)}' was not allowed to run.${reason}` },
    cause,
  );
}

export function interruptedFailure(scene: FailureContext): ToolFailure {
  return failureIn(scene, "execution", {
    code: "interrupted",
    executed: true,
    retryable: false,
    modelMessage: `Error: Tool '${shownName(scene.tool)}' was started before an interruption and may have taken effect. It was not run again: check first.`,
  });
}

export function openFailure(scene: FailureContext): ToolFailure {
  return failureIn(scene, "circuit_open", {
    modelMessage: `Error: Tool '${shownName(scene.tool)}' has failed several times in a row and is switched off for a while. Continue without it.`,
  });
}
