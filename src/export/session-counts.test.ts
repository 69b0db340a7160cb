import { describe, expect, it } from "vitest";
import type { SessionQuery, SessionRow } from "../store/port.ts";
import { createSessionCounts } from "./prometheus.ts";

const DAY_MS = 86_400_000;

/** A store with `total` sessions, every third of them unhealthy. */
function reader(total: number) {
  const queries: SessionQuery[] = [];
  return {
    queries,
    sessions: async (query: SessionQuery): Promise<readonly SessionRow[]> => {
      queries.push(query);
      const left = Math.max(0, Math.min(query.limit ?? 0, total - (query.offset ?? 0)));
      return Array.from({ length: left }, (_, at) => ({
        health: ((query.offset ?? 0) + at) % 3 === 0 ? "unhealthy" : "healthy",
      })) as SessionRow[];
    },
  };
}

describe("createSessionCounts", () => {
  it("counts all sessions of the last day, with a zero for missing healths", async () => {
    const store = reader(1200);
    expect(await createSessionCounts(store, () => DAY_MS + 5)()).toEqual({
      ...{ healthy: 800, degraded: 0, unhealthy: 400, insufficient: 0 },
    });
    expect(store.queries.map(({ since, offset }) => [since, offset])).toEqual([
      [5, 0],
      [5, 500],
      [5, 1000],
    ]);
  });

  it("caches counts for 10 seconds, but not a failure", async () => {
    let time = DAY_MS;
    const store = reader(1);
    const counts = createSessionCounts(store, () => time);
    await counts();
    time += 9999;
    await counts();
    expect(store.queries).toHaveLength(1);
    time += 1;
    await counts();
    expect(store.queries).toHaveLength(2);
    let fails = true;
    const flaky = createSessionCounts(
      { sessions: async (query) => (fails ? Promise.reject(new Error("locked")) : store.sessions(query)) },
      () => time,
    );
    await expect(flaky()).rejects.toThrow("locked");
    fails = false;
    expect(await flaky()).toMatchObject({ unhealthy: 1 });
  });
});
