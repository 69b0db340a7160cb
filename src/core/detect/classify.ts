import type { Evidence, FlagStatus, Outcome, ReportedStatus } from "../model/outcome.ts";
import { type InvalidCall, MAYBE_TRUNCATED_LENGTH, validateCall } from "./call/validate-call.ts";
import { profileOf } from "./clients/choose-profile.ts";
import type { ClientProfile } from "./clients/client-profile.ts";
import { openClientText } from "./clients/client-text.ts";
import { failureOf } from "./describe-failure.ts";
import type { Signal } from "./signal.ts";
import { readText } from "./text/read-text.ts";
import { resultText } from "./text/result-text.ts";
import { positionInWhole } from "./text/text-window.ts";
import { TextContext, type TextSignals } from "./text-signals.ts";
import type { DetectCall, DetectContext, DetectResult } from "./types.ts";

/** Length of an excerpt: enough to recognize the text. */
const EXCERPT_LENGTH = 200;

/** A longer result of an invalid call is a real result: the client understood the call after all. */
const REFUSAL_LENGTH = 600;

/**
 * Classifies a tool result: whether it failed, why, and with what confidence. Uses the protocol's flag, the client's
 * exit code and the text, and keeps the flag apart from what the text reports. Never throws; linear in the text.
 *
 * @example
 * classifyToolResult({ callId: "c1", content: "Exit code 2\nls: cannot access 'x'" }, { name: "Bash" }).status; //
 * "failed"
 */
export function classifyToolResult(result: DetectResult, call?: DetectCall, context?: DetectContext): Outcome {
  try {
    return classify(result, call, context ?? {});
  } catch {
    // Only a hostile object, such as one with a throwing getter, gets here; it must not break the caller.
    return {
      status: "unknown",
      flag: "absent",
      reported: "unknown",
      soft: false,
      evidence: [{ rule: "unreadable" }],
      confidence: 0,
    };
  }
}

function classify(result: DetectResult, call: DetectCall | undefined, context: DetectContext): Outcome {
  const profile = profileOf(context.client);
  const opened = openClientText(resultText(result.content), profile);
  const { text } = opened;
  const isError = result.isError ?? result.is_error ?? opened.isError;
  const textContext = new TextContext(call, profile, { isError, exitCode: result.exitCode }, context);
  const signals = readText(text, textContext);
  const protocol = protocolFlag(isError, context, profile, signals);
  const flag = protocol === "absent" ? statedFlag(signals) : protocol;
  const reported = reportedStatus(signals, context.heuristics !== false);
  const shouldValidate =
    call !== undefined &&
    flag !== "ok" &&
    mayBeInvalid(call, context, text, flag === "failed" || reported === "failed");
  const fault = shouldValidate ? validateCall(call, context.tools, profile.invalidCallName) : undefined;
  const isInvalidCall =
    fault !== undefined && (flag === "failed" || reported === "failed" || rejectsCall(fault, text, signals));
  const status = flag === "absent" ? (isInvalidCall ? "failed" : reported) : flag;
  const soft = flag === "ok" && reported === "failed";
  const evidence = evidenceOf(protocol, signals, isInvalidCall ? fault : undefined, text);
  const outcome: Outcome = {
    status,
    flag,
    reported,
    soft,
    evidence,
    confidence: confidenceOf(protocol, signals, isInvalidCall),
  };
  const failed = status === "failed" || soft;
  // Fast path for most results: no failure and no measurement.
  if (!failed && signals.stated === undefined && context.durationMs === undefined) {
    return outcome;
  }
  return {
    ...outcome,
    ...exitOf(signals),
    ...(context.durationMs === undefined ? {} : { durationMs: context.durationMs }),
    ...(failed ? failureOf(signals, isInvalidCall ? fault : undefined, text, soft, textContext) : {}),
  };
}

/** Returns the protocol's flag, as far as this client sets it reliably. */
function protocolFlag(
  isError: unknown,
  context: DetectContext,
  profile: ClientProfile,
  signals: TextSignals,
): FlagStatus {
  if (isError === true) {
    return "failed";
  }
  if (isError === false) {
    return profile.okFlag === "ok" ? "ok" : "absent";
  }
  // For a client that flags every failure, a missing flag means ok, unless its own markers in the text report a
  // failure.
  const hasClientMarker = signals.stated?.says === "failure" || signals.report?.rule === "error-tag";
  return context.api === "anthropic" && profile.absentFlag === "ok" && !hasClientMarker ? "ok" : "absent";
}

function statedFlag({ stated }: TextSignals): FlagStatus {
  return stated === undefined ? "absent" : stated.says === "failure" ? "failed" : "ok";
}

function reportedStatus({ stated, report }: TextSignals, heuristics: boolean): ReportedStatus {
  if (!heuristics) {
    return "unknown";
  }
  switch (report?.says) {
    case "failure":
      return "failed";
    case "open":
      return stated === undefined || stated.exitCode === undefined
        ? "unknown"
        : stated.says === "failure"
          ? "failed"
          : "ok";
    case "success":
      return "ok";
    default:
      return stated?.says === "failure" ? "failed" : "ok";
  }
}

/**
 * Whether to validate the call. Parsing arguments costs more than most classifications, so only where it can matter.
 */
function mayBeInvalid(call: DetectCall, context: DetectContext, text: string, failed: boolean): boolean {
  if (failed || context.tools !== undefined || context.client === "opencode") {
    return true;
  }
  const args = call.arguments;
  return (
    typeof args === "string" &&
    args.length < MAYBE_TRUNCATED_LENGTH &&
    text.length <= REFUSAL_LENGTH &&
    !args.trimEnd().endsWith("}")
  );
}

/** Whether the result is short enough to be a rejection of the invalid call with unknown wording. */
function rejectsCall(fault: InvalidCall, text: string, { report }: TextSignals): boolean {
  return (
    fault.certain &&
    report?.says !== "success" &&
    text.length <= REFUSAL_LENGTH &&
    !/^\s*[{[]/.test(text) &&
    !text
      .toLowerCase()
      .split(/\W+/)
      .some((word) => SUCCESS.has(word))
  );
}

/** Words that no rejection contains. */
const SUCCESS = new Set(
  "success successful successfully done created updated saved wrote written completed".split(" "),
);

function exitOf({ stated }: TextSignals): { readonly exitCode?: number } {
  return stated?.exitCode === undefined ? {} : { exitCode: stated.exitCode };
}

function evidenceOf(
  protocol: FlagStatus,
  { stated, report }: TextSignals,
  fault: InvalidCall | undefined,
  text: string,
): readonly Evidence[] {
  // Fast path for most results.
  if (protocol === "absent" && fault === undefined && stated === undefined && report === undefined) {
    return NO_REPORT;
  }
  const list: Evidence[] = [];
  if (fault !== undefined) {
    list.push({ rule: fault.rule, excerpt: fault.words.slice(0, 200) });
  }
  if (protocol !== "absent") {
    list.push({ rule: `protocol-flag-${protocol}` });
  }
  for (const found of [stated, report]) {
    if (found?.grams !== undefined && found.grams.length > 0) {
      for (const gram of found.grams) {
        list.push(evidence({ ...found, ...gram }, text));
      }
    } else if (found !== undefined) {
      list.push(evidence(found, text));
    }
  }
  return list.length === 0 ? NO_REPORT : list;
}

const NO_REPORT: readonly Evidence[] = [{ rule: "no-failure-reported" }];

function evidence({ rule, at, words }: Signal, text: string): Evidence {
  if (at < 0) {
    return words === "" ? { rule } : { rule, excerpt: words.slice(0, EXCERPT_LENGTH) };
  }
  const excerpt = words.slice(0, EXCERPT_LENGTH);
  const position = excerpt === "" ? undefined : positionInWhole(text, excerpt, at);
  return position === undefined ? { rule, excerpt } : { rule, excerpt, position };
}

/** How often a text without a reported failure is a success; measured, see docs/accuracy-detection.md. */
const NO_REPORT_CONFIDENCE = 0.95;

function confidenceOf(protocol: FlagStatus, { stated, report }: TextSignals, isInvalidCall: boolean): number {
  if (protocol !== "absent") {
    return 1;
  }
  if (stated !== undefined) {
    return stated.confidence;
  }
  if (isInvalidCall) {
    return report?.says === "failure" ? 0.97 : 0.7;
  }
  return report?.confidence ?? NO_REPORT_CONFIDENCE;
}
