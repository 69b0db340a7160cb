import type { Message } from "../model/message.ts";
import type { FailedCall } from "../outcome/outcome.ts";
import { shownName } from "../sanitize/user-texts.ts";
import type { RejectedCall } from "./leak-reader.ts";

interface Failed {
  times: number;
  last: string;
}

/**
 * The one note to the model at the end of the conversation: what failed and is no longer in the history, and what else it
 * must know for its next turn. One message, however often something fails.
 */
export class Notes {
  readonly #failed = new Map<string, Failed>();
  readonly #once: string[] = [];

  failed({ call, failure }: FailedCall): void {
    const entry = this.#failed.get(call.name) ?? { times: 0, last: "" };
    entry.times += 1;
    entry.last = failure.modelMessage.startsWith("{")
      ? "the tool failed"
      : failure.modelMessage.replace(/^Error: /, "");
    if (!failure.retryable) entry.last += " This cannot be mended by trying again.";
    this.#failed.set(call.name, entry);
  }

  succeeded(tool: string): void {
    this.#failed.delete(tool);
  }

  /** For the next turn only. */
  once(text: string): void {
    this.#once.push(text);
  }

  /** The note for the next question; nothing to say, no note. */
  take(): Message[] {
    const lines = [
      ...[...this.#failed].map(
        ([tool, { times, last }]) => `- '${shownName(tool)}' failed${times > 1 ? ` ${times} times` : ""}: ${last}`,
      ),
      ...this.#once.splice(0),
    ];
    if (lines.length === 0) return [];
    return [{ role: "user", content: `[Note of the tool runtime, not of the user]\n${lines.join("\n")}`, note: true }];
  }
}

/** What the model is told about a call it wrote as text that could not be read. */
export function rejectedText(rejected: readonly RejectedCall[], tools: Iterable<string>): string {
  const names = [...tools].slice(0, 50).join(", ");
  const what = rejected
    .slice(0, 3)
    .map(
      ({ name, reason, format }) =>
        `${name === undefined ? "a call" : `a call of '${shownName(name)}'`} (${format}: ${reason})`,
    )
    .join(", ");
  return `Your last message contained ${what} that could not be understood. Nothing was run. Call tools through the tool calling of the API, with the arguments as one complete JSON object. Available tools: ${names}`;
}
