import { expect, it } from "vitest";
import type { CallObservation } from "../../src/core/model/observation.ts";
import type { Store } from "../../src/store/port.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { FAILED, NOON, OK, settledCall } from "../support/observations.ts";

describeEveryStore("queries to a store", () => {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  it("sessions are filtered by any of their calls, and sorted", async () => {
    const timeout = { ...FAILED, category: "timeout" as const, severity: 0.75 };
    await apply(
      settledCall(0, "Bash", FAILED, { session_id: "s1", model: "big" }),
      settledCall(1, "Read", timeout, { session_id: "s1", model: "small" }),
      settledCall(2, "Bash", OK, { session_id: "s2", model: "big" }),
      ...[3, 4, 5].map((n) => settledCall(n, "Edit", timeout, { session_id: "s3" })),
    );
    const found = async (query: Parameters<Store["sessions"]>[0]): Promise<readonly string[]> =>
      (await store.sessions(query)).map(({ session_id }) => session_id);
    expect(await found({})).toEqual(["s3", "s2", "s1"]);
    expect(await found({ sort: "severity" })).toEqual(["s1", "s3", "s2"]);
    expect(await found({ sort: "failures" })).toEqual(["s3", "s1", "s2"]);
    expect(await found({ sort: "unrecovered", limit: 1, offset: 1 })).toEqual(["s1"]);
    expect(await found({ health: "unhealthy" })).toEqual(["s3"]);
    expect(await found({ category: "timeout" })).toEqual(["s3", "s1"]);
    expect(await found({ category: "timeout", tool: "Bash", model: "big" })).toEqual(["s1"]);
    expect(await found({ severity: { is: ">", value: 0.75 } })).toEqual(["s1"]);
    expect(await found({ severity: { is: ">=", value: 0.75 } })).toEqual(["s3", "s1"]);
    expect(await found({ severity: { is: "<", value: 0.8 } })).toEqual(["s3", "s1"]);
    expect(await found({ severity: { is: "=", value: 0.8 } })).toEqual(["s1"]);
    expect(await found({ text: "sma" })).toEqual(["s1"]);
    expect(await found({ text: "S3" })).toEqual(["s3"]);
    expect(await found({ text: "%" })).toEqual([]);
    expect(await found({ rate_health: "insufficient", health: "healthy" })).toEqual(["s2"]);
  });

  it("totals add up whole days and the hours at both ends of a range", async () => {
    const at = (ms: number, n: number): CallObservation => settledCall(n, "Bash", FAILED, { occurred_at: ms });
    const midnight = NOON - 12 * HOUR;
    await apply(...[-1, 0, 1, DAY, 2 * DAY, 2 * DAY + 3 * HOUR].map((ms, n) => at(midnight + ms, n)));
    const failed = async (since?: number, until?: number): Promise<number> =>
      (await store.summary({ ...(since !== undefined && { since }), ...(until !== undefined && { until }) })).failed;
    expect(await failed()).toBe(6);
    expect(await failed(midnight)).toBe(5);
    expect(await failed(midnight - HOUR)).toBe(6);
    expect(await failed(midnight, midnight + 2 * DAY)).toBe(3);
    expect(await failed(midnight + 1, midnight + 2 * DAY + HOUR)).toBe(4);
    expect(await failed(midnight + HOUR, midnight + DAY)).toBe(0);
    expect((await store.breakdown("day", {})).map(({ key, failed: n }) => [key, n])).toEqual([
      ["2026-03-10", 2],
      ["2026-03-12", 2],
      ["2026-03-09", 1],
      ["2026-03-11", 1],
    ]);
    expect((await store.series({ step: "day" })).map(({ at: day, categories }) => [day, categories])).toEqual([
      [midnight - DAY, { exit_code: 1 }],
      [midnight, { exit_code: 2 }],
      [midnight + DAY, { exit_code: 1 }],
      [midnight + 2 * DAY, { exit_code: 2 }],
    ]);
    expect((await store.series({ step: "hour", since: midnight + 2 * DAY })).map(({ at: hour }) => hour)).toEqual([
      midnight + 2 * DAY,
      midnight + 2 * DAY + 3 * HOUR,
    ]);
  });

  it("rankings have phases, the previous window and slow durations", async () => {
    const gate = { ...FAILED, phase: "gate" as const, category: "permission_denied" as const };
    await apply(
      settledCall(0, "Bash", FAILED, { occurred_at: NOON - 2 * HOUR, execution_time_ms: 99_000 }),
      settledCall(1, "Bash", FAILED, { occurred_at: NOON, execution_time_ms: 100 }),
      settledCall(2, "Bash", gate, { occurred_at: NOON, execution_time_ms: 1000 }),
      settledCall(3, "Read", OK, { occurred_at: NOON }),
    );
    const [bash, read] = await store.breakdown("tool", { since: NOON, until: NOON + 2 * HOUR, previous: true });
    expect(bash).toMatchObject({ key: "Bash", failed: 2, excused: 1, phases: { call: 0, gate: 1, run: 1 } });
    expect(bash?.previous).toMatchObject({ calls: 1, failed: 1 });
    expect(bash?.p95_ms).toBeGreaterThan(900);
    expect(bash?.p95_ms).toBeLessThan(1100);
    expect(read).toMatchObject({ key: "Read", p95_ms: null, previous: { calls: 0 } });
    expect(await store.breakdown("category", { tool: "Bash", phase: "gate" })).toMatchObject([
      { key: "permission_denied", failed: 1 },
    ]);
  });

  it("totals are grouped by tool and model", async () => {
    await apply(
      settledCall(0, "Bash", FAILED, { model: "big" }),
      settledCall(1, "Bash", OK, { model: "big" }),
      settledCall(2, "Bash", OK, { model: "small" }),
      settledCall(3, "Read", OK),
    );
    expect(
      (await store.toolModel({})).map(({ tool, model, calls, failure_rate, top_category }) => [
        tool,
        model,
        calls,
        failure_rate,
        top_category,
      ]),
    ).toEqual([
      ["Bash", "big", 2, 0.5, "exit_code"],
      ["Bash", "small", 1, 0, null],
      ["Read", "unknown", 1, 0, null],
    ]);
  });

  it("the same failure is grouped across sessions, with first and last time and a sample", async () => {
    const same = (excerpt: string): typeof FAILED => ({ ...FAILED, fingerprint: "f1", excerpt });
    await apply(settledCall(1, "Bash", same("second"), { session_id: "s2", model: "m" }));
    await apply(settledCall(0, "Read", same("first")), settledCall(2, "Bash", { ...FAILED, fingerprint: "f2" }));
    expect(await store.fingerprints({})).toEqual([
      {
        project: "default",
        fingerprint: "f1",
        category: "exit_code",
        count: 2,
        first_at: "2026-03-10T12:00:00.000Z",
        last_at: "2026-03-10T12:00:01.000Z",
        sample: "first",
        tools: { Bash: 1, Read: 1 },
        models: { m: 1, unknown: 1 },
        state: "open",
        state_at: null,
      },
      expect.objectContaining({ fingerprint: "f2", count: 1, sample: "" }),
    ]);
    expect(await store.fingerprints({ tool: "Read" })).toMatchObject([{ fingerprint: "f1", count: 2 }]);
    expect(await store.fingerprints({ tool: "Read", model: "gone" })).toEqual([]);
    expect(await store.fingerprints({ since: NOON + HOUR })).toEqual([]);
    await expect(store.fingerprints({ provider: "openai" })).rejects.toThrow("cannot be filtered by provider");
    await expect(store.breakdown("workflow", { model: "m" })).rejects.toThrow("cannot be filtered by model");
  });
});
