import type { Health, Tally } from "../../src/core/model/session-record.ts";

/** How something is doing, in a colour and a glyph: neither is needed to read the other. */
export type Tone = "ok" | "warn" | "bad" | "none";

export const GLYPH: Readonly<Record<Tone, string>> = { ok: "✓", warn: "▲", bad: "✕", none: "?" };

const OFTEN = 0.3;

/** A tool by its failure rate. */
export function toneOfRate(rate: number | null): Tone {
  if (rate === null) return "none";
  if (rate === 0) return "ok";
  return rate < OFTEN ? "warn" : "bad";
}

const TONE_OF_HEALTH: Readonly<Record<Health, Tone>> = {
  healthy: "ok",
  degraded: "warn",
  unhealthy: "bad",
  insufficient: "none",
};

/** A session without calls is called healthy by its score; on the page no data is not health. */
export function toneOfSession(session: Tally & { readonly health: Health }): Tone {
  return session.calls === 0 ? "none" : TONE_OF_HEALTH[session.health];
}
