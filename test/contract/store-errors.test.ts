import { expect, it } from "vitest";
import { rankRows } from "../../src/api/ranked-row.ts";
import type { CallObservation } from "../../src/core/model/observation.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, FAILED, NOON, result } from "../support/observations.ts";

const DAY = 86_400_000;

/** A failure with a fingerprint, some days after noon. */
const failure = (fingerprint: string, days: number, fields: Partial<CallObservation> = {}): CallObservation => {
  const at = NOON + days * DAY;
  return callObservation({
    ...{
      tool_call_id: `toolu_${fingerprint}_${days}`,
      session_id: `s_${fingerprint}_${days}`,
      occurred_at: at,
      seen_at: at,
    },
    result: result(`${fingerprint} ${days}`, {
      ...FAILED,
      fingerprint,
      excerpt: `Exit code 1\n${fingerprint}: broken`,
    }),
    ...fields,
  });
};

const states = async (): Promise<object> =>
  Object.fromEntries((await store.fingerprints({})).map(({ fingerprint, state }) => [fingerprint, state]));

describeEveryStore("errors in a store", () => {
  it("errors are open until a user resolves or ignores them", async () => {
    await apply(failure("f1", 0), failure("f2", 0), failure("f3", 0));
    expect(await store.setErrorState("default", "f1", "resolved", NOON + DAY)).toBe(true);
    expect(await store.setErrorState("default", "f2", "ignored", NOON + DAY)).toBe(true);
    expect(await states()).toEqual({ f1: "resolved", f2: "ignored", f3: "open" });
    await store.setErrorState("default", "f2", "open", NOON + 2 * DAY);
    expect(await states()).toEqual({ f1: "resolved", f2: "open", f3: "open" });
    expect(await store.setErrorState("default", "never", "resolved", NOON)).toBe(false);
    expect(await store.setErrorState("other", "f1", "open", NOON)).toBe(false);
  });

  it("resolved errors that occur again are regressed and listed first, ignored ones are not", async () => {
    await apply(failure("f1", 0), failure("f2", 0), failure("f3", 0), failure("f3", 1), failure("f3", 2));
    await store.setErrorState("default", "f1", "resolved", NOON + DAY);
    await store.setErrorState("default", "f2", "ignored", NOON + DAY);
    await apply(failure("f1", 2), failure("f2", 2));
    const rows = await store.fingerprints({});
    expect(rows.map(({ fingerprint, state, count }) => [fingerprint, state, count])).toEqual([
      ["f1", "regressed", 2],
      ["f3", "open", 3],
      ["f2", "ignored", 2],
    ]);
    await store.setErrorState("default", "f1", "resolved", NOON + 3 * DAY);
    expect(await states()).toMatchObject({ f1: "resolved" });
  });

  it("of equally frequent errors, refused and cancelled calls come last", async () => {
    const refusal = { status: "failed", phase: "gate", category: "permission_denied" } as const;
    const refused = (fingerprint: string, days: number, outcome: object = refusal): CallObservation =>
      failure(fingerprint, days, { result: result(fingerprint, { ...FAILED, ...outcome, fingerprint }) });
    await apply(
      ...[refused("a1", 0), refused("a2", 0, { category: "cancelled" }), failure("f3", 0), failure("f4", 0)],
      ...[refused("a5", 0), refused("a5", 1), failure("f6", 0), failure("f6", 1)],
    );
    const listed = async (limit: number): Promise<readonly string[]> =>
      (await store.fingerprints({ limit })).map(({ fingerprint }) => fingerprint);
    expect(await listed(9)).toEqual(["f6", "a5", "f3", "f4", "a1", "a2"]);
    expect(await listed(3)).toEqual(["f6", "a5", "f3"]);
  });

  it("of equally frequent categories, refused and cancelled calls come last", async () => {
    const cancelled = { ...FAILED, category: "cancelled" } as const;
    await apply(failure("f1", 0), failure("f2", 0, { result: result("x", cancelled) }));
    const rows = rankRows("category", await store.breakdown("category", {}));
    expect(rows.map(({ key, failed }) => [key, failed])).toEqual([
      ["exit_code", 1],
      ["cancelled", 1],
    ]);
  });

  it("errors have days and clients", async () => {
    await apply(
      failure("f1", 0, { client: "codex", client_version: "1.0" }),
      failure("f1", 3, { client: "codex", client_version: "1.0" }),
      failure("f1", 3.1, { client: "codex", client_version: "1.1" }),
    );
    const start = NOON - (NOON % DAY);
    expect(await store.error("default", "f1")).toMatchObject({
      error: { fingerprint: "f1", count: 3, state: "open", state_at: null },
      days: [
        { at: start, count: 1 },
        { at: start + 3 * DAY, count: 2 },
      ],
      clients: [
        { client: "codex", client_version: "1.0", count: 2 },
        { client: "codex", client_version: "1.1", count: 1 },
      ],
    });
    expect(await store.error("default", "never")).toBeUndefined();
  });

  it("errors lose their state with their last occurrence", async () => {
    await apply(failure("f1", 0));
    await store.setErrorState("default", "f1", "ignored", NOON + DAY);
    await store.deleteSession("default", "s_f1_0", NOON + DAY);
    expect(await store.error("default", "f1")).toBeUndefined();
    await apply(failure("f1", 5, { session_id: "new" }));
    expect(await states()).toEqual({ f1: "open" });
  });
});
