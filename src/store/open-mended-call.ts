import { type CallRecord, toolName } from "../core/model/call-record.ts";
import type { MadeCall, PendingRepairedCall } from "./port.ts";
import { wholeArguments } from "./stored-turn.ts";

/** A mended call of the Responses API; none where its arguments were cut or redacted: what is not whole cannot be put back. */
export function toPendingRepairedCall(record: CallRecord): readonly PendingRepairedCall[] {
  const { api, origin } = record.facts;
  const text = wholeArguments(record);
  if (api?.value !== "responses" || origin?.value !== "recovered" || text === undefined) return [];
  return [{ tool_call_id: record.key.tool_call_id, name: toolName(record), arguments: text }];
}

/** One for each id of which somebody saw how it was made; a fork may carry a call several times. */
export function madeCallsOf(records: readonly CallRecord[]): readonly MadeCall[] {
  const made = new Map<string, MadeCall>();
  for (const record of records) {
    const { tool_call_id } = record.key;
    if (record.facts.origin === undefined || made.get(tool_call_id)?.mended !== undefined) continue;
    const [mended] = toPendingRepairedCall(record);
    made.set(tool_call_id, {
      tool_call_id,
      ...(mended !== undefined && { mended: { name: mended.name, arguments: mended.arguments } }),
    });
  }
  return [...made.values()];
}
