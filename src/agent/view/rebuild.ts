import { readMessages } from "../history/read-messages.ts";
import type { Message, SafeError } from "../model/message.ts";

/** One entry of a chat: its text and the calls made with it. */
export interface ConversationEntry {
  readonly role: "user" | "assistant" | "system";
  readonly content: string;
  readonly tools: readonly ToolRow[];
}

/**
 * Rebuilds a conversation from stored messages, in any format that `readMessages` reads. Results are taken from tool
 * messages only. Results without a call and empty messages are not shown.
 */
export function rebuildConversation(stored: readonly object[]): ConversationEntry[] {
  const rows = readMessages(stored);
  const results = new Results(rows);
  const entries: ConversationEntry[] = [];
  for (const [index, message] of rows.entries()) {
    if (message.role === "tool" || message.note === true) continue;
    const tools = message.role === "assistant" ? toolRows(message, index, results) : [];
    if (message.role === "assistant" && message.content.trim() === "" && tools.length === 0) continue;
    entries.push({ role: message.role, content: message.content, tools });
  }
  return entries;
}

/** The calls of one message, in the order they were made. */
function toolRows(message: Message, index: number, results: Results): ToolRow[] {
  const turn = message.turn ?? `#${index}`;
  const remaining = (message.toolCalls ?? []).map((call): ToolRow => {
    const base = { key: rowKey(turn, call.id), callId: call.id, turn, name: call.name, input: inputOf(call.arguments) };
    const result = results.take(index, call.id);
    if (result === undefined)
      return { ...base, state: message.pending?.includes(call.id) === true ? "pending" : "running" };
    return { ...base, ...settled(result) };
  });
  const rows: ToolRow[] = [];
  const dropped = new Map((message.dropped ?? []).map((call) => [call.index, call]));
  while (remaining.length > 0 || dropped.size > 0) {
    const removed = dropped.get(rows.length) ?? (remaining.length === 0 ? dropped.values().next().value : undefined);
    const next = removed === undefined ? remaining.shift() : undefined;
    if (next !== undefined) rows.push(next);
    if (removed !== undefined) {
      dropped.delete(removed.index);
      const { id, name, input, error } = removed;
      rows.push({ key: rowKey(turn, id), callId: id, turn, name, input, state: "error", error });
    }
  }
  return rows;
}

/** APIs store arguments as text. */
function inputOf(args: unknown): unknown {
  return typeof args === "string" ? parsed(args) : args;
}

function settled({ shown, isError, content }: Message): Pick<ToolRow, "state" | "result" | "error"> {
  if (shown !== undefined) return "error" in shown ? { state: "error", ...shown } : { state: "ok", ...shown };
  // Messages of other programs: their error text was written for the model, so the page shows only that the call
  // failed.
  if (isError === true) {
    return { state: "error", error: { category: "execution", message: "This call failed.", retryable: false } };
  }
  return { state: "ok", result: parsed(content) };
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

/** Assigns results to calls: by turn if known, otherwise to the nearest preceding call. */
class Results {
  readonly #byCall = new Map<string, Message>();

  constructor(rows: readonly Message[]) {
    const latest = new Map<string, number>();
    const turns = new Map<string, number>();
    for (const [index, row] of rows.entries()) {
      if (row.role === "assistant") {
        if (row.turn !== undefined && (row.toolCalls?.length ?? 0) > 0) turns.set(row.turn, index);
        for (const { id } of row.toolCalls ?? []) latest.set(id, index);
      } else if (row.role === "tool" && row.toolCallId !== undefined) {
        const at = (row.turn === undefined ? undefined : turns.get(row.turn)) ?? latest.get(row.toolCallId);
        const key = `${at} ${row.toolCallId}`;
        // The first result counts, so that a replay changes nothing.
        if (at !== undefined && !this.#byCall.has(key)) this.#byCall.set(key, row);
      }
    }
  }

  take(index: number, callId: string): Message | undefined {
    return this.#byCall.get(`${index} ${callId}`);
  }
}

/** A call as shown on a page. */
export interface ToolRow {
  /** Unique on the page: the turn and the call's id. */
  readonly key: string;
  readonly callId: string;
  readonly turn: string;
  readonly name: string;
  /** `pending`: waits for an approval. */
  readonly state: "running" | "pending" | "ok" | "error";
  readonly input?: unknown;
  /** The latest progress of a running call; only live. */
  readonly progress?: unknown;
  readonly result?: unknown;
  readonly error?: SafeError;
}

/** Some servers reuse ids, so an id is unique only together with its turn. */
export function rowKey(turn: string, callId: string): string {
  return `${turn}/${callId}`;
}
