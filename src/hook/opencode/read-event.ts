import type { ObservationBase } from "../../core/model/observation.ts";
import type { RawCallObservation } from "../../ingest/observe/observe-call.ts";
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
  readAs,
  textOf,
  timeOf,
  unreadable,
} from "../hook-event.ts";
import { opencodeResult } from "../transcripts/opencode-database.ts";

/**
 * Reads what `integrations/opencode/toolmend.js` sends: opencode's bus events, `{type, properties}`, and its hooks,
 * `{type, input, output}`. The plugin adds the `model` and `provider` from the start of the message.
 */
export function readOpencodeEvent(payload: unknown, context: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const type = textOf(payload.type);
  if (type === undefined) return unreadable("type is missing");
  const properties = isFields(payload.properties) ? payload.properties : {};
  const input = isFields(payload.input) ? payload.input : {};
  switch (type) {
    case "message.part.updated":
      return isFields(properties.part) ? part(properties.part, payload, context) : unreadable("part is missing");
    case "tool.execute.after":
      return executed(input, isFields(payload.output) ? payload.output : {}, payload, context);
    case "chat.message":
      return readWithBase(input.sessionID, payload, context, (base) => prompts(input, payload, base));
    case "session.created":
      return readWithBase(sessionIn(properties), payload, context, (base) =>
        readAs({ ...base, kind: "session", event: "started" }),
      );
    case "session.idle":
      return readWithBase(sessionIn(properties), payload, context, (base) =>
        readAs({ ...base, kind: "session", event: "stopped" }),
      );
    case "session.deleted":
      return readWithBase(sessionIn(properties), payload, context, (base) =>
        readAs({ ...base, kind: "session", event: "ended" }),
      );
    default:
      return NO_OBSERVATIONS;
  }
}

function readWithBase(
  session: unknown,
  payload: Fields,
  context: HookReadContext,
  read: (base: ObservationBase) => HookReading,
): HookReading {
  const [model, provider] = [textOf(payload.model), textOf(payload.provider)];
  const common = baseFields({ session }, { client: "opencode", ...(provider !== undefined && { provider }) }, context);
  if (common.kind === "unreadable") return common;
  return read(model === undefined ? common.base : { ...common.base, model });
}

/** Reads a message part. Tool parts are sent whenever the state of their call changes. */
function part(fields: Fields, payload: Fields, context: HookReadContext): HookReading {
  if (fields.type !== "tool") return NO_OBSERVATIONS;
  const state = isFields(fields.state) ? fields.state : {};
  return readWithBase(fields.sessionID, payload, context, (base) => {
    const fieldsOfState = stateFields(state);
    if (fieldsOfState === undefined) return NO_OBSERVATIONS;
    return call(
      fields.callID,
      { ...base, occurred_at: timeOf(timesOf(state).end, context) ?? base.occurred_at },
      fields.tool,
      state.input,
      fieldsOfState,
    );
  });
}

/** Returns undefined for pending parts: the model is still writing the call, so its arguments are incomplete. */
function stateFields(state: Fields): Partial<RawCallObservation> | undefined {
  switch (state.status) {
    case "running":
      return { permission_requested: true };
    case "completed":
    case "error": {
      const result = opencodeResult(state);
      return result === undefined ? undefined : { ...durationIn(state), result };
    }
    default:
      return undefined;
  }
}

function executed(input: Fields, output: Fields, payload: Fields, context: HookReadContext): HookReading {
  const result = opencodeResult({ ...output, status: "completed" });
  return readWithBase(input.sessionID, payload, context, (base) =>
    call(input.callID, base, input.tool, input.args, result === undefined ? {} : { result }),
  );
}

function call(
  id: unknown,
  base: ObservationBase,
  tool: unknown,
  args: unknown,
  more: Partial<RawCallObservation>,
): HookReading {
  if (!isCallId(id)) return unreadable("callID is missing");
  const name = textOf(tool);
  return readAs({
    ...base,
    tool_call_id: id,
    place: { kind: "newest" },
    ...(name !== undefined && { name }),
    ...(args !== undefined && { arguments: args }),
    ...more,
  });
}

function prompts(input: Fields, payload: Fields, base: ObservationBase): HookReading {
  const id = textOf(input.messageID);
  if (id === undefined) return unreadable("messageID is missing");
  return readAs(promptObservation(base, id, textOf(payload.prompt) ?? ""));
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
