import type { ListedCall, StoreReader } from "../store/port.ts";

const FIELDS = [
  ...(["project", "session_id", "session_name", "id", "tool_name", "status", "category", "status_message"] as const),
  ...(["model_name", "execution_time_ms", "turnaround_ms", "arguments_preview"] as const),
] as const;

/** The fields of the live page for calls that were recorded before it was opened. */
export interface RecentCall extends Pick<ListedCall, (typeof FIELDS)[number]> {
  /** When its result arrived. */
  readonly at: string;
}

/** The newest calls with a result, newest first. */
export async function recentCalls(
  reader: Pick<StoreReader, "calls">,
  limit: number,
): Promise<{ readonly rows: readonly RecentCall[] }> {
  const { calls } = await reader.calls({ limit });
  return {
    rows: calls.map((call) => {
      const fields = Object.fromEntries(FIELDS.map((name) => [name, call[name]])) as Omit<RecentCall, "at">;
      return { ...fields, at: call.settled_at ?? call.at };
    }),
  };
}
