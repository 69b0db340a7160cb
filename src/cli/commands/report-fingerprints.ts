import { type Advice, adviceFor } from "../../core/detect/index.ts";
import type { FingerprintRow, Range, StoreReader } from "../../store/port.ts";
import { ago, createColors, renderCsv } from "../format.ts";
import type { Io } from "../io.ts";
import { type Column, oneLineText, renderTable } from "../table.ts";

/** Value of `--by` for this report, in addition to the store's breakdowns. */
export const BY_FINGERPRINT = "fingerprint";

interface Form {
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** Lists each distinct failure across sessions, most frequent first. */
export async function reportFingerprints(reader: StoreReader, range: Range, form: Form, io: Io): Promise<string> {
  const rows = (await reader.fingerprints({ ...range, limit: 100 })).map(withKey);
  if (form.json === true) return `${JSON.stringify({ by: BY_FINGERPRINT, ...times(range), rows }, null, 2)}\n`;
  if (form.csv === true) return renderCsv(FIELDS, rows);
  if (rows.length === 0) return "No failures recorded.\n";
  return (
    renderTable(columns(io.now()), rows, io.width, createColors(io)) + adviceText(rows.map(({ advice }) => advice))
  );
}

type Row = FingerprintRow & { readonly key: string; readonly tool: string; readonly advice: Advice | null };

/** Number of different pieces of advice that a report shows. */
const MAX_ADVICE = 3;

/** Lists the advice of the most frequent failures, each once. */
export function adviceText(found: readonly (Advice | null)[]): string {
  const texts = [...new Set(found.flatMap((advice) => (advice === null ? [] : [advice.text])))].slice(0, MAX_ADVICE);
  return texts.length === 0 ? "" : `\nWhat may help:\n${texts.map((text) => `  - ${text}\n`).join("")}`;
}

function withKey(row: FingerprintRow): Row {
  const [[tool = ""] = []] = Object.entries(row.tools).sort(([, a], [, b]) => b - a);
  const advice = adviceFor({ category: row.category, tool: oneLineText(tool), message: row.sample }) ?? null;
  return { key: row.fingerprint, tool, ...row, advice };
}

function times({ since, until }: Range): object {
  const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());
  return { since: iso(since), until: iso(until) };
}

const FIELDS = ["key", "category", "count", "first_at", "last_at", "tool", "sample"] as const;

function columns(now: number): readonly Column<Row>[] {
  const when = (at: string | null): string => (at === null ? "" : ago(at, now));
  return [
    // Without captured text, the fingerprint at least identifies the failure.
    { title: "FAILURE", text: ({ sample, fingerprint }) => (sample === "" ? fingerprint : sample) },
    { title: "COUNT", align: "right", text: ({ count }) => String(count) },
    { title: "CATEGORY", text: ({ category }) => category, drop: 2 },
    { title: "MOSTLY", text: ({ tool }) => tool, drop: 1 },
    { title: "FIRST", align: "right", text: ({ first_at }) => when(first_at), drop: 3 },
    { title: "LAST", align: "right", text: ({ last_at }) => when(last_at) },
  ];
}
