import type { ModelCall } from "../model/message.ts";
import type { ToolFailure } from "../outcome/failure.ts";
import type { ToolOutcome } from "../outcome/outcome.ts";
import { shownName } from "../sanitize/user-texts.ts";
import { type FailureScene, failureIn } from "./failures.ts";
import { describeUnknown } from "./names.ts";

/** The outcome of a call that never reached its tool. */
export function endedEarly(call: ModelCall, failure: ToolFailure): ToolOutcome {
  return { call, input: call.arguments, attempts: 0, durationMs: 0, replayed: false, notes: [], ok: false, failure };
}

export function unknownFailure(scene: FailureScene, name: string, names: readonly string[], most: number): ToolFailure {
  const { text, suggestions, listed } = describeUnknown(name, names, most);
  return failureIn(scene, "unknown_tool", { modelMessage: text, suggestions, available: listed });
}

export function disabledFailure(scene: FailureScene, names: readonly string[], most: number): ToolFailure {
  const available = names.slice(0, most);
  return failureIn(scene, "denied", {
    code: "disabled",
    retryable: false,
    available,
    modelMessage: `Error: Tool '${shownName(scene.tool)}' cannot be called now.\n\nAvailable tools: ${available.join(", ")}`,
  });
}

export function deniedFailure(scene: FailureScene, why: string, cause?: unknown): ToolFailure {
  const reason = why === "" ? "" : ` ${why}`;
  return failureIn(
    scene,
    "denied",
    { retryable: false, modelMessage: `Error: Tool '${shownName(scene.tool)}' was not allowed to run.${reason}` },
    cause,
  );
}

export function interruptedFailure(scene: FailureScene): ToolFailure {
  return failureIn(scene, "execution", {
    code: "interrupted",
    executed: true,
    retryable: false,
    modelMessage: `Error: Tool '${shownName(scene.tool)}' was started before an interruption and may have taken effect. It was not run again: check first.`,
  });
}

export function openFailure(scene: FailureScene): ToolFailure {
  return failureIn(scene, "circuit_open", {
    modelMessage: `Error: Tool '${shownName(scene.tool)}' has failed several times in a row and is switched off for a while. Go on without it.`,
  });
}
