import type { RateSample } from "../core/score/rate-difference.ts";
import type { FingerprintRow, Store } from "../store/port.ts";

const HOUR_MS = 3_600_000;
/** Long enough for rare errors, and short enough that other changes have little effect. */
const MAX_WINDOW_MS = 14 * 24 * HOUR_MS;

/** How often an error occurred in a window: `failed` are its occurrences, `ok` all other calls of its tools. */
interface EffectWindow extends RateSample {
  readonly since: string;
  readonly until: string;
}

/** An error before and after it was marked as resolved, in windows of the same length and in whole hours. */
export interface ResolutionEffect {
  readonly before: EffectWindow;
  readonly after: EffectWindow;
}

/** Null if the error is not resolved, was resolved in this hour, or occurs too often to be counted. */
export async function resolutionEffect(
  reader: Pick<Store, "breakdown" | "calls">,
  error: FingerprintRow,
  now: number,
): Promise<ResolutionEffect | null> {
  const { state, state_at } = error;
  if (state_at === null || (state !== "resolved" && state !== "regressed")) return null;
  const at = Date.parse(state_at);
  // The hour of the change belongs to neither window.
  const [end, start] = [at - (at % HOUR_MS), at - (at % HOUR_MS) + HOUR_MS];
  const length = Math.min(MAX_WINDOW_MS, now - (now % HOUR_MS) + HOUR_MS - start);
  if (length <= 0) return null;
  const [before, after] = await Promise.all([
    windowOf(reader, error, end - length, end),
    windowOf(reader, error, start, start + length),
  ]);
  return before === undefined || after === undefined ? null : { before, after };
}

async function windowOf(
  reader: Pick<Store, "breakdown" | "calls">,
  { project, fingerprint, tools }: FingerprintRow,
  since: number,
  until: number,
): Promise<EffectWindow | undefined> {
  const [{ total }, rows] = await Promise.all([
    reader.calls({ project, fingerprint, since, until, limit: 1 }),
    reader.breakdown("tool", { project, since, until }),
  ]);
  if (total === null) return undefined;
  const known = rows
    .filter(({ key }) => Object.hasOwn(tools, key))
    .reduce((sum, { ok, failed }) => sum + ok + failed, 0);
  return {
    since: new Date(since).toISOString(),
    until: new Date(until).toISOString(),
    failed: total,
    ok: Math.max(0, known - total),
  };
}
