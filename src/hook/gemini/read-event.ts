import { canonicalText } from "../../core/model/facts.ts";
import type { Seen } from "../../core/model/observation.ts";
import type { SeenResult } from "../../ingest/observe/observe-call.ts";
import {
  baseFields,
  type Fields,
  type HookReadContext,
  type HookReading,
  isFields,
  promptObservation,
  type RawHookObservation,
  textOf,
  timeOf,
  unreadable,
} from "../hook-event.ts";

const CLIENT = { client: "gemini-cli", provider: "google" } as const;

/** Reads one payload of a Gemini CLI hook, by its published reference. */
export function readGeminiEvent(payload: unknown, moment: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const event = textOf(payload.hook_event_name);
  if (event === undefined) return unreadable("hook_event_name is missing");
  const at = timeOf(payload.timestamp, moment) ?? moment.at;
  const by = baseFields({ session: payload.session_id }, CLIENT, { ...moment, at });
  if (typeof by === "string") return unreadable(by);
  return { kind: "read", seen: seenIn(event, payload, by, moment) };
}

function seenIn(event: string, payload: Fields, by: Seen, moment: HookReadContext): readonly RawHookObservation[] {
  switch (event) {
    case "AfterTool":
      return [call(payload, by, moment)];
    case "BeforeAgent":
      return [
        promptObservation(
          by,
          ownId(["prompt", payload.timestamp, payload.prompt], by, moment),
          textOf(payload.prompt) ?? "",
        ),
      ];
    case "SessionStart":
      return [{ ...by, kind: "session", event: "started" }];
    case "AfterAgent":
      return [{ ...by, kind: "session", event: "stopped" }];
    case "SessionEnd":
      return [{ ...by, kind: "session", event: "ended" }];
    default:
      // BeforeTool has no id that its AfterTool would share: nothing could be joined to it.
      return [];
  }
}

function call(payload: Fields, by: Seen, moment: HookReadContext): RawHookObservation {
  const name = textOf(payload.tool_name);
  const about = [payload.timestamp ?? by.occurred_at, name, payload.tool_input];
  return {
    ...by,
    tool_call_id: `gemini-${ownId(["call", ...about], by, moment)}`,
    place: { kind: "newest" },
    ...(name !== undefined && { name }),
    ...(payload.tool_input !== undefined && { arguments: payload.tool_input }),
    result: resultIn(payload.tool_response),
  };
}

/** An `error` is the client's own word; without one the text decides, for a command that failed has none. */
function resultIn(response: unknown): SeenResult {
  if (!isFields(response)) return { content: response };
  const { error, llmContent, returnDisplay } = response;
  const content = llmContent ?? returnDisplay;
  if (error === undefined || error === null) return { content };
  const words = isFields(error) ? textOf(error.message) : textOf(error);
  return { content: words ?? content ?? "Error", is_error: true };
}

/** The client gives no ids: when, what and with what stand for one. The same event delivered again is the same call. */
function ownId(parts: readonly unknown[], { session_id }: Seen, { hash }: HookReadContext): string {
  return hash(["gemini", session_id, ...parts.map((part) => canonicalText(part ?? null))].join("\u0000")).slice(0, 24);
}
