import { describe, expect, it } from "vitest";
import { createTestStore } from "../../test/support/test-store.ts";
import type { BreakdownRow, FingerprintRow, StoreReader, ToolModelRow } from "../store/port.ts";
import { openApi } from "./openapi.ts";
import { trends } from "./overview.ts";
import { sessionQuery } from "./parameters.ts";
import { readRoutes, sessionRoute } from "./read-routes.ts";
import { findRegressions } from "./regressions.ts";

const NOW = Date.UTC(2026, 2, 10, 12, 30);
const HOUR = 3_600_000;
const STATUS = {
  ...{ version: "1.2.3", acknowledged: 1, applied: 1, dropped: 0, rejected: 0 },
  ...{ unapplied_bytes: 0, store_problem: null, journal_problem: null },
};
const routes = readRoutes({ reader: createTestStore(), status: () => STATUS, now: () => NOW });

describe("/api/openapi.json", () => {
  const described = Object.entries(openApi.paths)
    .filter(([, methods]) => "get" in methods)
    .map(([path]) => `GET ${path}`);

  it("describes every read route", () => {
    expect(described).toEqual(expect.arrayContaining(Object.keys(routes)));
  });

  it("describes no read route that does not exist", () => {
    const elsewhere = ["GET /api/sessions/{id}", "GET /api/repair", "GET /api/live", "GET /api/export"];
    expect(described.filter((path) => !Object.hasOwn(routes, path))).toEqual(elsewhere);
  });
});

it.each(Object.keys(routes))("%s returns an object when nothing is recorded", async (route) => {
  const response = await routes[route]?.(new URLSearchParams("since=24h"));
  expect(JSON.stringify(response)).toMatch(/^\{/);
});

it("an unknown session returns 404", async () => {
  const ask = sessionRoute("GET", "/api/sessions/no%2Fsuch", createTestStore());
  await expect(ask?.(new URLSearchParams())).rejects.toMatchObject({ status: 404 });
  expect(sessionRoute("GET", "/api/sessions/", createTestStore())).toBeUndefined();
});

describe("sessionQuery", () => {
  const read = (text: string): unknown => sessionQuery(new URLSearchParams(text), NOW);

  it("combines filters, and treats a severity without operator as a minimum", () => {
    expect(read("rate_health=unhealthy&category=timeout&severity=0.7&tool=Bash&text=x&sort=failures")).toEqual({
      ...{ rate_health: "unhealthy", category: "timeout", severity: { is: ">=", value: 0.7 }, tool: "Bash" },
      ...{ text: "x", sort: "failures", limit: 100, offset: 0 },
    });
  });

  it.each(["health=fine", "severity=much", "severity=>>1", "sort=age", "offset=-1", `text=${"x".repeat(501)}`])(
    "names the invalid filter: %s",
    (text) => {
      expect(() => read(text)).toThrow(new RegExp(`^${text.split("=", 1)[0]} must`));
    },
  );
});

describe("findRegressions", () => {
  const row = (key: string, ok: number, failed: number, excused = 0): BreakdownRow =>
    ({ key, ok, failed, excused, top_category: null }) as BreakdownRow;
  const found = (fingerprint: string, first: number): FingerprintRow =>
    ({ fingerprint, first_at: new Date(first).toISOString() }) as FingerprintRow;

  const ask = (now: readonly BreakdownRow[], before: readonly BreakdownRow[]): ReturnType<typeof findRegressions> =>
    findRegressions(
      {
        breakdown: async (_by, { until }) => (until === undefined ? now : before),
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
