import type { Seen } from "../../core/model/observation.ts";
import type { RawCallObservation, SeenResult } from "../../ingest/observe/observe-call.ts";
import {
  baseFields,
  durationOf,
  type Fields,
  type HookReadContext,
  type HookReading,
  isCallId,
  isFields,
  NO_OBSERVATIONS,
  promptObservation,
  type RawHookObservation,
  textOf,
  timeOf,
  unreadable,
} from "../hook-event.ts";

/**
 * Reads what `integrations/opencode/toolmend.js` sends: opencode's own bus events, `{type, properties}`, and its hooks, `{type, input, output}`; beside them
 * the `model` and `provider` that the plugin saw the message begin with.
 */
export function readOpencodeEvent(payload: unknown, moment: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const type = textOf(payload.type);
  if (type === undefined) return unreadable("type is missing");
  const properties = isFields(payload.properties) ? payload.properties : {};
  const input = isFields(payload.input) ? payload.input : {};
  switch (type) {
    case "message.part.updated":
      return isFields(properties.part) ? part(properties.part, payload, moment) : unreadable("part is missing");
    case "tool.execute.after":
      return executed(input, isFields(payload.output) ? payload.output : {}, payload, moment);
    case "chat.message":
      return seen(input.sessionID, payload, moment, (by) => prompts(input, payload, by));
    case "session.created":
      return seen(sessionIn(properties), payload, moment, (by) => [{ ...by, kind: "session", event: "started" }]);
    case "session.idle":
      return seen(sessionIn(properties), payload, moment, (by) => [{ ...by, kind: "session", event: "stopped" }]);
    case "session.deleted":
      return seen(sessionIn(properties), payload, moment, (by) => [{ ...by, kind: "session", event: "ended" }]);
    default:
      return NO_OBSERVATIONS;
  }
}

function seen(
  session: unknown,
  payload: Fields,
  moment: HookReadContext,
  read: (by: Seen) => readonly RawHookObservation[] | string,
): HookReading {
  const [model, provider] = [textOf(payload.model), textOf(payload.provider)];
  const by = baseFields({ session }, { client: "opencode", ...(provider !== undefined && { provider }) }, moment);
  if (typeof by === "string") return unreadable(by);
  const sightings = read(model === undefined ? by : { ...by, model });
  return typeof sightings === "string" ? unreadable(sightings) : { kind: "read", seen: sightings };
}

/** A part of a message that is a call, whenever its state changes. */
function part(fields: Fields, payload: Fields, moment: HookReadContext): HookReading {
  if (fields.type !== "tool") return NO_OBSERVATIONS;
  const state = isFields(fields.state) ? fields.state : {};
  return seen(fields.sessionID, payload, moment, (by) => {
    const told = toldBy(state);
    if (told === undefined) return [];
    return call(
      fields.callID,
      { ...by, occurred_at: timeOf(timesOf(state).end, moment) ?? by.occurred_at },
      fields.tool,
      state.input,
      told,
    );
  });
}

/** A pending part is a call still being written: its arguments are not all there. */
function toldBy(state: Fields): Partial<RawCallObservation> | undefined {
  switch (state.status) {
    case "running":
      return { permission_requested: true };
    case "completed":
      return { ...durationIn(state), result: completed(state.output, state.metadata) };
    case "error":
      return { ...durationIn(state), result: { content: state.error, is_error: true } };
    default:
      return undefined;
  }
}

function executed(input: Fields, output: Fields, payload: Fields, moment: HookReadContext): HookReading {
  return seen(input.sessionID, payload, moment, (by) =>
    call(input.callID, by, input.tool, input.args, { result: completed(output.output, output.metadata) }),
  );
}

/** Completed is not successful: a command that failed is completed too. Its exit status says more, and else its words. */
function completed(content: unknown, metadata: unknown): SeenResult {
  const exit = isFields(metadata) ? metadata.exit : undefined;
  if (typeof exit !== "number") return { content };
  return exit === 0 ? { content, is_error: false } : { content, is_error: true, phase: "run" };
}

function call(
  id: unknown,
  by: Seen,
  tool: unknown,
  args: unknown,
  more: Partial<RawCallObservation>,
): readonly RawHookObservation[] | string {
  if (!isCallId(id)) return "callID is missing";
  const name = textOf(tool);
  return [
    {
      ...by,
      tool_call_id: id,
      place: { kind: "newest" },
      ...(name !== undefined && { name }),
      ...(args !== undefined && { arguments: args }),
      ...more,
    },
  ];
}

function prompts(input: Fields, payload: Fields, by: Seen): readonly RawHookObservation[] | string {
  const id = textOf(input.messageID);
  return id === undefined ? "messageID is missing" : [promptObservation(by, id, textOf(payload.prompt) ?? "")];
}

function sessionIn(properties: Fields): unknown {
  return properties.sessionID ?? (isFields(properties.info) ? properties.info.id : undefined);
}

function timesOf(state: Fields): Fields {
  return isFields(state.time) ? state.time : {};
}

function durationIn(state: Fields): { readonly execution_time_ms?: number } {
  const { start, end } = timesOf(state);
  const duration = typeof start === "number" && typeof end === "number" ? durationOf(end - start) : undefined;
  return duration === undefined ? {} : { execution_time_ms: duration };
}
