import type { UnrepairedReason } from "./types.ts";

/** Why a leak was not repaired, as text for tables and logs. */
export const REASON_TEXT: Readonly<Record<UnrepairedReason, string>> = {
  echo: "repeats a call from a tool result, a file or a message",
  "in-list": "an item of a list",
  "in-table": "a cell of a table",
  "in-markup": "shown inside an HTML element, a comment or another environment",
  placeholder: "contains a placeholder value",
  example: "introduced as an example",
  negated: "the text says not to make it",
  reported: "the text reports what was written elsewhere",
  question: "the text asks whether to make it",
  "in-sentence": "part of a sentence",
  "missing-argument": "a required argument is missing",
  "empty-argument": "an argument has no value",
  "invalid-arguments": "the arguments do not fit the tool's schema",
  ambiguous: "the arguments can be read in more than one way",
  "tool-choice": "the request allows other tools only",
  truncated: "cut off inside the arguments",
  "too-large": "larger than the limit for one call",
  "too-costly": "too many candidates in one response",
  "unknown-name": "the request declares no such tool",
  "server-tool": "a tool that the provider runs",
  denied: "forbidden by allow or deny",
  "invalid-name": "not a valid tool name in this API",
  "free-text-tool": "the tool takes free text only",
  "native-call": "the response also has a native call",
  "max-tokens": "the response ended at its token limit",
  refusal: "the model refused",
  "content-filter": "stopped by a content filter",
  error: "the response ended with an error",
  aborted: "the response was aborted",
  "unknown-stop-reason": "unknown stop reason",
  logprobs: "the response carries log probabilities of the text",
  citations: "the text carries citations",
  "buffer-full": "more text than the buffer holds",
  reasoning: "in the middle of the model's reasoning",
  thinking: "extended thinking is on and the response does not begin with it",
  "context-too-large": "the request is too large to rule out an echo",
  "server-state": "the provider stores the conversation and the call cannot be put back",
  "passed-through": "the response was passed through unread",
  "malformed-call": "the provider withheld a call that it could not read",
  websocket: "the response came over a WebSocket",
  suspended: "repair is suspended after a rejection by the upstream",
  observe: "repair mode is observe",
};

/** The text for a reason. Reasons of newer versions are returned as they are. */
export function reasonText(reason: string): string {
  const texts: Readonly<Record<string, string>> = REASON_TEXT;
  return Object.hasOwn(texts, reason) ? (texts[reason] ?? reason) : reason;
}
