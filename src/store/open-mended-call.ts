import { type CallRecord, toolName } from "../core/model/call-record.ts";
import type { OpenMendedCall } from "./port.ts";

/** A mended call of the Responses API; none where its arguments were cut or redacted: what is not whole cannot be put back. */
export function openMendedCall(record: CallRecord): readonly OpenMendedCall[] {
  const { api, origin, arguments: args, preview } = record.facts;
  if (api?.value !== "responses" || origin?.value !== "recovered" || preview === undefined) return [];
  if (Buffer.byteLength(preview.value) !== args?.value.size_bytes) return [];
  return [{ tool_call_id: record.key.tool_call_id, name: toolName(record), arguments: preview.value }];
}
