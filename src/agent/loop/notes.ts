import type { FailureSummary, Message } from "../model/message.ts";
import type { FailureKind, ToolFailure } from "../outcome/failure.ts";
import { resultText } from "../outcome/result-text.ts";
import { fingerprint } from "../policy/repeats.ts";
import { shownName } from "../sanitize/user-texts.ts";
import { shownInput } from "./events.ts";

/**
 * What a note reports of a failure, in the loop's own words: a note has the role of the user, so a tool's text must not
 * enter it.
 */
const REPORTS: Readonly<Record<FailureKind, string>> = {
  unknown_tool: "this tool does not exist.",
  malformed_arguments: "the arguments could not be read.",
  missing_parameter: "a required parameter was missing.",
  invalid_arguments: "the tool does not accept these arguments.",
  execution: "the tool failed.",
  timeout: "the tool gave no result in time.",
  aborted: "the call was stopped.",
  circuit_open: "the tool is switched off for a while.",
  repeated: "the same call was already made.",
  limit: "there were too many calls.",
  denied: "the call was not allowed.",
};
const UNCERTAIN = "It may have taken effect: check before you make it again.";
const MAX_GIST_CHARS = 200;

interface FailedNote {
  readonly gist: string;
  readonly report: string;
  /** Side effects are possible, so that a later success does not settle the matter. */
  readonly isUncertain: boolean;
  times: number;
}

/**
 * Collects the note appended to the conversation for the model: failures that are no longer in the history, and hints
 * for the next turn. It is a single message, no matter how many calls failed.
 */
export class Notes {
  readonly #failed = new Map<string, FailedNote>();
  readonly #once: string[] = [];

  failed(name: string, input: unknown, failure: ToolFailure): void {
    this.summarized(name, input, { ...failure, category: failure.kind, permanent: failure.permanent === true });
  }

  /** A failed call, of this run or of a stored conversation. */
  summarized(name: string, input: unknown, { category, retryable, permanent, executed }: FailureSummary): void {
    const key = fingerprint(name, input);
    const isUncertain = executed && (category === "timeout" || category === "aborted");
    const report = [
      Object.hasOwn(REPORTS, category) ? REPORTS[category as FailureKind] : REPORTS.execution,
      ...(isUncertain && !retryable ? [UNCERTAIN] : []),
      ...(permanent ? ["Continue without this tool."] : []),
      ...(!permanent && !retryable && category === "execution" ? ["These arguments will not work."] : []),
    ].join(" ");
    const before = this.#failed.get(key);
    this.#failed.set(key, {
      gist: `${shownName(name)} ${gistOf(input)}`,
      report,
      isUncertain: isUncertain && !retryable,
      times: (before?.times ?? 0) + 1,
    });
  }

  /** The same call, with the same arguments, succeeded later. */
  succeeded(name: string, input: unknown): void {
    const key = fingerprint(name, input);
    if (this.#failed.get(key)?.isUncertain === false) this.#failed.delete(key);
  }

  /** Added to the next note only. */
  once(text: string): void {
    this.#once.push(text);
  }

  /** The note for the next request; empty if there is nothing to report. */
  take(): Message[] {
    const lines = [...this.#failed.values()].map(
      ({ gist, report, times }) => `- ${gist}${times > 1 ? ` (${times} times)` : ""}: ${report}`,
    );
    const failed = lines.length === 0 ? [] : ["These calls failed and are not shown above:", ...lines];
    return noteMessages([...failed, ...this.#once.splice(0)]);
  }
}

/** The message of a note; none without lines. */
export function noteMessages(lines: readonly string[]): Message[] {
  if (lines.length === 0) return [];
  const content = `[Note from the tool runtime, not from the user]\n${lines.join("\n")}`;
  return [{ role: "user", content, note: true }];
}

/** The arguments on one line, with a bounded length. */
function gistOf(input: unknown): string {
  const text = resultText(shownInput(input));
  return text.length > MAX_GIST_CHARS ? `${text.slice(0, MAX_GIST_CHARS)}…` : text;
}
