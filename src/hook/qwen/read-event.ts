import { isArray } from "../../core/model/narrow.ts";
import type { ObservationBase } from "../../core/model/observation.ts";
import { objects } from "../../core/wire/json.ts";
import type { RawCallObservation, RawResult } from "../../ingest/observe/observe-call.ts";
import {
  baseFields,
  type Fields,
  folderIn,
  type HookReadContext,
  type HookReading,
  isCallId,
  isFields,
  NO_OBSERVATIONS,
  namingEvent,
  readAs,
  textOf,
  timeOf,
  transcriptIn,
  unreadable,
} from "../hook-event.ts";

const CLIENT = { client: "qwen-code" } as const;
const MAX_BATCH_CALLS = 1000;
const TURN_ENDS = new Set(["Stop", "SessionEnd"]);

/** Reads one payload of a Qwen Code hook. Prompts, model and durations come from the transcript that it names. */
export function readQwenEvent(payload: unknown, context: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const event = textOf(payload.hook_event_name);
  if (event === undefined) return unreadable("hook_event_name is missing");
  const at = timeOf(payload.timestamp, context) ?? context.at;
  const common = baseFields({ session: payload.session_id, agent: payload.agent_id }, CLIENT, { ...context, at });
  if (common.kind === "unreadable") return common;
  const reading = namingEvent(event, observationsIn(event, payload, common.base));
  if (reading.kind === "unreadable") return reading;
  return { ...reading, transcripts: transcriptIn(payload.transcript_path, common.base, TURN_ENDS.has(event)) };
}

function observationsIn(event: string, payload: Fields, base: ObservationBase): HookReading {
  switch (event) {
    case "PostToolBatch":
      return batch(payload, base);
    case "SessionStart":
      return readAs({ ...base, kind: "session", event: "started", ...folderIn(payload) });
    case "Stop":
      return readAs({ ...base, kind: "session", event: "stopped" });
    case "SessionEnd":
      return readAs({ ...base, kind: "session", event: "ended" });
    default:
      return NO_OBSERVATIONS;
  }
}

/** Unlike the events of single calls, the batch has every call, also those that never ran. */
function batch(payload: Fields, base: ObservationBase): HookReading {
  if (!isArray(payload.tool_calls)) return unreadable("tool_calls is not a list");
  const calls = payload.tool_calls
    .slice(0, MAX_BATCH_CALLS)
    .filter(
      (call): call is Fields & { readonly tool_call_id: string } => isFields(call) && isCallId(call.tool_call_id),
    );
  const turn = calls[0]?.tool_call_id ?? "";
  const rawObservations = calls.map((call, index): RawCallObservation => {
    const name = textOf(call.tool_name);
    return {
      ...base,
      tool_call_id: call.tool_call_id,
      place: { kind: "newest" },
      turn,
      turn_index: index,
      ...(name !== undefined && { name }),
      ...(call.tool_input !== undefined && { arguments: call.tool_input }),
      ...("tool_response" in call && { result: resultOf(call) }),
    };
  });
  return { kind: "read", rawObservations };
}

function resultOf({ status, tool_response }: Fields): RawResult {
  const response = isFields(tool_response) ? tool_response : {};
  const [sent] = objects(response.response_parts).flatMap(({ functionResponse }) =>
    isFields(functionResponse) && isFields(functionResponse.response) ? [functionResponse.response] : [],
  );
  return {
    content: sent?.error ?? sent?.output ?? response.error ?? response.result_display ?? tool_response,
    ...(status === "success" && { is_error: false }),
    ...((status === "error" || status === "cancelled") && { is_error: true }),
    ...(status === "cancelled" && { stage: "interrupted" as const }),
  };
}
