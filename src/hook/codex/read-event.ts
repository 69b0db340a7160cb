import type { ObservationBase } from "../../core/model/observation.ts";
import type { RawCallObservation } from "../../ingest/observe/observe-call.ts";
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
  promptId,
  promptIdFromText,
  promptObservation,
  readAs,
  textOf,
  transcriptIn,
  unreadable,
} from "../hook-event.ts";

const CLIENT = { client: "codex", provider: "openai" } as const;

const TURN_ENDS = new Set(["Stop", "SubagentStop", "SessionEnd"]);

/** Reads one payload of a Codex CLI hook according to its published schemas. */
export function readCodexEvent(payload: unknown, context: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const event = textOf(payload.hook_event_name);
  if (event === undefined) return unreadable("hook_event_name is missing");
  const common = baseFields({ session: payload.session_id, agent: payload.agent_id }, CLIENT, context);
  if (common.kind === "unreadable") return common;
  const { base } = common;
  const model = textOf(payload.model);
  const reading = namingEvent(
    event,
    observationsIn(event, payload, model === undefined ? base : { ...base, model }, context),
  );
  if (reading.kind === "unreadable") return reading;
  return { ...reading, transcripts: transcriptIn(payload.transcript_path, base, TURN_ENDS.has(event)) };
}

function observationsIn(event: string, payload: Fields, base: ObservationBase, context: HookReadContext): HookReading {
  switch (event) {
    case "PreToolUse":
      return call(payload, base, { permission_requested: true });
    case "PostToolUse":
      // Codex sends no flag, so the outcome depends on the tool's output alone.
      return call(payload, base, { result: { content: payload.tool_response } });
    case "UserPromptSubmit": {
      const text = textOf(payload.prompt) ?? "";
      return readAs(promptObservation(base, textOf(payload.turn_id) ?? promptIdFromText(text, base, context), text));
    }
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

function call(payload: Fields, base: ObservationBase, more: Partial<RawCallObservation>): HookReading {
  if (!isCallId(payload.tool_use_id)) return unreadable("tool_use_id is missing");
  const name = textOf(payload.tool_name);
  const turn = textOf(payload.turn_id);
  return readAs({
    ...base,
    tool_call_id: payload.tool_use_id,
    place: { kind: "newest" },
    ...(name !== undefined && { name }),
    ...(payload.tool_input !== undefined && { arguments: payload.tool_input }),
    ...(turn !== undefined && { prompt: promptId(turn) }),
    ...more,
  });
}
