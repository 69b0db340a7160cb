import type { Range, SecondChanceRow } from "../port.ts";
import { type SqlDriver, whereOf } from "./driver.ts";

/** How often responses were asked for again, and the results. Most frequent first. Few are, and they have an index. */
export async function secondChances(db: SqlDriver, range: Range): Promise<readonly SecondChanceRow[]> {
  const { project, since, until } = range;
  const [where, values] = whereOf([
    ["second_chance IS NOT NULL AND project = ?", project],
    ["second_chance IS NOT NULL AND ended_at >= ?", since ?? 0],
    ["ended_at < ?", until],
  ]);
  const rows = await db.all(
    `SELECT provider, model, second_chance_reason AS reason, COUNT(*) AS attempts,
      SUM(CASE WHEN second_chance = 'healed' THEN 1 ELSE 0 END) AS healed,
      SUM(CASE WHEN second_chance = 'text' THEN 1 ELSE 0 END) AS answered,
      SUM(second_chance_ms) AS ms, SUM(second_chance_input) AS input_tokens, SUM(second_chance_output) AS output_tokens
      FROM requests ${where} GROUP BY provider, model, second_chance_reason`,
    ...values,
  );
  return rows
    .map((row) => ({
      provider: row.provider as string | null,
      model: row.model as string | null,
      reason: row.reason as string,
      attempts: Number(row.attempts),
      healed: Number(row.healed),
      answered: Number(row.answered),
      healed_rate: (Number(row.healed) + Number(row.answered)) / Number(row.attempts),
      added_ms: Math.round(Number(row.ms) / Number(row.attempts)),
      input_tokens: numberOrNull(row.input_tokens),
      output_tokens: numberOrNull(row.output_tokens),
    }))
    .sort((a, b) => b.attempts - a.attempts);
}

/** Null if no response reported its tokens: unknown is not 0. */
function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
