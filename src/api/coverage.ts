import { COVERAGE, type Coverage } from "../hook/coverage.ts";
import type { Range, StoreReader } from "../store/port.ts";

const MAX_SESSIONS = 500;

/** What one source can observe, and whether it has observed anything recently. */
export interface SourceCoverage extends Coverage {
  /** How many of the newest sessions of the range this source observed. */
  readonly sessions: number;
  readonly last_at: string | null;
}

export interface CoverageResponse {
  readonly rows: readonly SourceCoverage[];
  /** Number of newest sessions that were counted. */
  readonly looked_at: number;
  /** Sessions by combination of sources, such as "hook+proxy". */
  readonly together: { readonly [sources: string]: number };
}

/** Reports what each source observed and what it cannot observe, so that missing data is not mistaken for health. */
export async function readCoverage(reader: Pick<StoreReader, "sessions">, range: Range): Promise<CoverageResponse> {
  const sessions = await reader.sessions({ ...range, limit: MAX_SESSIONS });
  const together: Record<string, number> = {};
  for (const { source } of sessions) together[source] = (together[source] ?? 0) + 1;
  const rows = COVERAGE.map((coverage): SourceCoverage => {
    const [kind = "", agent] = coverage.id.split(":");
    // Hook events of an unknown client cannot be assigned to an agent and are not counted.
    const covered = sessions.filter(
      ({ source, client }) => source.split("+").includes(kind) && (agent === undefined || client === agent),
    );
    return { ...coverage, sessions: covered.length, last_at: covered[0]?.last_at ?? null };
  });
  return { rows, looked_at: sessions.length, together };
}
