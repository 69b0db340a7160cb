import type { LoopRow, Range, StoreReader } from "../../store/port.ts";
import { ago, createColors, renderCsv } from "../format.ts";
import type { Io } from "../io.ts";
import { type Column, renderTable } from "../table.ts";

interface Form {
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** Value of `--by` for this report, in addition to the store's breakdowns. */
export const BY_LOOP = "loop";

/** Lists calls in a row that brought nothing new, newest first. */
export async function reportLoops(reader: StoreReader, range: Range, form: Form, io: Io): Promise<string> {
  const rows = (await reader.loops({ ...range, limit: 100 })).map((row) => ({ key: row.loop_id, ...row }));
  if (form.json === true) {
    const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
    return `${JSON.stringify({ by: BY_LOOP, since: iso(range.since), until: iso(range.until), rows }, null, 2)}\n`;
  }
  if (form.csv === true)
    return renderCsv(
      FIELDS,
      rows.map((row) => ({ ...row, tools: row.tools.join(" ") })),
    );
  if (rows.length === 0)
    return "No loops recorded. docs/loops.md describes what counts as one, and what is not found.\n";
  return renderTable(columns(io.now()), rows, io.width, createColors(io));
}

const FIELDS = [
  ...(["key", "project", "session_id", "agent_id", "kind", "period", "run", "tools", "model", "provider"] as const),
  ...(["first_at", "last_at", "running", "ended_by", "input_tokens", "output_tokens", "cached_tokens"] as const),
] as const;

function columns(now: number): readonly Column<LoopRow>[] {
  return [
    { title: "SESSION", text: ({ session_id }) => session_id },
    { title: "TOOLS", text: ({ tools }) => tools.join(", ") },
    { title: "KIND", text: ({ kind, period }) => (period > 1 ? `${kind} of ${period}` : kind), drop: 2 },
    {
      title: "RUN",
      align: "right",
      text: ({ run }) => String(run),
      style: ({ run }) => (run >= 6 ? "bad" : undefined),
    },
    { title: "TOKENS", align: "right", text: tokensText, drop: 1 },
    { title: "MODEL", text: ({ model }) => model ?? "", drop: 3 },
    { title: "ENDED BY", text: (row) => endText(row, now), drop: 4 },
    { title: "LAST", align: "right", text: ({ last_at }) => ago(last_at, now) },
  ];
}

/** A transcript may not contain the end of a session. */
const MAX_SILENCE_MS = 30 * 60_000;

function endText({ ended_by, running, last_at }: LoopRow, now: number): string {
  if (ended_by !== null) return ended_by.replace("_", " ");
  return running && now - Date.parse(last_at) < MAX_SILENCE_MS ? "running" : "end";
}

function tokensText({ input_tokens, output_tokens }: LoopRow): string {
  return input_tokens === null && output_tokens === null ? "" : String((input_tokens ?? 0) + (output_tokens ?? 0));
}
