import { type CallRecord, toolName, UNKNOWN_TOOL } from "../core/model/call-record.ts";
import type { RequestRecord } from "../core/model/request-record.ts";
import type { KnownCallOrigin, PendingRepairedCall, StoredTurn } from "./port.ts";

/** Bounds the lookup. Names of further calls are found by their ids when results arrive. */
const MAX_CALLS = 256;

/** The calls to load for {@link storedTurn}. */
export function storedCallIds({ response }: RequestRecord): readonly string[] {
  return [...new Set(response?.tool_call_ids)].slice(0, MAX_CALLS);
}

/**
 * Undefined until both request and response are stored.
 *
 * @param calls the calls of the thread with {@link storedCallIds}
 */
export function storedTurn(record: RequestRecord, calls: readonly CallRecord[]): StoredTurn | undefined {
  const { session_id, agent_id, request, response } = record;
  if (request?.conversation === undefined || response === undefined) return undefined;
  const made = storedCallIds(record).flatMap((id) => {
    const own = calls.filter(({ key }) => key.tool_call_id === id);
    // Servers reuse ids: prefer the call of this response, else take the last one.
    const call = own.find(({ facts }) => facts.request_id?.value === record.request_id) ?? own.at(-1);
    return call === undefined || toolName(call) === UNKNOWN_TOOL ? [] : [storedCall(id, call)];
  });
  const { counts, prompt_position: asked } = response.stored_response ?? {};
  return {
    session_id,
    agent_id,
    conversation: request.conversation,
    ended_at: response.occurred_at,
    calls: made,
    ...(counts !== undefined && { counts }),
    ...(asked !== undefined && { prompt_position: asked }),
  };
}

function storedCall(id: string, call: CallRecord): StoredTurn["calls"][number] {
  const text = wholeArguments(call);
  return { id, name: toolName(call), ...(text !== undefined && { arguments: text }) };
}

/** The text of a call's arguments, unless it was truncated or redacted. */
export function wholeArguments({ facts }: CallRecord): string | undefined {
  const { arguments: args, preview } = facts;
  if (preview === undefined || Buffer.byteLength(preview.value) !== args?.value.size_bytes) return undefined;
  return preview.value;
}

/**
 * A repaired call of the Responses API; empty if its arguments were truncated or redacted and so cannot be restored.
 */
export function toPendingRepairedCall(record: CallRecord): readonly PendingRepairedCall[] {
  const { api, origin } = record.facts;
  const text = wholeArguments(record);
  if (api?.value !== "responses" || origin?.value !== "recovered" || text === undefined) return [];
  return [{ tool_call_id: record.key.tool_call_id, name: toolName(record), arguments: text }];
}

/** One entry per id of known origin; forks may contain a call several times. */
export function toCallOrigins(records: readonly CallRecord[]): readonly KnownCallOrigin[] {
  const made = new Map<string, KnownCallOrigin>();
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
