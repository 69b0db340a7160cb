import { join } from "node:path";
import type { StoreReader } from "../../src/store/port.ts";
import { openSqliteReader, openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { cpuMs } from "./ingest.ts";
import { DAY, END, traffic } from "./traffic.ts";

/** Every query of the dashboard and the CLI, with their parameters. */
const QUERIES: Readonly<Record<string, (reader: StoreReader) => Promise<unknown>>> = {
  summary: (reader) => reader.summary({}),
  "summary of seven days": (reader) => reader.summary({ since: END - 7 * DAY + DAY / 4 }),
  "by tool, with the window before": (reader) =>
    reader.breakdown("tool", { since: END - 7 * DAY, until: END, previous: true }),
  "by tool, ever": (reader) => reader.breakdown("tool", {}),
  "by model": (reader) => reader.breakdown("model", {}),
  "by category": (reader) => reader.breakdown("category", {}),
  "by workflow": (reader) => reader.breakdown("workflow", {}),
  "by day": (reader) => reader.breakdown("day", {}),
  "by session": (reader) => reader.breakdown("session", { since: END - 7 * DAY }),
  "hours of a day": (reader) => reader.series({ step: "hour", since: END - DAY }),
  "hours of seven days": (reader) => reader.series({ step: "hour", since: END - 7 * DAY }),
  "first uses in a month": (reader) => reader.firstUses({ step: "day", since: END - 30 * DAY }),
  "first uses in a day": (reader) => reader.firstUses({ step: "hour", since: END - DAY }),
  "calls of an MCP server": (reader) => reader.calls({ server: "db", limit: 50 }),
  "days of a month": (reader) => reader.series({ step: "day", since: END - 30 * DAY }),
  fingerprints: (reader) => reader.fingerprints({}),
  "tool by model": (reader) => reader.toolModel({}),
  "newest sessions": (reader) => reader.sessions({}),
  "unhealthy sessions with a timeout, worst first": (reader) =>
    reader.sessions({ health: "unhealthy", category: "timeout", severity: { is: ">", value: 0.7 }, sort: "severity" }),
  "sessions by text": (reader) => reader.sessions({ text: "session-1-7" }),
  "sessions by the beginning of a tool": (reader) => reader.sessions({ text: "Re" }),
  "sessions by words that no name has": (reader) => reader.sessions({ text: "shop feature checkout" }),
  "sessions by the text of a failure": (reader) => reader.sessions({ text: "not found" }),
  "newest hundred calls": (reader) => reader.calls({ limit: 100 }),
  "sessions with a tool nobody has": (reader) => reader.sessions({ tool: "nothing" }),
  "one session": (reader) => reader.sessionDetail("default", "session-1-7"),
};

export interface Growth {
  readonly name: string;
  readonly small: number;
  readonly big: number;
}

/** CPU time of each query in a small and in a large store. */
export async function growth(
  folder: string,
  few: number,
  many: number,
  seed: number,
  progress: (text: string) => void,
): Promise<readonly Growth[]> {
  const small = await timeQueries(await filled(join(folder, "small.db"), few, seed, progress));
  const big = await timeQueries(await filled(join(folder, "big.db"), many, seed, progress));
  return Object.keys(QUERIES).map((name) => ({ name, small: small.get(name) ?? 0, big: big.get(name) ?? 0 }));
}

async function filled(path: string, calls: number, seed: number, progress: (text: string) => void): Promise<string> {
  const store = openSqliteStore(path);
  let [lines, done]: [string[], number] = [[], 0];
  const apply = async (): Promise<void> => {
    const { last_event } = await store.apply({ journal: "j", position: "1", live: false, lines: lines.join("\n") });
    await store.moveCursor("bench", last_event);
    done += lines.length;
    lines = [];
    if (done % 100_000 === 0) progress(`${done} calls recorded`);
  };
  for (const one of traffic({ as: "import", calls, callsPerSession: 50, days: 30, seed })) {
    if (lines.push(JSON.stringify(one)) === 2000) await apply();
  }
  if (lines.length > 0) await apply();
  await store.close();
  return path;
}

const ROUNDS = 5;
const TIMES = 10;

async function timeQueries(path: string): Promise<ReadonlyMap<string, number>> {
  const reader = openSqliteReader(path);
  const times = new Map<string, number>();
  for (const [name, query] of Object.entries(QUERIES)) {
    await query(reader);
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = cpuMs();
      for (let time = 0; time < TIMES; time += 1) await query(reader);
      times.set(name, Math.min((cpuMs() - start) / TIMES, times.get(name) ?? Number.POSITIVE_INFINITY));
    }
  }
  await reader.close();
  return times;
}
