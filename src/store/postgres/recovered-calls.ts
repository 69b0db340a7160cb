import type { Queries } from "./database.ts";

/** Which of these ids are calls that repair made. */
export async function readRecovered(db: Queries, project: string, ids: readonly string[]): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const rows = await db.all(
    "SELECT DISTINCT tool_call_id FROM calls WHERE project = ? AND origin = 'recovered' AND tool_call_id = ANY(?::text[])",
    ...[project, ids],
  );
  const found = new Set(rows.map((row) => String(row.tool_call_id)));
  return ids.filter((id) => found.has(id));
}
