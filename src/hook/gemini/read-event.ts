import { canonicalText } from "../../core/model/facts.ts";
import type { ObservationBase } from "../../core/model/observation.ts";
import type { RawResult } from "../../ingest/observe/observe-call.ts";
import {
  baseFields,
  type Fields,
  folderIn,
  type HookReadContext,
  type HookReading,
  isFields,
  promptObservation,
  type RawHookObservation,
  textOf,
  timeOf,
  transcriptIn,
  unreadable,
} from "../hook-event.ts";

const CLIENT = { client: "gemini-cli", provider: "google" } as const;

const TURN_ENDS = new Set(["AfterAgent", "SessionEnd"]);

/**
 * Reads one payload of a Gemini CLI hook. Events have no call id: if they name the transcript, calls and prompts come
 * from there, with the ids that other sources have.
 */
export function readGeminiEvent(payload: unknown, context: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const event = textOf(payload.hook_event_name);
  if (event === undefined) return unreadable("hook_event_name is missing");
  const at = timeOf(payload.timestamp, context) ?? context.at;
  const common = baseFields({ session: payload.session_id }, CLIENT, { ...context, at });
  if (common.kind === "unreadable") return common;
  const { base } = common;
  const transcripts = transcriptIn(payload.transcript_path, base, TURN_ENDS.has(event));
  // Older versions write another format, which is not read here.
  const isRead = transcripts[0]?.path.endsWith(".jsonl") === true;
  const isInTranscript = isRead && (event === "AfterTool" || event === "BeforeAgent");
  const rawObservations = isInTranscript ? [] : observationsIn(event, payload, base, context);
  return { kind: "read", rawObservations, transcripts };
}

function observationsIn(
  event: string,
  payload: Fields,
  base: ObservationBase,
  context: HookReadContext,
): readonly RawHookObservation[] {
  switch (event) {
    case "AfterTool":
      return [call(payload, base, context)];
    case "BeforeAgent":
      return [
        promptObservation(
          base,
          contentId(["prompt", payload.timestamp, payload.prompt], base, context),
          textOf(payload.prompt) ?? "",
        ),
      ];
    case "SessionStart":
      return [{ ...base, kind: "session", event: "started", ...folderIn(payload) }];
    case "AfterAgent":
      return [{ ...base, kind: "session", event: "stopped" }];
    case "SessionEnd":
      return [{ ...base, kind: "session", event: "ended" }];
    default:
      // BeforeTool shares no id with its AfterTool, so the two could not be merged.
      return [];
  }
}

function call(payload: Fields, base: ObservationBase, context: HookReadContext): RawHookObservation {
  const name = textOf(payload.tool_name);
  const parts = [payload.timestamp ?? base.occurred_at, name, payload.tool_input];
  return {
    ...base,
    tool_call_id: `gemini-${contentId(["call", ...parts], base, context)}`,
    place: { kind: "newest" },
    ...(name !== undefined && { name }),
    ...(payload.tool_input !== undefined && { arguments: payload.tool_input }),
    result: resultIn(payload.tool_response),
  };
}

/** An `error` is the client's flag. Without one the text decides, because failed commands have no `error`. */
function resultIn(response: unknown): RawResult {
  if (!isFields(response)) return { content: response };
  const { error, llmContent, returnDisplay } = response;
  const content = llmContent ?? returnDisplay;
  if (error === undefined || error === null) return { content };
  const text = isFields(error) ? textOf(error.message) : textOf(error);
  return { content: text ?? content ?? "Error", is_error: true };
}

/** Derives an id from the content, because the client sends none. An event delivered twice gives the same id. */
function contentId(parts: readonly unknown[], { session_id }: ObservationBase, { hash }: HookReadContext): string {
  return hash(["gemini", session_id, ...parts.map((part) => canonicalText(part ?? null))].join("\u0000")).slice(0, 24);
}
