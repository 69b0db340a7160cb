import type { FailureKind } from "../outcome/failure.ts";

/** Messages to users about failed calls. `{tool}` is the tool's name. */
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

/** Inserts the tool name. It comes from a model, so it is truncated and reduced to plain characters. */
export function userText(texts: UserTexts, kind: FailureKind, tool: string): string {
  return texts[kind].replaceAll("{tool}", () => shownName(tool));
}

/** A tool name that is safe to show anywhere. */
export function shownName(name: string): string {
  const plain = name.slice(0, 80).replace(/[^\p{L}\p{N}_.:/ -]/gu, "");
  return name.length > 80 ? `${plain}…` : plain;
}
