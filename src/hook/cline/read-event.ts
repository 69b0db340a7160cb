import type { RawResult } from "../../ingest/observe/observe-call.ts";
import {
  baseFields,
  durationOf,
  type Fields,
  type HookReadContext,
  type HookReading,
  isCallId,
  isFields,
  NO_OBSERVATIONS,
  readAs,
  textOf,
  timeOf,
  unreadable,
} from "../hook-event.ts";

const CLIENT = { client: "cline" } as const;

/** Reads one payload of a Cline CLI hook. Its session is the one of the transcript, `rootSessionId`. */
export function readClineEvent(payload: unknown, context: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const event = textOf(payload.hookName);
  if (event === undefined) return unreadable("hookName is missing");
  const at = timeOf(payload.timestamp, context) ?? context.at;
  const session = isFields(payload.sessionContext) ? payload.sessionContext.rootSessionId : undefined;
  // The main agent has an id, too, which the transcript does not contain.
  const agent = textOf(payload.parent_agent_id) === undefined ? undefined : payload.agent_id;
  const common = baseFields({ session, ...(agent !== undefined && { agent }) }, CLIENT, { ...context, at });
  if (common.kind === "unreadable") return common;
  const { base } = common;
  if (event === "agent_end") return readAs({ ...base, kind: "session", event: "stopped" });
  if (event !== "tool_result") return NO_OBSERVATIONS;
  const { tool_result: call } = payload;
  if (!isFields(call) || !isCallId(call.id)) return unreadable(`${event}: the id of the call is missing`);
  const name = textOf(call.name);
  const duration = durationOf(call.durationMs);
  return readAs({
    ...base,
    tool_call_id: call.id,
    place: { kind: "newest" },
    ...(name !== undefined && { name }),
    ...(call.input !== undefined && { arguments: call.input }),
    ...(duration !== undefined && { execution_time_ms: duration }),
    result: resultOf(call),
  });
}

/** The output is what the client sends as JSON. `success` of the event is true for failed commands, too. */
function resultOf({ output, error }: Fields): RawResult {
  if (output !== undefined && output !== null)
    return { content: typeof output === "string" ? output : JSON.stringify(output) };
  return { content: textOf(error) ?? "", is_error: true };
}
