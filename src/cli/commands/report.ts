import { parseMoment } from "../../api/parameters.ts";
import { BREAKDOWNS, type Breakdown, type BreakdownRow, type Range, type Summary } from "../../store/port.ts";
import { type Flags, readConfig } from "../config.ts";
import type { Io } from "../io.ts";
import { openReader } from "../open-reader.ts";
import { readerFromPaths } from "../reader-from-paths.ts";
import { StartError } from "../start-error.ts";
import { type Column, renderTable } from "../table.ts";

export interface ReportFlags extends Flags {
  readonly by?: string;
  readonly since?: string;
  readonly until?: string;
  readonly project?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** Failure rates by tool, model, provider, category, phase, day or session. */
export async function reportCommand(flags: ReportFlags, io: Io, paths: readonly string[] = []): Promise<number> {
  const by = (flags.by ?? "tool") as Breakdown;
  if (!BREAKDOWNS.includes(by)) throw new StartError(`--by must be one of ${BREAKDOWNS.join(", ")}.`, 2);
  const range = rangeOf(flags, io.now());
  const config = readConfig(flags, io.environment);
  const { data } = config;
  const quiet = flags.json === true || flags.csv === true;
  const reader = paths.length > 0 ? await readerFromPaths(paths, config, range, io, quiet) : openReader(data, io);
  try {
    const [totals, rows] = await Promise.all([reader.summary(range), reader.breakdown(by, range)]).catch(
      (error: Error) => {
        throw new StartError(`What was recorded in ${data} cannot be read: ${error.message}.`);
      },
    );
    if (flags.json === true) io.out(`${JSON.stringify(asJson(by, range, totals, rows), null, 2)}\n`);
    else if (flags.csv === true) io.out(asCsv(rows));
    else io.out(asText(by, totals, rows, io));
  } finally {
    await reader.close();
  }
  return 0;
}

function rangeOf(flags: ReportFlags, now: number): Range {
  const moment = (name: "since" | "until"): number | undefined => {
    const text = flags[name];
    if (text === undefined) return undefined;
    const at = parseMoment(text, now);
    if (at === undefined)
      throw new StartError(`--${name} must be a span such as 24h or 7d, or a date such as 2026-03-10.`, 2);
    return at;
  };
  const [since, until] = [moment("since"), moment("until")];
  return {
    ...(flags.project !== undefined && { project: flags.project }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

function asJson(by: Breakdown, range: Range, totals: Summary, rows: readonly BreakdownRow[]): object {
  const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
  return { by, since: iso(range.since), until: iso(range.until), totals, rows };
}

const FIELDS = ["key", "calls", "ok", "failed", "unknown", "soft", "failure_rate", "top_category"] as const;

function asCsv(rows: readonly BreakdownRow[]): string {
  const cell = (value: string | number | null): string => {
    // Names come from models: a spreadsheet must not take one for a formula.
    const text =
      value === null ? "" : typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [FIELDS.join(","), ...rows.map((row) => FIELDS.map((name) => cell(row[name])).join(","))]
    .map((line) => `${line}\n`)
    .join("");
}

function asText(by: Breakdown, totals: Summary, rows: readonly BreakdownRow[], io: Io): string {
  if (rows.length === 0) {
    return totals.calls === 0
      ? "No tool calls recorded yet. `toolmend env` shows how to point a client here; `toolmend demo` shows it with made-up data.\n"
      : `No failures to show by ${by}.\n`;
  }
  const columns: readonly Column<BreakdownRow>[] = [
    { title: by.toUpperCase(), text: ({ key }) => key },
    { title: "CALLS", align: "right", text: ({ calls }) => String(calls) },
    { title: "FAILED", align: "right", text: ({ failed }) => String(failed) },
    { title: "UNKNOWN", align: "right", text: ({ unknown }) => String(unknown) },
    { title: "FAIL %", align: "right", text: ({ failure_rate }) => percent(failure_rate) },
    { title: "MOSTLY", text: ({ top_category }) => top_category ?? "" },
  ];
  const { calls, failed, unknown, sessions, pending } = totals;
  const open = pending > 0 ? `, ${pending} still open` : "";
  const summary = `${calls} calls in ${sessions} sessions: ${failed} failed (${percent(totals.failure_rate)} % of those with a verdict), ${unknown} unknown${open}\n`;
  return `${renderTable(columns, rows, io.width)}\n${summary}`;
}

function percent(rate: number | null): string {
  return rate === null ? "–" : `${(100 * rate).toFixed(1)}`;
}
