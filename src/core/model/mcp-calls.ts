import { groupKeyText, threadKeyText } from "./call-key.ts";
import { type CallRecord, isSettled, toolName } from "./call-record.ts";
import { type Folded, type FoldedGroup, type Loaded, sessionKeyText } from "./fold.ts";
import { recordsToJoin, replaceRecord } from "./join-records.ts";
import { isReusableId } from "./locate-call.ts";
import { mergeRecords } from "./merge.ts";
import type { ArgumentFacts } from "./observation.ts";
import { isWrapperOnly, unjoined } from "./unjoined.ts";

/** The model may have made the call this long before the wrapper reported it. */
export const MAX_MCP_CALL_MS: number = 10 * 60 * 1000;
/** Clients start a tool as soon as its call is complete, which is before the response ends. */
export const EARLY_START_MS = 1000;

/**
 * Merges calls that only a wrapper reported into the calls of the model: by id, which is unique, else by tool,
 * arguments and time. Without an id, a call that could belong to two threads stays alone.
 *
 * @param stored stored records that may belong together with records of the batch
 */
export function joinMcpCalls(
  folded: Folded,
  loaded: Pick<Loaded, "groups" | "sessions">,
  stored: readonly CallRecord[],
): Folded {
  const groups = new Map(folded.groups);
  const all = recordsToJoin(groups, stored, isWrapperOnly);
  const wrapped = all.filter(isWrapperOnly);
  if (wrapped.length === 0) return folded;
  const made = all.filter((record) => !isWrapperOnly(record) && record.inherited_from === undefined);
  for (const call of wrapped) {
    const at = made.indexOf(findModelCall(call, made) ?? call);
    const target = made[at];
    if (target === undefined) continue;
    const joined = mergeRecords(target, { ...call, key: target.key });
    made[at] = joined;
    replaceRecord(groups, loaded, target, joined, groups.get(groupKeyText(call.key))?.settledLive === true);
    replaceRecord(groups, loaded, call, undefined, false);
  }
  return { ...folded, groups, sessions: withoutEmptySessions(folded, groups, loaded) };
}

function findModelCall(call: CallRecord, made: readonly CallRecord[]): CallRecord | undefined {
  if (unjoined(call) === 1) {
    if (isReusableId(call.key.tool_call_id)) return undefined;
    return made.find(({ key }) => key.project === call.key.project && key.tool_call_id === call.key.tool_call_id);
  }
  const known = made.find((record) => record.facts.mcp?.value.id === call.facts.mcp?.value.id);
  if (known !== undefined) return known;
  const candidates = made.filter((record) => couldBeModelCall(record, call));
  const threads = new Set(candidates.map(({ key }) => threadKeyText(key)));
  return threads.size === 1 ? candidates[0] : undefined;
}

/** Whether a wrapper's call without the model's id can be this call of the model. */
function couldBeModelCall(made: CallRecord, call: CallRecord): boolean {
  if (made.key.project !== call.key.project || made.sources.includes("mcp")) return false;
  if (made.facts.response_id === undefined && !made.sources.includes("hook")) return false;
  if (toolName(made) !== toolName(call)) return false;
  const client = made.facts.client?.value;
  if (client !== undefined && client !== call.facts.client?.value) return false;
  if (!haveSameArguments(made.facts.arguments?.value, call.facts.arguments?.value)) return false;
  const startedAt = call.first_at - (call.facts.execution_time_ms?.value ?? 0);
  if (startedAt < made.first_at - EARLY_START_MS || startedAt > made.first_at + MAX_MCP_CALL_MS) return false;
  // Only between the response that made the call and the request with its result. Until both are known, a later call
  // with the same arguments could match.
  return isSettled(made) && call.first_at <= (made.facts.result?.at ?? 0);
}

type Arguments = Omit<ArgumentFacts, "preview">;

/** Clients may add defaults to the model's arguments. */
function haveSameArguments(made: Arguments | undefined, sent: Arguments | undefined): boolean {
  if (made === undefined || sent === undefined) return false;
  if (made.fingerprint === sent.fingerprint) return true;
  const names = Object.keys(made.keys);
  return names.length > 0 && names.every((name) => made.keys[name] === sent.keys[name]);
}

/** A session that exists only because of a wrapper's call is not created if that call belongs to another session. */
function withoutEmptySessions(
  { sessions }: Folded,
  groups: ReadonlyMap<string, FoldedGroup>,
  loaded: Pick<Loaded, "sessions">,
): Folded["sessions"] {
  const used = new Set<string>();
  for (const { after } of groups.values()) for (const { key } of after) used.add(sessionKeyText(key));
  return new Map(
    [...sessions].filter(
      ([text, { sources }]) => used.has(text) || loaded.sessions.has(text) || !sources.every((one) => one === "mcp"),
    ),
  );
}
