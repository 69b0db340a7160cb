import { type Hasher, recordId, threadKeyText } from "./call-key.ts";
import type { CallLinks } from "./call-links.ts";
import { type CallRecord, settledAt, toolName } from "./call-record.ts";
import { factValue } from "./facts.ts";
import { isoTime } from "./iso-time.ts";
import { event, type SessionEvent } from "./session-event.ts";

/**
 * Adds `loop_detected` for each level that a call reached, and `loop_ended` for the loop that it ended. The ids depend
 * only on thread, loop and level, so a replay or another server emits the same ones.
 */
export function addLoopEvents(
  events: (SessionEvent | undefined)[],
  record: CallRecord,
  before: CallLinks | undefined,
  after: CallLinks | undefined,
  hash: Hasher,
): void {
  const { loop, loop_end } = after ?? {};
  const thread = threadKeyText(record.key);
  if (
    loop !== undefined &&
    loop.level !== null &&
    !(before?.loop?.of === loop.of && before.loop.level === loop.level)
  ) {
    const { of, level, run, kind, period, tools } = loop;
    const identity = [thread, of, String(level)];
    events.push(
      event("loop_detected", identity, hash, { ...common(record, hash), loop_id: of, level, run, kind, period, tools }),
    );
  }
  if (loop_end !== undefined && before?.loop_end?.of !== loop_end.of) {
    const { of, run, kind, period, tools, by } = loop_end;
    events.push(
      event("loop_ended", [thread, of], hash, { ...common(record, hash), loop_id: of, run, kind, period, tools, by }),
    );
  }
}

type Common = Pick<SessionEvent, "project" | "session_id" | "timestamp"> & Readonly<Record<string, unknown>>;

function common(record: CallRecord, hash: Hasher): Common {
  const { project, session_id, agent_id, tool_call_id } = record.key;
  const { model, provider, request_id } = record.facts;
  return {
    project,
    session_id,
    request_id: factValue(request_id),
    agent_id,
    timestamp: isoTime(settledAt(record) ?? record.first_at),
    model_name: factValue(model),
    provider: factValue(provider),
    tool_name: toolName(record),
    tool_call_id,
    record_id: recordId(record.key, hash),
  };
}
