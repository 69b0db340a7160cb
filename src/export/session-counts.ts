import type { StoreReader } from "../store/port.ts";
import type { SessionCounts } from "./prometheus.ts";

const DAY_MS = 86_400_000;
const CACHE_TTL_MS = 10_000;
const PAGE_SIZE = 500;
const HEALTHS = ["healthy", "degraded", "unhealthy", "insufficient"] as const;

/** Counts the sessions of the last day by health. Cached for a few seconds, because every scrape needs it. */
export function createSessionCounts(
  reader: Pick<StoreReader, "sessions">,
  now: () => number,
): () => Promise<SessionCounts> {
  let cached: { readonly at: number; readonly counts: Promise<SessionCounts> } | undefined;
  return () => {
    const at = now();
    if (cached === undefined || at - cached.at >= CACHE_TTL_MS) cached = { at, counts: count(reader, at - DAY_MS) };
    const { counts } = cached;
    counts.catch(() => {
      cached = undefined;
    });
    return counts;
  };
}

async function count(reader: Pick<StoreReader, "sessions">, since: number): Promise<SessionCounts> {
  const counts: Record<string, number> = Object.fromEntries(HEALTHS.map((health) => [health, 0]));
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const rows = await reader.sessions({ since, limit: PAGE_SIZE, offset });
    for (const { health } of rows) counts[health] = (counts[health] ?? 0) + 1;
    if (rows.length < PAGE_SIZE) return counts;
  }
}
