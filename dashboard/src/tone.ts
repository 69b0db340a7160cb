import type { Health } from "../../src/core/model/session-record.ts";

/** A state as a color and a glyph, so that color is never the only cue. */
export type Tone = "ok" | "warn" | "bad" | "none";

export const GLYPH: Readonly<Record<Tone, string>> = { ok: "✓", warn: "!", bad: "✕", none: "?" };

const OFTEN = 0.3;

/** Tone of a failure rate. */
export function toneOfRate(rate: number | null): Tone {
  if (rate === null) return "none";
  if (rate === 0) return "ok";
  return rate < OFTEN ? "warn" : "bad";
}

const LABELS = { ok: "no failures", warn: "some calls fail", bad: "fails often", none: "no known outcome" } as const;

export function toneLabel(tone: Tone): string {
  return LABELS[tone];
}

const TONE_OF_HEALTH: Readonly<Record<Health, Tone>> = {
  healthy: "ok",
  degraded: "warn",
  unhealthy: "bad",
  insufficient: "none",
};

/** Tone of a session by its health, the same as everywhere else. Without calls, `none`. */
export function toneOfSession(session: { readonly calls: number; readonly health: Health }): Tone {
  return session.calls === 0 ? "none" : TONE_OF_HEALTH[session.health];
}

/** Whether a session has no calls at all: with calls that wait for a result, its health is `insufficient`. */
export function hasNoCalls(session: { readonly calls: number; readonly health: Health }): boolean {
  return session.calls === 0 && session.health !== "insufficient";
}

/** Tone of a call by its status. */
export function toneOfStatus(status: string): Tone {
  return status === "ok" ? "ok" : status === "failed" ? "bad" : "none";
}
