import type { Seen } from "../../core/model/observation.ts";
import type { RawCallObservation } from "../../ingest/observe/observe-call.ts";
import {
  baseFields,
  type Fields,
  type HookReadContext,
  type HookReading,
  isCallId,
  isFields,
  promptId,
  promptIdFromText,
  promptObservation,
  type RawHookObservation,
  textOf,
  unreadable,
} from "../hook-event.ts";

const CLIENT = { client: "codex", provider: "openai" } as const;

const TURN_ENDS = new Set(["Stop", "SubagentStop", "SessionEnd"]);

/** Reads one payload of a Codex CLI hook, by its published schemas. */
export function readCodexEvent(payload: unknown, moment: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const event = textOf(payload.hook_event_name);
  if (event === undefined) return unreadable("hook_event_name is missing");
  const by = baseFields({ session: payload.session_id, agent: payload.agent_id }, CLIENT, moment);
  if (typeof by === "string") return unreadable(by);
  const model = textOf(payload.model);
  const read = seenIn(event, payload, model === undefined ? by : { ...by, model }, moment);
  if (typeof read === "string") return unreadable(`${event}: ${read}`);
  const path = textOf(payload.transcript_path);
  const mention = path === undefined ? [] : [{ project: by.project, path, due: TURN_ENDS.has(event) }];
  return { kind: "read", seen: read, transcripts: mention };
}

function seenIn(
  event: string,
  payload: Fields,
  by: Seen,
  moment: HookReadContext,
): readonly RawHookObservation[] | string {
  switch (event) {
    case "PreToolUse":
      return call(payload, by, { permission_requested: true });
    case "PostToolUse":
      // No flag: what the tool printed is all there is to judge by.
      return call(payload, by, { result: { content: payload.tool_response } });
    case "UserPromptSubmit": {
      const words = textOf(payload.prompt) ?? "";
      return [promptObservation(by, textOf(payload.turn_id) ?? promptIdFromText(words, by, moment), words)];
    }
    case "SessionStart":
      return [{ ...by, kind: "session", event: "started" }];
    case "Stop":
      return [{ ...by, kind: "session", event: "stopped" }];
    case "SessionEnd":
      return [{ ...by, kind: "session", event: "ended" }];
    default:
      return [];
  }
}

function call(payload: Fields, by: Seen, more: Partial<RawCallObservation>): readonly RawHookObservation[] | string {
  if (!isCallId(payload.tool_use_id)) return "tool_use_id is missing";
  const name = textOf(payload.tool_name);
  const turn = textOf(payload.turn_id);
  return [
    {
      ...by,
      tool_call_id: payload.tool_use_id,
      place: { kind: "newest" },
      ...(name !== undefined && { name }),
      ...(payload.tool_input !== undefined && { arguments: payload.tool_input }),
      ...(turn !== undefined && { prompt: promptId(turn) }),
      ...more,
    },
  ];
}
