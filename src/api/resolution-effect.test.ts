import { expect, it } from "vitest";
import type { FingerprintRow } from "../store/port.ts";
import { resolutionEffect } from "./resolution-effect.ts";

const HOUR = 3_600_000;
const RESOLVED = Date.UTC(2026, 2, 10, 12, 20);
const error = (fields: object = {}): FingerprintRow =>
  ({
    ...{ project: "default", fingerprint: "f1", tools: { Bash: 9 }, state: "resolved" },
    ...{ state_at: new Date(RESOLVED).toISOString(), ...fields },
  }) as unknown as FingerprintRow;

/** 2 occurrences in 40 calls before, none in 10 calls after. */
const reader = (total: number | null = 2) => {
  const asked: (readonly [number, number])[] = [];
  return {
    asked,
    calls: async ({ since = 0, until = 0 }) => {
      asked.push([(since - RESOLVED) / HOUR, (until - RESOLVED) / HOUR]);
      return { calls: [], next_cursor: null, total: since > RESOLVED ? 0 : total };
    },
    breakdown: async (_by: string, { since = 0 }) => [
      { key: "Bash", ok: since > RESOLVED ? 10 : 30, failed: since > RESOLVED ? 0 : 10 },
      { key: "Read", ok: 500, failed: 5 },
    ],
  };
};
type Reader = Parameters<typeof resolutionEffect>[0];

it("the effect compares windows of equal length on both sides of the hour in which the error was resolved", async () => {
  const source = reader();
  const effect = await resolutionEffect(source as unknown as Reader, error(), RESOLVED + 5 * HOUR);
  expect(effect).toEqual({
    before: { since: "2026-03-10T07:00:00.000Z", until: "2026-03-10T12:00:00.000Z", failed: 2, ok: 38 },
    after: { since: "2026-03-10T13:00:00.000Z", until: "2026-03-10T18:00:00.000Z", failed: 0, ok: 10 },
  });
});

it("the effect looks at most two weeks back and ahead", async () => {
  const effect = await resolutionEffect(reader() as unknown as Reader, error(), RESOLVED + 1000 * HOUR);
  expect([effect?.before.since, effect?.after.until]).toEqual(["2026-02-24T12:00:00.000Z", "2026-03-24T13:00:00.000Z"]);
});

it("the effect is unknown for other states, in the hour of the change, and for errors that are too frequent to count", async () => {
  const at = async (row: FingerprintRow, now: number, total: number | null = 2): Promise<unknown> =>
    await resolutionEffect(reader(total) as unknown as Reader, row, now);
  const later = RESOLVED + 5 * HOUR;
  expect(await at(error({ state: "open", state_at: null }), later)).toBeNull();
  expect(await at(error({ state: "ignored" }), later)).toBeNull();
  expect(await at(error(), RESOLVED + HOUR / 4)).toBeNull();
  expect(await at(error(), later, null)).toBeNull();
  expect(await at(error({ state: "regressed" }), later)).not.toBeNull();
});
