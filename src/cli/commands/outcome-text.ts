import { adviceFor } from "../../core/detect/index.ts";
import type { Outcome, Phase, Retryable } from "../../core/model/outcome.ts";
import { oneLineText } from "../table.ts";
import { adviceText } from "./advice-text.ts";

const PHASE_TEXT: Readonly<Record<Phase, string>> = {
  call: "the call was invalid and did not run",
  gate: "a user or a rule refused the call",
  run: "the tool ran and failed",
};

const RETRY_TEXT: Readonly<Record<Retryable, string>> = {
  yes: "the same call may work later",
  "after-change": "only after something changed, such as the arguments",
  no: "the same call would fail again",
};

/** An outcome for people: status, the line that names the failure, the reason, and advice. */
export function outcomeText(outcome: Outcome, tool: string | undefined): string {
  const { category, message, phase, retryable, severity } = outcome;
  const advice =
    category === undefined || outcome.status !== "failed"
      ? null
      : (adviceFor({ category, phase, tool: oneLineText(tool ?? "the tool"), message }) ?? null);
  const lines = [
    statusText(outcome),
    ...(message === undefined ? [] : [`  ${oneLineText(message)}`]),
    `Why: ${reasonText(outcome)}`,
    ...(phase === undefined || severity === undefined ? [] : [`Phase: ${phase} (${PHASE_TEXT[phase]})`]),
    ...(severity === undefined ? [] : [`Severity: ${severity} of 1`]),
    ...(retryable === undefined ? [] : [`Retry: ${retryable} (${RETRY_TEXT[retryable]})`]),
  ];
  return lines.map((line) => `${line}\n`).join("") + adviceText([advice]);
}

function statusText({ status, soft, category }: Outcome): string {
  const name = category === undefined ? "" : `: ${category}`;
  if (soft) return `${status}, but the text reports a failure${name}`;
  return status + name;
}

/** Which input decided, and the text that a rule matched. */
function reasonText({ status, flag, reported, evidence: [first], confidence }: Outcome): string {
  if (status === "unknown") return "neither a flag nor the text says whether the call worked.";
  const by =
    flag !== "absent"
      ? `the result states it (${flag === "failed" ? "failed" : "successful"})`
      : reported === "failed"
        ? "the text reports a failure"
        : "the text reports no failure";
  if (first === undefined) return `${by}.`;
  const matched = first.excerpt === undefined ? "" : ` matched "${oneLineText(first.excerpt)}"`;
  return `${by}. Rule ${first.rule}${matched}; ${Math.round(100 * confidence)} % confidence.`;
}
