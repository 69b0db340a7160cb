import { expect, it } from "vitest";
import type { CallObservation } from "../../src/core/model/observation.ts";
import type { CallQuery } from "../../src/store/port.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, FAILED, NOON, OK, requestObservation, result, UNKNOWN } from "../support/observations.ts";
import { troubledSession } from "../support/troubled-session.ts";

const HOUR = 3_600_000;

/** The call with this number, a minute after the preceding one. */
const call = (n: number, fields: Partial<CallObservation> = {}): CallObservation =>
  callObservation({
    ...{ tool_call_id: `toolu_${String(n).padStart(12, "0")}`, session_id: `s${n % 3}` },
    ...{ occurred_at: NOON + n * 60_000, seen_at: NOON + n * 60_000, result: result(`r${n}`, OK) },
    ...fields,
  });

const ids = async (query: CallQuery): Promise<readonly number[]> =>
  (await store.calls(query)).calls.map(({ tool_call_id }) => Number(tool_call_id.slice(6)));

describeEveryStore("the list of calls", () => {
  it("the list contains the newest results first, each with its project and session", async () => {
    await apply(call(1), call(2, { project: "other" }), call(3));
    const { calls, next_cursor, total } = await store.calls({});
    expect(
      calls.map(({ project, session_id, tool_call_id, status }) => [project, session_id, tool_call_id, status]),
    ).toEqual([
      ["default", "s0", "toolu_000000000003", "ok"],
      ["other", "s2", "toolu_000000000002", "ok"],
      ["default", "s1", "toolu_000000000001", "ok"],
    ]);
    expect([next_cursor, total]).toEqual([null, 3]);
    expect(await ids({ sort: "oldest" })).toEqual([1, 2, 3]);
  });

  it("the list continues behind a cursor without gaps or repetitions, also between calls of the same time", async () => {
    await apply(...Array.from({ length: 25 }, (_, n) => call(n, { occurred_at: NOON + Math.floor(n / 10) })));
    for (const sort of ["recent", "oldest", "slowest", "severity"] as const) {
      const found: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.calls({ sort, limit: 7, ...(cursor !== undefined && { cursor }) });
        found.push(...page.calls.map(({ tool_call_id }) => Number(tool_call_id.slice(6))));
        expect(page.total).toBe(25);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      expect(found).toHaveLength(25);
      expect(new Set(found).size).toBe(25);
    }
  });

  it("the list contains the calls of all tools of an MCP server, with a cursor and the number of all of them", async () => {
    await apply(
      call(1, { name: "mcp__docs__read" }),
      call(2, { name: "mcp__docs__search", result: result("r2", FAILED) }),
      call(3, { name: "mcp__docs_old__read" }),
      call(4, { name: "Read" }),
      call(5, { name: "mcp__docs__read", project: "other" }),
    );
    expect(await ids({ server: "docs" })).toEqual([5, 2, 1]);
    expect(await ids({ server: "docs", status: ["failed"] })).toEqual([2]);
    expect(await ids({ server: "docs", project: "other", since: NOON })).toEqual([5]);
    expect(await ids({ server: "docs%" })).toEqual([]);
    const first = await store.calls({ server: "docs", limit: 2 });
    expect(first.total).toBe(3);
    expect(await ids({ server: "docs", limit: 2, cursor: first.next_cursor as string })).toEqual([1]);
  });

  it("the list rejects a cursor of another sort and a cursor that it did not create", async () => {
    await apply(call(1), call(2));
    const { next_cursor } = await store.calls({ limit: 1 });
    expect(next_cursor).not.toBeNull();
    for (const cursor of ["x", "WzFd", next_cursor as string])
      await expect(store.calls({ sort: "oldest", cursor })).rejects.toThrow("cursor is not the next_cursor of a page");
  });

  it("the list is filtered by every field, and by all fields together", async () => {
    const failed = {
      ...FAILED,
      fingerprint: "f1",
      status_message: "[EXIT_CODE] make: 100% broken",
      excerpt: 'say "no"',
    };
    await apply(
      call(1, { name: "Read", model: "m1", provider: "p1", client: "c1" }),
      call(2, { name: "Bash", model: "m2", client: "c2", result: result("r2", failed), execution_time_ms: 50 }),
      call(3, { name: "Bash", origin: "recovered", format: "hermes", execution_time_ms: 900, workflow: "docs" }),
      call(4, { name: "Bash", result: result("r4", UNKNOWN), project: "other" }),
      call(5, { name: "Bash", result: result("r5", { ...OK, soft: true, category: "exit_code" }) }),
      call(6, { name: "Edit", result: result("r6", { ...FAILED, phase: "gate", category: "permission_denied" }) }),
    );
    const expected: readonly (readonly [CallQuery, readonly number[]])[] = [
      [{ tool: "Bash" }, [5, 4, 3, 2]],
      [{ model: "m1" }, [1]],
      [{ model: "unknown" }, [6, 5, 4, 3]],
      [{ model: "m9" }, []],
      [{ provider: "p1" }, [1]],
      [{ client: "c2" }, [2]],
      [{ project: "other" }, [4]],
      [{ session: "s0" }, [6, 3]],
      [{ session: "s0", project: "default", tool: "Edit" }, [6]],
      [{ status: ["failed"] }, [6, 2]],
      [{ status: ["ok", "failed"] }, [6, 5, 3, 2, 1]],
      [{ status: ["unknown"] }, [4]],
      [{ category: ["exit_code"] }, [2]],
      [{ category: ["exit_code", "permission_denied"] }, [6, 2]],
      [{ category: ["exit_code"], status: ["ok"] }, []],
      [{ phase: "gate" }, [6]],
      [{ fingerprint: "f1" }, [2]],
      [{ origin: "recovered" }, [3]],
      [{ origin: "native", tool: "Bash" }, [5, 4, 2]],
      [{ repaired: true }, [3]],
      [{ repaired: false, status: ["ok"] }, [5, 1]],
      [{ soft: true }, [5]],
      [{ soft: false, tool: "Bash" }, [4, 3, 2]],
      [{ workflow: "docs" }, [3]],
      [{ link: "unrecovered" }, [2]],
      [{ since: NOON + 4 * 60_000 }, [6, 5, 4, 3, 2, 1]],
      [{ since: NOON + HOUR }, []],
      [{ until: NOON }, []],
      [{ until: NOON + 1 }, [6, 5, 4, 3, 2, 1]],
      [{ text: "BROKEN" }, [2]],
      [{ text: "100%" }, [2]],
      [{ text: "1%0" }, []],
      [{ text: 'say "no"' }, [2]],
      [{ text: "toolu_000000000006" }, [6]],
      [{ text: "rea" }, [1]],
      [{ sort: "slowest", tool: "Bash", limit: 2 }, [3, 2]],
      [{ sort: "severity", status: ["failed"], category: ["exit_code"] }, [2]],
      [{ tool: "Bash", status: ["failed"], model: "m2", client: "c2", session: "s2", category: ["exit_code"] }, [2]],
    ];
    for (const [query, numbers] of expected) expect([query, await ids(query)]).toEqual([query, numbers]);
  });

  it("the list contains pending and discarded calls only if requested, by the time of the call", async () => {
    const made = { kind: "response", conversation: "c1", n: 0, response_id: "m1" } as const;
    const { result: _1, ...waiting } = call(2);
    const { result: _2, ...thrown } = call(3, { place: made, session_id: "gone" });
    await apply(
      ...[call(1), waiting, thrown],
      requestObservation({ session_id: "gone", conversation: "c1", occurred_at: NOON + HOUR, request_id: "later" }),
    );
    const summary = await store.summary({});
    expect([summary.calls, summary.pending, summary.discarded]).toEqual([1, 1, 1]);
    expect(await ids({})).toEqual([1]);
    expect(await ids({ status: ["pending"] })).toEqual([2]);
    expect(await ids({ status: ["discarded"] })).toEqual([3]);
    expect(await ids({ status: ["ok", "pending", "discarded"] })).toEqual([3, 2, 1]);
    expect(await ids({ status: ["ok", "pending", "discarded"], sort: "oldest" })).toEqual([1, 2, 3]);
    expect(await ids({ status: ["pending"], since: NOON + 3 * 60_000 })).toEqual([]);
  });

  it("the list contains as many calls as every total counts", async () => {
    const outcomes = [OK, FAILED, UNKNOWN, { ...FAILED, category: "timeout", phase: "gate" } as const, OK, OK];
    await apply(
      ...troubledSession(),
      ...Array.from({ length: 60 }, (_, n) =>
        call(n * 37, {
          ...{ name: `tool_${n % 4}`, ...(n % 5 > 0 && { model: `m${n % 5}`, provider: `p${n % 2}` }) },
          result: result(`r${n}`, outcomes[(n * 7) % 6]),
        }),
      ),
    );
    const range = { since: NOON + 5.5 * HOUR, until: NOON + 30.2 * HOUR };
    const counted = async (query: CallQuery): Promise<number | null> =>
      (await store.calls({ ...query, limit: 1 })).total;
    for (const span of [{}, range]) {
      const summary = await store.summary(span);
      expect([
        await counted(span),
        await counted({ ...span, status: ["failed"] }),
        ...[await counted({ ...span, link: "retry" }), await counted({ ...span, link: "follow_on" })],
        ...[await counted({ ...span, link: "recovered" }), await counted({ ...span, link: "unrecovered" })],
      ]).toEqual([
        ...[summary.calls, summary.failed, summary.retries, summary.follow_on, summary.recovered, summary.unrecovered],
      ]);
      for (const by of ["tool", "model", "provider", "phase"] as const) {
        const rows = await store.breakdown(by, span);
        expect(rows.length).toBeGreaterThan(1);
        for (const { key, calls } of rows)
          expect([by, key, await counted({ ...span, [by]: key })]).toEqual([by, key, calls]);
      }
      const hours = await store.series({ ...span, step: "hour" });
      expect(hours.some(({ categories }) => Object.keys(categories).length > 0)).toBe(true);
      for (const { at, calls, categories } of hours) {
        expect(await counted({ since: at, until: at + HOUR })).toBe(calls);
        for (const [name, failures] of Object.entries(categories))
          expect(await counted({ since: at, until: at + HOUR, category: [name] })).toBe(failures);
      }
      const pairs = await store.toolModel(span);
      expect(pairs.length).toBeGreaterThan(1);
      for (const { tool, model, calls } of pairs) expect(await counted({ ...span, tool, model })).toBe(calls);
    }
  });
});
