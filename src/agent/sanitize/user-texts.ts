import type { FailureKind } from "../outcome/failure.ts";

/** What a user reads about a failed call. `{tool}` is the tool's name. */
export type UserTexts = Readonly<Record<FailureKind, string>>;

export const USER_TEXTS: UserTexts = {
  unknown_tool: "The assistant tried to use a tool that does not exist.",
  malformed_arguments: "The assistant's request to '{tool}' was not readable.",
  missing_parameter: "The assistant attempted to call '{tool}' without required arguments.",
  invalid_arguments: "The assistant called '{tool}' with values it does not accept.",
  execution: "'{tool}' could not be completed.",
  timeout: "'{tool}' took too long and was stopped.",
  aborted: "'{tool}' was stopped.",
  circuit_open: "'{tool}' is not available at the moment.",
  repeated: "The assistant repeated the same request to '{tool}' and was stopped.",
  limit: "The assistant stopped after too many tool calls.",
  denied: "'{tool}' was not allowed.",
};

/** The sentence with its tool put in. The name comes from a model: it is cut, and only plain characters pass. */
export function userText(texts: UserTexts, kind: FailureKind, tool: string): string {
  return texts[kind].replaceAll("{tool}", () => shownName(tool));
}

/** A tool's name as it may be shown anywhere. */
export function shownName(name: string): string {
  const plain = name.slice(0, 80).replace(/[^\p{L}\p{N}_.:/ -]/gu, "");
  return name.length > 80 ? `${plain}…` : plain;
}
