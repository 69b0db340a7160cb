import { describe, expect, it } from "vitest";
import type { SessionQuery, SessionRow } from "../store/port.ts";
import { createSessionCounts } from "./session-counts.ts";

const DAY_MS = 86_400_000;

/** A store of so many sessions, every third of them unhealthy. */
function reader(total: number) {
  const asked: SessionQuery[] = [];
  return {
    asked,
    sessions: async (query: SessionQuery): Promise<readonly SessionRow[]> => {
      asked.push(query);
      const left = Math.max(0, Math.min(query.limit ?? 0, total - (query.offset ?? 0)));
      return Array.from({ length: left }, (_, at) => ({
        health: ((query.offset ?? 0) + at) % 3 === 0 ? "unhealthy" : "healthy",
      })) as SessionRow[];
    },
  };
}

describe("counts of sessions by health", () => {
  it("are of the last day, all of them, with a zero where there is none", async () => {
    const store = reader(1200);
    expect(await createSessionCounts(store, () => DAY_MS + 5)()).toEqual({
      ...{ healthy: 800, degraded: 0, unhealthy: 400, insufficient: 0 },
    });
    expect(store.asked.map(({ since, offset }) => [since, offset])).toEqual([
      [5, 0],
      [5, 500],
      [5, 1000],
    ]);
  });

  it("are kept for ten seconds, and asked for again after a failure", async () => {
    let time = DAY_MS;
    const store = reader(1);
    const counts = createSessionCounts(store, () => time);
    await counts();
    time += 9999;
    await counts();
    expect(store.asked).toHaveLength(1);
    time += 1;
    await counts();
    expect(store.asked).toHaveLength(2);
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
