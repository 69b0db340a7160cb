import { isArray } from "../../core/model/narrow.ts";
import type { ObservationBase } from "../../core/model/observation.ts";
import type { RawCallObservation, RawResult } from "../../ingest/observe/observe-call.ts";
import {
  baseFields,
  durationOf,
  type Fields,
  folderIn,
  type HookReadContext,
  type HookReading,
  isCallId,
  isFields,
  NO_OBSERVATIONS,
  namingEvent,
  promptId,
  promptIdFromText,
  promptObservation,
  readAs,
  type TranscriptMention,
  textOf,
  unreadable,
} from "../hook-event.ts";

const CLIENT = { client: "claude-code", provider: "anthropic" } as const;

/** Start of a prompt that the client generates when a background task ends. */
const TASK_NOTIFICATION = "<task-notification>";

/** More calls than any model makes in a turn. */
const MAX_BATCH_CALLS = 1000;

/** Reads one payload of a Claude Code hook. docs/hooks.md describes the events. */
export function readClaudeCodeEvent(payload: unknown, context: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const event = textOf(payload.hook_event_name);
  if (event === undefined) return unreadable("hook_event_name is missing");
  const common = baseFields({ session: payload.session_id, agent: payload.agent_id }, CLIENT, context);
  if (common.kind === "unreadable") return common;
  const { base } = common;
  const reading = namingEvent(event, observationsIn(event, payload, base, context));
  if (reading.kind === "unreadable") return reading;
  return { ...reading, transcripts: transcriptsOf(event, payload, base) };
}

function observationsIn(event: string, payload: Fields, base: ObservationBase, context: HookReadContext): HookReading {
  switch (event) {
    case "PreToolUse":
      return oneCall(payload, base, { permission_requested: true });
    case "PostToolUse":
      return oneCall(payload, base, { ...durationIn(payload), result: readToolResponse(payload.tool_response) });
    case "PostToolUseFailure":
      return oneCall(payload, base, { ...durationIn(payload), result: failureIn(payload) });
    case "PostToolBatch":
      return batch(payload, base);
    case "UserPromptSubmit":
      return prompt(payload, base, context);
    case "SessionStart":
      return readAs({ ...base, kind: "session", event: "started", ...folderIn(payload), ...modelIn(payload) });
    case "Stop":
      return readAs({ ...base, kind: "session", event: "stopped" });
    case "SessionEnd":
      return readAs({ ...base, kind: "session", event: "ended" });
    default:
      // SubagentStop does not end the session. Events of newer versions are accepted and ignored.
      return NO_OBSERVATIONS;
  }
}

function oneCall(payload: Fields, base: ObservationBase, more: Partial<RawCallObservation>): HookReading {
  if (!isCallId(payload.tool_use_id)) return unreadable("tool_use_id is missing");
  return readAs(callIn(payload, payload.tool_use_id, base, promptIn(payload), more));
}

/** Hot path, runs for every call in every event: assigns fields instead of spreading conditionally. */
function callIn(
  call: Fields,
  id: string,
  base: ObservationBase,
  prompt: string | undefined,
  more: Partial<RawCallObservation>,
): RawCallObservation {
  const observation: { -readonly [K in keyof RawCallObservation]: RawCallObservation[K] } = {
    ...base,
    tool_call_id: id,
    place: NEWEST,
  };
  const name = textOf(call.tool_name);
  if (name !== undefined) observation.name = name;
  if (call.tool_input !== undefined) observation.arguments = call.tool_input;
  if (prompt !== undefined) observation.prompt = prompt;
  return Object.assign(observation, more);
}

const NEWEST = { kind: "newest" } as const;

function failureIn(payload: Fields): RawResult {
  return {
    content: payload.error,
    is_error: true,
    phase: "run",
    ...(payload.is_interrupt === true && { stage: "interrupted" as const }),
  };
}

/**
 * Reads all calls of a turn with the results the model received. The batch has no flags: a call counts as not executed
 * if no other event reports its result.
 */
function batch(payload: Fields, base: ObservationBase): HookReading {
  if (!isArray(payload.tool_calls)) return unreadable("tool_calls is not a list");
  const calls = payload.tool_calls
    .slice(0, MAX_BATCH_CALLS)
    .filter((call): call is Fields & { readonly tool_use_id: string } => isFields(call) && isCallId(call.tool_use_id));
  const turn = calls[0]?.tool_use_id ?? "";
  const prompt = promptIn(payload);
  const rawObservations = calls.map((call, index) =>
    callIn(call, call.tool_use_id, base, prompt, {
      turn,
      turn_index: index,
      ...("tool_response" in call && { result: { content: call.tool_response, stage: "unrun" } }),
    }),
  );
  return { kind: "read", rawObservations };
}

function prompt(payload: Fields, base: ObservationBase, context: HookReadContext): HookReading {
  const text = textOf(payload.prompt) ?? "";
  if (text.startsWith(TASK_NOTIFICATION)) return NO_OBSERVATIONS;
  return readAs(promptObservation(base, textOf(payload.prompt_id) ?? promptIdFromText(text, base, context), text));
}

function promptIn(payload: Fields): string | undefined {
  const id = textOf(payload.prompt_id);
  return id === undefined ? undefined : promptId(id);
}

function durationIn(payload: Fields): { readonly execution_time_ms?: number } {
  const duration = durationOf(payload.duration_ms);
  return duration === undefined ? {} : { execution_time_ms: duration };
}

function modelIn(payload: Fields): { readonly model?: string } {
  const model = textOf(payload.model);
  return model === undefined ? {} : { model };
}

const TURN_ENDS = new Set(["Stop", "SubagentStop", "SessionEnd"]);

/** Returns the transcripts of the session and the subagent. They are due when a turn has ended. */
function transcriptsOf(event: string, payload: Fields, base: ObservationBase): readonly TranscriptMention[] {
  const due = TURN_ENDS.has(event);
  return [payload.transcript_path, payload.agent_transcript_path].flatMap((path) =>
    typeof path === "string" && path !== "" ? [{ project: base.project, path, due }] : [],
  );
}

/**
 * Reads the result in a `PostToolUse` event. The event follows successful calls only, so the flag is `ok` unless the
 * response contains an explicit failure. Older versions, and other programs that send this event, report failures so.
 */
export function readToolResponse(response: unknown): RawResult {
  if (!isFields(response)) return { content: response, ...(typeof response === "string" ? {} : OK) };
  if (response.interrupted === true) return { content: visibleText(response), is_error: true, stage: "interrupted" };
  const failure = explicitFailure(response);
  return failure === undefined ? { content: visibleText(response), ...OK } : failure;
}

const OK = { is_error: false } as const;

/** The first match wins. A numeric `timeout` is a setting; only `true` means that the call timed out. */
function explicitFailure(response: Fields): RawResult | undefined {
  const failed = (content: string): RawResult => ({ content, is_error: true, phase: "run" });
  const exit = response.exit_code ?? response.exitCode;
  const status = response.statusCode;
  if (response.isError === true || response.is_error === true) return { ...failed(""), content: visibleText(response) };
  if (isError(response.error)) return failed(errorText(response.error));
  if (response.success === false) return { ...failed(""), content: JSON.stringify(response) };
  if (typeof exit === "number" && exit !== 0) return failed(`Exit code ${exit}\n${visibleText(response)}`.trim());
  if (typeof status === "number" && status >= 400) return failed(`HTTP ${status} ${visibleText(response)}`.trim());
  if (response.timedOut === true || response.timeout === true) return failed("Timed out");
  if (response.cancelled === true) return { ...failed("Cancelled"), stage: "interrupted" };
  if (response.notFound === true) return failed("Not found");
  if (response.permissionDenied === true) return failed("Permission denied");
  return undefined;
}

function isError(error: unknown): boolean {
  return (typeof error === "string" && error !== "") || (typeof error === "object" && error !== null) || error === true;
}

function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  if (isFields(error)) return textOf(error.message) ?? JSON.stringify(error);
  return "Error";
}

/** Returns the output of a shell, the content of a file or content blocks; otherwise the whole response. */
function visibleText(response: Fields): unknown {
  const { stdout, stderr, file, content } = response;
  if (typeof stdout === "string" || typeof stderr === "string") {
    return [stdout, stderr].filter((part) => typeof part === "string" && part !== "").join("\n");
  }
  if (isFields(file) && typeof file.content === "string") return file.content;
  return content === undefined ? response : content;
}
