import type { ServerStatus } from "../../src/api/server-status.ts";
import type { BreakdownRow, SessionRow, Summary } from "../../src/store/port.ts";
import type { RangeName } from "./view.ts";

export const MOST_SESSIONS = 200;

/** Everything the page shows, of one moment. */
export interface Snapshot {
  readonly range: RangeName;
  readonly at: number;
  readonly summary: Summary;
  readonly status: ServerStatus;
  readonly tools: readonly BreakdownRow[];
  readonly sessions: readonly SessionRow[];
  /** Nothing was ever recorded, in no range. */
  readonly firstRun: boolean;
}

type SummaryAnswer = Summary & { readonly status: ServerStatus };
interface Rows<Row> {
  readonly rows: readonly Row[];
}

export async function fetchSnapshot(range: RangeName, signal: AbortSignal): Promise<Snapshot> {
  const since = range === "all" ? "" : `since=${range}`;
  const [{ status, ...summary }, tools, sessions] = await Promise.all([
    getJson<SummaryAnswer>(`/api/summary?${since}`, signal),
    getJson<Rows<BreakdownRow>>(`/api/tools?${since}`, signal),
    getJson<Rows<SessionRow>>(`/api/sessions?limit=${MOST_SESSIONS}&${since}`, signal),
  ]);
  const firstRun =
    isEmpty(summary) && (range === "all" || isEmpty(await getJson<SummaryAnswer>("/api/summary", signal)));
  return { range, at: Date.now(), summary, status, tools: tools.rows, sessions: sessions.rows, firstRun };
}

function isEmpty({ calls, pending, sessions }: Summary): boolean {
  return calls === 0 && pending === 0 && sessions === 0;
}

async function getJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal, headers: { accept: "application/json" } }).catch((error: Error) => {
    throw error.name === "AbortError" ? error : new Error(unreachable(error));
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok || body === undefined) throw new Error(refusal(response.status, body));
  // The server that sent this page is the one that answers: its types are ours.
  return body as T;
}

function unreachable(error: Error): string {
  const what = error.name === "TimeoutError" ? "is slow to answer" : "does not answer";
  return `Toolmend ${what} at ${location.origin}. Is it still running? Start it with npm start.`;
}

function refusal(status: number, body: unknown): string {
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message;
  return typeof message === "string" ? message : `Toolmend answered with status ${status}. Its log says more.`;
}
