import type { Message } from "../model/message.ts";
import { rowKey, type ToolRow } from "./tool-row.ts";

/** One bubble of a chat: what was said, and the calls that were made with it. */
export interface ConversationEntry {
  readonly role: "user" | "assistant" | "system";
  readonly content: string;
  readonly tools: readonly ToolRow[];
}

/**
 * A conversation from its stored rows. Results come from the rows of tools alone, whatever else a row claims; a result
 * without a call and a message with nothing in it are not shown.
 */
export function rebuildConversation(rows: readonly Message[]): ConversationEntry[] {
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

/** The calls of one message, in the order in which they were made. */
function toolRows(message: Message, index: number, results: Results): ToolRow[] {
  const turn = message.turn ?? `#${index}`;
  const kept = (message.toolCalls ?? []).map((call): ToolRow => {
    const base = { key: rowKey(turn, call.id), callId: call.id, turn, name: call.name, input: call.arguments };
    const answer = results.take(index, call.id);
    if (answer === undefined) return { ...base, state: "running" };
    return { ...base, ...settled(answer) };
  });
  const rows: ToolRow[] = [];
  const dropped = new Map((message.dropped ?? []).map((call) => [call.index, call]));
  while (kept.length > 0 || dropped.size > 0) {
    const gone = dropped.get(rows.length) ?? (kept.length === 0 ? dropped.values().next().value : undefined);
    if (gone === undefined) rows.push(kept.shift() as ToolRow);
    else {
      dropped.delete(gone.index);
      const { id, name, input, error } = gone;
      rows.push({ key: rowKey(turn, id), callId: id, turn, name, input, state: "error", error });
    }
  }
  return rows;
}

function settled({ shown, isError, content }: Message): Pick<ToolRow, "state" | "result" | "error"> {
  if (shown !== undefined) return "error" in shown ? { state: "error", ...shown } : { state: "ok", ...shown };
  // Rows of other programs. Their error text was written for a model: the page says no more than that it failed.
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

/** Which result belongs to which call: of the same turn where rows say so, else the nearest call before it. */
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
        // The first wins: a replay changes nothing.
        if (at !== undefined && !this.#byCall.has(key)) this.#byCall.set(key, row);
      }
    }
  }

  take(index: number, callId: string): Message | undefined {
    return this.#byCall.get(`${index} ${callId}`);
  }
}
