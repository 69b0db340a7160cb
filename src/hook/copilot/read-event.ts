import {
  baseFields,
  folderIn,
  type HookReadContext,
  type HookReading,
  isFields,
  NO_OBSERVATIONS,
  readAs,
  textOf,
  timeOf,
  transcriptIn,
  unreadable,
} from "../hook-event.ts";

const CLIENT = { client: "copilot", provider: "github" } as const;

/**
 * Reads one payload of a Copilot CLI hook. Events of tools have no call id and could not be joined with other sources,
 * so the calls come from the transcript, which is read when a turn ends. Payloads do not name their event.
 */
export function readCopilotEvent(payload: unknown, context: HookReadContext): HookReading {
  if (!isFields(payload)) return unreadable("the payload is not an object");
  const at = timeOf(payload.timestamp, context) ?? context.at;
  const common = baseFields({ session: payload.sessionId }, CLIENT, { ...context, at });
  if (common.kind === "unreadable") return common;
  const { base } = common;
  if (textOf(payload.stopReason) !== undefined) {
    const transcripts = transcriptIn(payload.transcriptPath, base, true);
    return { kind: "read", rawObservations: [{ ...base, kind: "session", event: "stopped" }], transcripts };
  }
  if (textOf(payload.source) !== undefined)
    return readAs({ ...base, kind: "session", event: "started", ...folderIn(payload) });
  if (textOf(payload.reason) !== undefined) return readAs({ ...base, kind: "session", event: "ended" });
  return NO_OBSERVATIONS;
}
