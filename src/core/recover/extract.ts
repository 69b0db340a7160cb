import { Scanner } from "./engine/scanner.ts";
import { prepare } from "./engine/settings.ts";
import type { Extraction, LeakEvent, LeakMatch, LeakScanner, RecoveredCall, RecoverOptions } from "./types.ts";

/**
 * Extracts leaked tool calls from a stream. Text is emitted as soon as it cannot be part of a call.
 *
 * @example
 * const scanner = createLeakScanner({ tools: [{ name: "read_file" }] });
 * for (const delta of ["Let me see. <tool_", 'call>{"name": "read_file", "arguments": {}}</tool_call>']) scanner.push(delta);
 * scanner.end(); // the call, as an event
 */
export function createLeakScanner(options: RecoverOptions = {}): LeakScanner {
  return new Scanner(prepare(options));
}

/**
 * Extracts the tool calls of a whole text, in any of the formats of docs/formats.md. Text without calls is returned
 * unchanged; a message without text has none.
 *
 * @example
 * const { content, toolCalls } = extractToolCalls('Hi. <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call>');
 * // content: "Hi.", toolCalls[0].name: "f"
 */
export function extractToolCalls(text: string | null | undefined, options: RecoverOptions = {}): Extraction {
  const scanner = new Scanner(prepare(options));
  return collect(scanner.push(text ?? ""), scanner.end());
}

/** Combines the events of a scanner into the result for the whole text. */
export function collect(...lists: ReadonlyArray<readonly LeakEvent[]>): Extraction {
  // The engine builds the joined string lazily, so a text without calls is never copied.
  let content = "";
  const toolCalls: RecoveredCall[] = [];
  const matches: LeakMatch[] = [];
  for (const events of lists)
    for (const event of events) {
      if (event.kind === "text") content += event.text;
      else if (event.kind === "call") toolCalls.push(event.call);
      else matches.push(event.match);
    }
  // A candidate may be rejected while an earlier one is still held, so the matches are sorted by position.
  matches.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  return { content, toolCalls, matches };
}
