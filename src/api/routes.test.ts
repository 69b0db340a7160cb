import { describe, expect, it } from "vitest";
import { createTestStore } from "../../test/support/test-store.ts";
import type { BreakdownRow, FingerprintRow, StoreReader, ToolModelRow } from "../store/port.ts";
import { trends } from "./overview.ts";
import { findRegressions } from "./regressions.ts";
import type { ApiOptions } from "./route.ts";
import { ROUTES } from "./routes.ts";

const NOW = Date.UTC(2026, 2, 10, 12, 30);
const HOUR = 3_600_000;
const STATUS = {
  ...{ version: "1.2.3", acknowledged: 1, applied: 1, dropped: 0, rejected: 0 },
  ...{ unapplied_bytes: 0, store_problem: null, journal_problem: null },
};
const options = {
  ...{ reader: createTestStore(), status: () => STATUS, now: () => NOW },
  guard: { status: () => ({ mode: "observe", overrides: [] }), upstreams: [], choose: () => undefined },
  secondChance: { status: () => ({ mode: "off", overrides: [] }), upstreams: [], choose: () => undefined },
  repair: { status: () => ({ mode: "known", overrides: [], suspended: [] }), upstreams: [], choose: () => undefined },
} as unknown as ApiOptions;

const reads = ROUTES.filter(({ method, path, response }) => method === "GET" && response && !path.endsWith("{id}"));
it.each(reads.map((route) => [route.path, route] as const))(
  "GET %s returns an object when nothing is recorded",
  async (_path, { handle }) => {
    const exchange = { query: new URLSearchParams("since=24h"), id: "" } as Parameters<typeof handle>[0];
    expect(JSON.stringify(await handle(exchange, options))).toMatch(/^\{/);
  },
);

describe("findRegressions", () => {
  const row = (key: string, ok: number, failed: number, excused = 0): BreakdownRow =>
    ({ key, ok, failed, excused, top_category: null }) as BreakdownRow;
  const found = (fingerprint: string, first: number): FingerprintRow =>
    ({ fingerprint, first_at: new Date(first).toISOString() }) as FingerprintRow;

  const ask = (
    now: readonly BreakdownRow[],
    before: readonly BreakdownRow[],
    firstDay = "2026-03-02",
  ): ReturnType<typeof findRegressions> =>
    findRegressions(
      {
        breakdown: async (by, { until }) => (by === "day" ? [row(firstDay, 1, 0)] : until === undefined ? now : before),
        fingerprints: async () => [found("old", NOW - 48 * HOUR), found("new", NOW - HOUR)],
      },
      { since: NOW - 24 * HOUR },
      NOW,
    );

  it("returns tools above their own baseline, by excess failures", async () => {
    const now = [row("steady", 90, 10), row("small", 5, 5), row("large", 50, 50), row("few", 1, 3)];
    const before = [row("steady", 900, 100), row("small", 95, 5), row("large", 95, 5), row("few", 900, 1)];
    const { tools } = await ask(now, before);
    expect(tools.map(({ tool, rate, baseline_rate }) => [tool, rate, baseline_rate])).toEqual([
      ["large", 0.5, 0.05],
      ["small", 0.5, 0.05],
    ]);
  });

  it("ignores changes explained by chance, refusals or a missing baseline", async () => {
    const now = [row("chance", 17, 3), row("refused", 50, 50, 50), row("first-day", 0, 50)];
    const { tools } = await ask(now, [row("chance", 90, 10), row("refused", 100, 0)]);
    expect(tools).toEqual([]);
  });

  it("returns new errors, unless nothing was recorded before", async () => {
    expect((await ask([], [row("any", 1, 0)])).fingerprints.map(({ fingerprint }) => fingerprint)).toEqual(["new"]);
    expect(await ask([], [])).toEqual({ compared: false, tools: [], fingerprints: [] });
    expect((await ask([], [row("any", 1, 0)])).compared).toBe(true);
  });

  it("calls no error of the first recorded day new", async () => {
    expect((await ask([], [row("any", 1, 0)], "2026-03-10")).fingerprints).toEqual([]);
    expect((await ask([], [row("any", 1, 0)], "2026-03-09")).fingerprints).toHaveLength(1);
  });
});

it("trends splits a range into 12 parts that end with the current hour", async () => {
  const queried: (readonly [number, number])[] = [];
  const reader: Pick<StoreReader, "toolModel"> = {
    async toolModel({ since = 0, until = 0 }) {
      queried.push([since, until]);
      const row = (tool: string, ok: number, failed: number) => ({ tool, ok, failed }) as ToolModelRow;
      return queried.length === 12 ? [row("Bash", 1, 1), row("Bash", 2, 0), row("__proto__", 0, 0)] : [];
    },
  };
  const { at, tools } = await trends(reader, { since: NOW - HOUR }, NOW);
  expect(at).toHaveLength(12);
  expect(queried.at(-1)).toEqual([NOW - 1.5 * HOUR, NOW + 0.5 * HOUR]);
  expect(Object.entries(tools)).toEqual([["Bash", [...new Array(11).fill(null), 0.25]]]);
});
