import { COVERAGE, type Coverage } from "../hook/coverage.ts";
import type { Range, StoreReader } from "../store/port.ts";

const MAX_SESSIONS = 500;

/** What one way of watching can show, and whether it has shown anything lately. */
export interface SourceCoverage extends Coverage {
  /** Of the newest sessions of the range: how many it told of, and when last. */
  readonly sessions: number;
  readonly last_at: string | null;
}

export interface CoverageResponse {
  readonly rows: readonly SourceCoverage[];
  /** How many of the newest sessions were looked at. */
  readonly looked_at: number;
  /** Of these, by which sources together: "hook+proxy". */
  readonly together: { readonly [sources: string]: number };
}

/** No data is not health: per source what is seen, and what it cannot see. */
export async function readCoverage(reader: Pick<StoreReader, "sessions">, range: Range): Promise<CoverageResponse> {
  const sessions = await reader.sessions({ ...range, limit: MAX_SESSIONS });
  const together: Record<string, number> = {};
  for (const { source } of sessions) together[source] = (together[source] ?? 0) + 1;
  const rows = COVERAGE.map((coverage): SourceCoverage => {
    const [kind = "", agent] = coverage.id.split(":");
    // Only a client that is known can be told from others; a hook of an unknown one counts for none of them.
    const covered = sessions.filter(
      ({ source, client }) => source.split("+").includes(kind) && (agent === undefined || client === agent),
    );
    return { ...coverage, sessions: covered.length, last_at: covered[0]?.last_at ?? null };
  });
  return { rows, looked_at: sessions.length, together };
}
