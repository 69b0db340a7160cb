import type { LoopEvent } from "../loop/events.ts";
import { rebuildConversation, rowKey, type ToolRow } from "./rebuild.ts";

/** The calls of a conversation as shown on a page, live and after a reload. */
export interface ToolView {
  /** Applies an event; returns whether the page must be updated. */
  apply(event: LoopEvent): boolean;
  /** Replaces everything by stored messages. */
  load(rows: readonly object[]): void;
  /** In the order the calls were made. */
  list(): readonly ToolRow[];
}

/**
 * @example
 * const view = createToolView();
 * view.load(rowsOfTheDatabase);
 * for await (const event of fromSSE(response.body)) if (view.apply(event)) render(view.list());
 */
export function createToolView(): ToolView {
  const rows = new Map<string, ToolRow>();
  /** Calls that failed, but have another attempt following. */
  const preliminary = new Set<string>();

  const start = (row: ToolRow): boolean => {
    if (rows.has(row.key)) return false;
    rows.set(row.key, row);
    return true;
  };
  /** The first outcome of a call counts: replays and late events change nothing. */
  const settle = (row: ToolRow): boolean => {
    const before = rows.get(row.key);
    const isOpen = before === undefined || before.state === "running" || before.state === "pending";
    if (!isOpen && !preliminary.has(row.key)) return false;
    preliminary.delete(row.key);
    rows.set(row.key, row);
    return true;
  };

  return {
    apply(event) {
      if (event.kind === "tool_calls") {
        const { turn } = event;
        return event.calls
          .map(({ id, name, input }) =>
            start({ key: rowKey(turn, id), callId: id, turn, name, input, state: "running" }),
          )
          .includes(true);
      }
      if (event.kind === "tool_progress" || event.kind === "tool_pending") {
        const row = rows.get(rowKey(event.turn, event.callId));
        if (row?.state !== "running") return false;
        const change = event.kind === "tool_progress" ? { progress: event.value } : { state: "pending" as const };
        rows.set(row.key, { ...row, ...change });
        return true;
      }
      if (event.kind !== "tool_result" && event.kind !== "tool_failed") return false;
      const { turn, callId, name, input } = event;
      const base = { key: rowKey(turn, callId), callId, turn, name, input };
      if (event.kind === "tool_result") return settle({ ...base, state: "ok", result: event.result });
      const isNew = settle({ ...base, state: "error", error: event.error });
      if (isNew && event.preliminary === true) preliminary.add(base.key);
      return isNew;
    },
    load(messages) {
      rows.clear();
      preliminary.clear();
      for (const { tools } of rebuildConversation(messages)) for (const row of tools) rows.set(row.key, row);
    },
    list: () => [...rows.values()],
  };
}

/** Anything with a call id, in any of the usual spellings. */
export interface CallResult {
  readonly callId?: string | null;
  readonly toolCallId?: string | null;
  readonly tool_call_id?: string | null;
  readonly turn?: string;
  readonly round?: number;
}

function keyOf({ callId, toolCallId, tool_call_id, turn, round }: CallResult): string | undefined {
  const id = callId ?? toolCallId ?? tool_call_id;
  return id === undefined || id === null || id === "" ? undefined : `${turn ?? round ?? ""}/${id}`;
}

/**
 * Removes duplicates before rendering: the first row of each call counts. Rows without an id are all kept.
 *
 * @example
 * uniqueToolResultsByCallId(message.toolResults).map(show)
 */
export function uniqueToolResultsByCallId<Row extends CallResult>(rows: readonly Row[] | undefined): Row[] {
  const seen = new Set<string>();
  return (rows ?? []).filter((row) => {
    const key = keyOf(row);
    if (key === undefined) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Appends a row, or returns the same list if it already contains the call. */
export function appendToolResult<Row extends CallResult>(rows: readonly Row[] | undefined, row: Row): readonly Row[] {
  const list = rows ?? [];
  const key = keyOf(row);
  return key !== undefined && list.some((other) => keyOf(other) === key) ? list : [...list, row];
}
