import {
  type Breakdown,
  type Range,
  type StoreReader,
  USAGE_BREAKDOWNS,
  type UsageBreakdown,
  type UsageRow,
} from "../../store/port.ts";
import { createColors } from "../format.ts";
import { formatTokens, tokensText } from "../format-tokens.ts";
import type { Io } from "../io.ts";
import { type Column, renderTable } from "../table.ts";

/** Tokens of a report: the total, and one row per key where responses have that breakdown. */
export interface ReportUsage {
  readonly total: UsageRow | null;
  readonly rows: readonly UsageRow[];
}

export async function readTokens(reader: StoreReader, by: Breakdown, range: Range): Promise<ReportUsage> {
  const usageBy = breakdownOf(by);
  // A store of an older version has no tokens until its server is restarted.
  const rowsBy = (one: UsageBreakdown): Promise<readonly UsageRow[]> =>
    reader.usage(one, range).catch((): readonly UsageRow[] => []);
  const [[total = null], rows] = await Promise.all([rowsBy("all"), usageBy === undefined ? [] : rowsBy(usageBy)]);
  return { total, rows };
}

function breakdownOf(by: Breakdown): UsageBreakdown | undefined {
  return USAGE_BREAKDOWNS.find((one) => one === by);
}

/** A table of tokens by model, provider or day, and the total; empty if no response reported tokens. */
export function usageText(by: Breakdown, { total, rows }: ReportUsage, io: Io): string {
  if (total === null) return "";
  const table = rows.length === 0 ? "" : `\n${renderTable(columns(by), rows, io.width, createColors(io))}\n`;
  return `${table}${tokensText(total)}\n`;
}

function columns(by: Breakdown): readonly Column<UsageRow>[] {
  return [
    { title: by.toUpperCase(), text: ({ key }) => key },
    { title: "RESPONSES", align: "right", text: ({ responses }) => String(responses), drop: 1 },
    { title: "INPUT", align: "right", text: ({ input_tokens }) => formatTokens(input_tokens) },
    { title: "CACHED", align: "right", text: ({ cached_tokens }) => formatTokens(cached_tokens), drop: 3 },
    { title: "OUTPUT", align: "right", text: ({ output_tokens }) => formatTokens(output_tokens) },
    { title: "REASONING", align: "right", text: ({ reasoning_tokens }) => formatTokens(reasoning_tokens), drop: 2 },
  ];
}
