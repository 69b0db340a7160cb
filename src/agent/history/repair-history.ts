import type { Message, ModelCall, ProviderTurn } from "../model/message.ts";
import { readRows } from "./read-messages.ts";

export interface RepairHistoryOptions {
  /** What to do with a call without a result: add an error result, or drop the call. */
  readonly orphanCall?: "error-result" | "drop";
  /** Pending calls keep waiting for their result. */
  readonly isPending?: (call: ModelCall) => boolean;
  /** Names of declared tools are kept, even if some APIs would reject them. */
  readonly isDeclared?: (name: string) => boolean;
}

/** A correction. `index` refers to the input messages. */
export interface HistoryChange {
  readonly kind:
    | "answered-call"
    | "dropped-call"
    | "dropped-result"
    | "moved-result"
    | "renamed-call"
    | "renamed-tool"
    | "dropped-message"
    | "filled-result";
  readonly index: number;
  readonly callId?: string;
}

export interface RepairedHistory {
  readonly messages: readonly Message[];
  readonly changes: readonly HistoryChange[];
}

const NOT_APPROVED = "Error: This call was not approved. It did not run.";
const NO_RESULT = "Error: This call has no result: it was interrupted. It may or may not have taken effect.";

/** A call and its result, if it has one. */
export interface MatchedCall {
  readonly call: ModelCall;
  result: { readonly index: number; readonly message: Message } | undefined;
}

/**
 * Makes a conversation valid for every API: each call has exactly one result, directly behind its message, in order;
 * ids are unique; no message is empty. Valid messages are returned unchanged. Accepts the rows that `readMessages`
 * reads.
 *
 * @example
 * const { messages } = repairHistory(loadedFromTheDatabase);
 */
export function repairHistory(rows: readonly object[], options: RepairHistoryOptions = {}): RepairedHistory {
  const { messages, sources } = readRows(rows);
  const repaired = repairMessages(messages, options);
  const changes = repaired.changes.map((change) => ({ ...change, index: sources[change.index] ?? change.index }));
  return { messages: repaired.messages, changes };
}

function repairMessages(messages: readonly Message[], options: RepairHistoryOptions): RepairedHistory {
  const changes: HistoryChange[] = [];
  const calls = matchResults(messages, changes);
  const ids = new UniqueIds();
  const repaired: Message[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") continue;
    if (message.role !== "assistant") {
      repaired.push(message);
      continue;
    }
    const placed = calls.get(index) ?? [];
    const remaining = placed.filter(({ call, result }) => {
      const stays = result !== undefined || options.orphanCall !== "drop" || options.isPending?.(call) === true;
      if (!stays) changes.push({ kind: "dropped-call", index, callId: call.id });
      return stays;
    });
    if (remaining.length === 0 && message.content.trim() === "") {
      changes.push({ kind: "dropped-message", index });
      continue;
    }
    const named = remaining.map((entry) => {
      return { ...entry, id: ids.assign(entry.call.id), name: nameFor(entry.call.name, options) };
    });
    for (const { call, id, name } of named) {
      if (id !== call.id) changes.push({ kind: "renamed-call", index, callId: call.id });
      if (name !== call.name) changes.push({ kind: "renamed-tool", index, callId: call.id });
    }
    repaired.push(assistant(message, named));
    for (const { call, id, result } of named) {
      if (result !== undefined) repaired.push(resultMessage(result, id, call, changes));
      else if (options.isPending?.(call) !== true) {
        changes.push({ kind: "answered-call", index, callId: call.id });
        repaired.push({
          role: "tool",
          toolCallId: id,
          name: call.name,
          content: noResultText(message, call),
          isError: true,
        });
      }
    }
  }
  return { messages: repaired, changes };
}

function noResultText({ pending }: Message, { id }: ModelCall): string {
  return pending?.includes(id) === true ? NOT_APPROVED : NO_RESULT;
}

/** Assigns each result to the nearest preceding call with its id that has no result yet. */
export function matchResults(
  messages: readonly Message[],
  changes: HistoryChange[],
): ReadonlyMap<number, readonly MatchedCall[]> {
  const calls = new Map<number, MatchedCall[]>();
  const latest = new Map<string, { readonly index: number; readonly open: MatchedCall[] }>();
  let last = -1;
  /** True while only results have followed the last assistant message. */
  let isDirect = false;
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      const placed = (message.toolCalls ?? []).map((call): MatchedCall => ({ call, result: undefined }));
      calls.set(index, placed);
      for (const [id, open] of Map.groupBy(placed, ({ call }) => call.id)) latest.set(id, { index, open: [...open] });
      last = index;
      isDirect = true;
    } else if (message.role !== "tool") isDirect = false;
    else {
      const found = latest.get(message.toolCallId ?? "");
      const entry = found?.open.shift();
      if (entry === undefined) {
        changes.push({
          kind: "dropped-result",
          index,
          ...(message.toolCallId !== undefined && { callId: message.toolCallId }),
        });
        continue;
      }
      entry.result = { index, message };
      if (found?.index !== last || !isDirect) changes.push({ kind: "moved-result", index, callId: entry.call.id });
    }
  }
  return calls;
}

/** Returns the message unchanged if possible; otherwise with the remaining calls and their provider data. */
function assistant(
  message: Message,
  remaining: readonly (MatchedCall & { readonly id: string; readonly name: string })[],
): Message {
  const before = message.toolCalls ?? [];
  const isSame = remaining.every(({ call, id, name }) => id === call.id && name === call.name);
  // Some APIs reject an empty list of calls.
  if (isSame && remaining.length === before.length && (message.toolCalls === undefined || before.length > 0))
    return message;
  const { toolCalls: _, provider, ...rest } = message;
  const names = new Map(remaining.map(({ call, id }) => [call.id, id]));
  const remainingProvider =
    provider === undefined ? undefined : providerFor(provider, names, remaining.length === before.length);
  return {
    ...rest,
    ...(remaining.length > 0 && { toolCalls: remaining.map(({ call, id, name }) => ({ ...call, id, name })) }),
    ...(remainingProvider !== undefined && { provider: remainingProvider }),
  };
}

/** Provider data after calls were dropped: without blocks of those calls only, and without a broken signature. */
export function providerFor(
  provider: ProviderTurn,
  names: ReadonlyMap<string, string>,
  isWhole: boolean,
): ProviderTurn | undefined {
  if (provider.sealed === true && !isWhole) return undefined;
  const blocks = provider.blocks.flatMap((block) => {
    if (block.callIds === undefined) return names.size > 0 ? [block] : [];
    const callIds = block.callIds.flatMap((id) => names.get(id) ?? []);
    return callIds.length > 0 ? [{ ...block, callIds }] : [];
  });
  return blocks.length > 0 ? { ...provider, blocks } : undefined;
}

function resultMessage(
  { index, message }: NonNullable<MatchedCall["result"]>,
  id: string,
  call: ModelCall,
  changes: HistoryChange[],
): Message {
  const isEmpty = message.content === "";
  if (isEmpty) changes.push({ kind: "filled-result", index, callId: call.id });
  if (id === message.toolCallId && !isEmpty) return message;
  return { ...message, toolCallId: id, content: isEmpty ? "(no output)" : message.content };
}

/** APIs reject calls with names that could not be declared, and models invent such names. */
function nameFor(name: string, { isDeclared }: RepairHistoryOptions): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name) || isDeclared?.(name) === true) return name;
  return name.slice(0, 64).replace(/[^a-zA-Z0-9_-]/g, "_") || "unknown_tool";
}

/** The first call keeps its id; later ones with the same id get a suffix, which is the same in every request. */
class UniqueIds {
  readonly #used = new Set<string>();
  readonly #times = new Map<string, number>();

  assign(id: string): string {
    const base = id === "" ? "call" : id;
    let candidate = base;
    while (this.#used.has(candidate) || candidate === "") {
      const times = (this.#times.get(base) ?? 0) + 1;
      this.#times.set(base, times);
      candidate = `${base}_dup${times}`;
    }
    this.#used.add(candidate);
    return candidate;
  }
}
