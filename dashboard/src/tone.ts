import type { Health } from "../../src/core/model/session-record.ts";

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

const WORDS = { ok: "no failures", warn: "some calls fail", bad: "fails often", none: "no verdict" } as const;

export function toneLabel(tone: Tone): string {
  return WORDS[tone];
}

const TONE_OF_HEALTH: Readonly<Record<Health, Tone>> = {
  healthy: "ok",
  degraded: "warn",
  unhealthy: "bad",
  insufficient: "none",
};

/** By rate and by what stayed broken: three failures of five hundred calls are not three of four. No data is not health. */
export function toneOfSession(session: { readonly calls: number; readonly rate_health: Health }): Tone {
  return session.calls === 0 ? "none" : TONE_OF_HEALTH[session.rate_health];
}

/** One call by how it came out. */
export function toneOfStatus(status: string): Tone {
  return status === "ok" ? "ok" : status === "failed" ? "bad" : "none";
}
