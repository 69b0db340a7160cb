import { MAX_NAME_CHARS, rankNames } from "../../core/calls/rank-names.ts";
import type { ToolFailure } from "../outcome/failure.ts";

/** Minimum similarity for a suggestion. */
const NEAR = 0.6;
const MAX_SUGGESTIONS = 3;

/** Likely intended names; empty rather than a bad guess. */
export function suggestNames(wanted: string, names: Iterable<string>): string[] {
  return rankNames(wanted, names)
    .filter(({ near }) => near >= NEAR)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

/** Response to an unknown name. */
export interface UnknownName {
  readonly text: string;
  readonly suggestions: readonly string[];
  readonly listed: readonly string[];
}

/** The error result for an unknown name. Models and tests rely on its wording: do not change it. */
export function describeUnknown(wanted: string, names: readonly string[], maxListed: number): UnknownName {
  const suggestions = suggestNames(wanted, names);
  const listed =
    names.length <= maxListed
      ? names
      : rankNames(wanted, names)
          .slice(0, maxListed)
          .map(({ name }) => name);
  const left = names.length - listed.length;
  const list = `${listed.join(", ")}${left > 0 ? ` (and ${left} more)` : ""}`;
  const text = [
    `Error: Tool '${shown(wanted)}' not found.`,
    ...(suggestions.length > 0 ? [`Did you mean: ${suggestions.join(", ")}?`] : []),
    ...(names.length > 0
      ? [`Available tools: ${list}`, "Please try again with one of the available tools."]
      : ["No tools are available. Please answer without calling a tool."]),
  ].join("\n\n");
  return { text, suggestions, listed };
}

/** On one line, with a bounded length. */
function shown(name: string): string {
  const line = name.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  return line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS)}…` : line;
}

/** Thrown only for an unknown name in strict mode. */
export class UnknownToolError extends Error {
  override readonly name = "UnknownToolError";
  readonly failure: ToolFailure;

  constructor(failure: ToolFailure) {
    super(failure.modelMessage);
    this.failure = failure;
  }
}
