/** Anything that says which call it belongs to, in any of the usual spellings. */
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
 * The last net before the page: each call once, the first wins; rows without an id are all kept.
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

/** The list with one more row, or the same list when the call is in it already. */
export function appendToolResult<Row extends CallResult>(rows: readonly Row[] | undefined, row: Row): readonly Row[] {
  const list = rows ?? [];
  const key = keyOf(row);
  return key !== undefined && list.some((other) => keyOf(other) === key) ? list : [...list, row];
}
