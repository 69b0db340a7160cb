import type { LoopEvent } from "../loop/events.ts";
import type { Message } from "../model/message.ts";
import { rebuildConversation, rowKey, type ToolRow } from "./rebuild.ts";
import { createToolView } from "./tool-view.ts";

/** A text or a call of a conversation. */
export type ConversationItem =
  | {
      readonly kind: "text";
      /** Unique in the list, and stable while it grows. */
      readonly key: string;
      readonly role: "user" | "assistant" | "system";
      readonly text: string;
    }
  | ({ readonly kind: "call" } & ToolRow);

/** A conversation as one list of texts and calls: the same live and after a reload. */
export interface ConversationView {
  /** Adds a message that the user just sent. */
  add(message: Pick<Message, "role" | "content">): void;
  /** Applies an event; returns whether the page must be updated. */
  apply(event: LoopEvent): boolean;
  /** Replaces everything by stored messages, in any format that `readMessages` reads. */
  load(rows: readonly object[]): void;
  /** In chronological order. */
  list(): readonly ConversationItem[];
}

type Role = "user" | "assistant" | "system";
/** A text, or the key of a call. */
type Entry = { readonly role: Role; readonly turn: string; text: string } | { readonly callKey: string };

/**
 * @example
 * const view = createConversationView();
 * view.load(rowsOfTheDatabase);
 * view.add({ role: "user", content: question });
 * for await (const event of fromSSE(response.body)) if (view.apply(event)) render(view.list());
 */
export function createConversationView(): ConversationView {
  const calls = createToolView();
  let entries: Entry[] = [];

  const addText = (role: Role, text: string, turn = ""): boolean => {
    entries.push({ role, text, turn });
    return text.trim() !== "";
  };
  /** Appends to the text of the same turn, unless something else followed it. */
  const appendText = (turn: string, text: string): boolean => {
    const last = entries.at(-1);
    if (last === undefined || !("text" in last) || last.turn !== turn) return addText("assistant", text, turn);
    last.text += text;
    return last.text.trim() !== "";
  };

  return {
    add({ role, content }) {
      if (role !== "tool") addText(role, content);
    },
    apply(event) {
      if (event.kind === "text") return appendText(event.turn, event.text);
      if (event.kind === "clarify") return addText("assistant", event.text);
      // The message that ends a run. With a call's id, an error is only about that call, whose row shows it.
      if ("error" in event && !("callId" in event)) return addText("assistant", event.error.message);
      const before = new Set(calls.list().map(({ key }) => key));
      const isChanged = calls.apply(event);
      if (event.kind === "tool_calls") {
        const keys = event.calls.map(({ id }) => rowKey(event.turn, id)).filter((key) => !before.has(key));
        entries.push(...keys.map((callKey) => ({ callKey })));
      }
      return isChanged;
    },
    load(rows) {
      calls.load(rows);
      entries = rebuildConversation(rows).flatMap(({ role, content, tools }): Entry[] => [
        { role, text: content, turn: "" },
        ...tools.map(({ key }) => ({ callKey: key })),
      ]);
    },
    list() {
      const rows = new Map(calls.list().map((row) => [row.key, row]));
      const items: ConversationItem[] = [];
      for (const entry of entries) {
        if ("callKey" in entry) {
          const row = rows.get(entry.callKey);
          if (row !== undefined) items.push({ kind: "call", ...row });
        } else if (entry.text.trim() !== "") {
          items.push({ kind: "text", key: `text-${items.length}`, role: entry.role, text: entry.text });
        }
      }
      return items;
    },
  };
}
