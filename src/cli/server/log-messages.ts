import type { LeakObservation } from "../../core/model/observation.ts";
import { reasonText } from "../../core/repair/reason-text.ts";
import type { RecorderProblem } from "../../ingest/recorder.ts";
import type { FailureKind } from "../../proxy/http/error-boundary.ts";

/** What a problem of recording means for the records. */
export const RECORDER_PROBLEM_TEXT: Readonly<Record<RecorderProblem["kind"], string>> = {
  store: "records cannot be stored now; they wait in the journal, and requests are still forwarded",
  journal: "the journal cannot be written, so new records are lost; requests are still forwarded",
  rejected: "some records could not be stored; they are in journal/rejected",
};

/** What a contained failure means for the request. Other requests are never affected. */
export const FAILURE_TEXT: Readonly<Record<FailureKind, string>> = {
  forward: "a request failed because of an internal error",
  "upstream-protocol": "a request failed: the upstream's response violates HTTP",
  "request-timeout": "a request was closed: its body stopped coming",
  repair: "a response was forwarded without repair because of an internal error",
  rewrite: "a request was forwarded unchanged because of an internal error",
  recording: "a request was forwarded without being recorded completely, because of an internal error",
  local: "a request to the API or the dashboard failed because of an internal error",
  uncaught: "an internal error was contained; the server continues",
};

/** What happened to a tool call that a model wrote as text. */
export function leakMessage({ result, reason }: Pick<LeakObservation, "result" | "reason">): string {
  if (result === "recovered") return "a model wrote a tool call as text; the client received it as a call";
  const why = reason === undefined ? "" : `: ${reasonText(reason)}`;
  return `a model wrote a tool call as text, and it stayed text${why}`;
}

/** What happened to an event of a hook. */
export const HOOK_EVENT_TEXT = {
  unreadable: "an event of a hook could not be read, and is not recorded",
  dropped: "an event of a hook arrived too fast, and is not recorded",
} as const;
