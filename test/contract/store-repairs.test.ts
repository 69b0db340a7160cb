import { expect, it } from "vitest";
import type { Observation } from "../../src/core/model/observation.ts";
import { apply, describeEveryStore, replay, store } from "../support/every-store.ts";
import {
  args,
  callObservation,
  FAILED,
  leakObservation,
  NOON,
  requestObservation,
  responseObservation,
  result,
  suspensionObservation,
  UNKNOWN,
} from "../support/observations.ts";

describeEveryStore("leaks in a store", () => {
  it("the store keeps, emits and counts one leak per response, format and reason", async () => {
    const both = [
      leakObservation({ model: "m", before: "<tool_call>…", after: [{ tool_name: "Bash", arguments: "{}" }] }),
      leakObservation({ result: "left", reason: "echo", parsed: 0, dropped: 0, occurred_at: NOON + 1 }),
    ];
    const first = await apply(...both);
    const second = await apply(...both);
    expect(first.leaks).toEqual([
      { model: "m", format: "hermes-json", result: "recovered", calls: 2 },
      { model: "", format: "hermes-json", result: "left", calls: 1 },
    ]);
    expect(second.leaks).toEqual([]);
    expect(await store.leaks({})).toMatchObject([
      { result: "left", reason: "echo", parsed: 0, model: null, before: null, after: [] },
      {
        result: "recovered",
        reason: null,
        parsed: 2,
        dropped: 1,
        repairs: ["cleaned-name"],
        tool_call_ids: ["toolu_1"],
        before: "<tool_call>…",
        after: [{ tool_name: "Bash", arguments: "{}" }],
      },
    ]);
    expect(await store.leaks({ since: NOON + 1 })).toHaveLength(1);
    expect(await store.leaks({ limit: 1 })).toHaveLength(1);
    expect(await store.leaks({ project: "other" })).toEqual([]);
    const events = (await store.events(0, 100)).map(({ line }) => JSON.parse(line));
    expect(events.map(({ type }) => type)).toEqual(["session_started", "leak_recovered", "leak_left"]);
    expect(events[1]).toMatchObject({
      format: "hermes-json",
      repairs: ["cleaned-name"],
      parsed: 2,
      dropped: 1,
      reason: null,
    });
    expect(await store.summary({})).toMatchObject({ calls: 0, requests: 0, sessions: 1 });
  });

  it("a session has its leaks and its failed exchanges, oldest first, and not those that the guard refused", async () => {
    const exchange = (request_id: string, at: number, fields: object): readonly Observation[] => [
      requestObservation({ request_id, occurred_at: NOON + at }),
      responseObservation({ request_id, occurred_at: NOON + at + 1, ...fields }),
    ];
    const stop = { action: "stop", notes: 0, is_new: true, run: 10, kind: "repeat", period: 1, tools: [] } as const;
    await apply(
      leakObservation({ result: "left", reason: "echo", occurred_at: NOON + 9 }),
      leakObservation({ occurred_at: NOON + 5, agent_id: "sub" }),
      leakObservation({ session_id: "s2" }),
      ...exchange("r3", 30, { http_status: 200, ended: "truncated" }),
      ...exchange("r2", 20, { http_status: 429 }),
      ...exchange("r4", 40, {}),
      ...exchange("r5", 50, { http_status: 0, ended: "upstream_error" }),
      ...exchange("r6", 60, { ended: "client_gone" }),
      requestObservation({ request_id: "r7", guard: stop }),
      responseObservation({ request_id: "r7", http_status: 400 }),
    );
    const detail = await store.sessionDetail("default", "s1");
    expect(detail?.leaks.map(({ agent_id, result }) => [agent_id, result])).toEqual([
      ["sub", "recovered"],
      ["root", "left"],
    ]);
    expect(detail?.failed_exchanges.map((row) => [row.request_id, row.http_status, row.ended])).toEqual([
      ["r2", 429, "complete"],
      ["r3", 200, "truncated"],
      ["r5", 0, "upstream_error"],
    ]);
  });

  it("leaks do not increment a counter when they are replayed", async () => {
    expect((await replay(leakObservation())).leaks).toEqual([]);
  });
});

describeEveryStore("rejections by upstreams", () => {
  it("the store keeps each one once, newest first, and emits an event", async () => {
    const suspensions = [
      suspensionObservation(),
      suspensionObservation({ request_id: "r2", occurred_at: NOON + 1, message: "no" }),
    ];
    await apply(...suspensions);
    await apply(...suspensions);
    expect(await store.suspensions({})).toMatchObject([
      { request_id: "r2", message: "no" },
      {
        project: "default",
        session_id: "s1",
        request_id: "r1",
        at: "2026-03-10T12:00:00.000Z",
        provider: "openai",
        model: "m",
        http_status: 400,
        message: "unknown id",
        tool_call_ids: ["call_1"],
      },
    ]);
    expect(await store.suspensions({ since: NOON + 1 })).toHaveLength(1);
    expect(await store.suspensions({ until: NOON + 1 })).toHaveLength(1);
    expect(await store.suspensions({ limit: 1 })).toHaveLength(1);
    expect(await store.suspensions({ project: "other" })).toEqual([]);
    const events = (await store.events(0, 10)).map(({ line }) => JSON.parse(line));
    expect(events.filter(({ type }) => type === "repair_suspended")).toMatchObject([
      { request_id: "r1", provider: "openai", model_name: "m", http_status: 400, message: "unknown id" },
      { request_id: "r2" },
    ]);
  });

  it("the store attributes them to repaired calls in a history of any length", async () => {
    await apply(
      callObservation({ tool_call_id: "call_ours", origin: "recovered" }),
      callObservation({ tool_call_id: "call_theirs", origin: "native" }),
      callObservation({ tool_call_id: "call_elsewhere", origin: "recovered", project: "other" }),
    );
    const others = Array.from({ length: 1200 }, (_, at) => `call_${at}`);
    const history = ["call_theirs", ...others, "call_ours", "call_elsewhere"];
    expect(await store.recoveredCalls("default", history)).toEqual(["call_ours"]);
    expect(await store.recoveredCalls("default", [])).toEqual([]);
  });
});

describeEveryStore("repaired calls that wait for a result in a store", () => {
  it("pending repaired calls are returned with complete arguments", async () => {
    const waiting = (id: string, fields: Partial<Parameters<typeof callObservation>[0]> = {}) =>
      callObservation({
        ...{ tool_call_id: id, origin: "recovered", api: "responses", name: "read" },
        place: { kind: "response", conversation: "c1", n: 0, response_id: `m-${id}` },
        arguments: { ...args('{"a":1}'), preview: '{"a":1}' },
        ...fields,
      });
    await apply(
      waiting("call_1"),
      waiting("call_2", { occurred_at: NOON + 5 }),
      waiting("call_cut", { arguments: { ...args('{"a":"long"}'), preview: '{"a":…' } }),
      waiting("call_textless", { arguments: args("{}") }),
      waiting("call_chat", { api: "chat" }),
      waiting("call_native", { origin: "native" }),
      waiting("call_done", { result: result("x") }),
    );
    expect(await store.pendingRepairedCalls(NOON, 10)).toEqual([
      { tool_call_id: "call_2", name: "read", arguments: '{"a":1}' },
      { tool_call_id: "call_1", name: "read", arguments: '{"a":1}' },
    ]);
    expect(await store.pendingRepairedCalls(NOON + 1, 10)).toHaveLength(1);
  });
});

describeEveryStore("outcomes of repaired calls", () => {
  const none = { calls: 0, ok: 0, failed: 0, unknown: 0, soft: 0, failure_rate: null, refused: 0, pending: 0 };

  it("the store counts them separately, with those the client refused or discarded", async () => {
    expect(await store.originOutcomes({})).toEqual([
      { origin: "native", ...none, discarded: 0 },
      { origin: "recovered", ...none, discarded: 0 },
    ]);
    const callOf = (id: string, origin: "native" | "recovered") =>
      callObservation({
        tool_call_id: id,
        origin,
        place: { kind: "response", conversation: "c1", n: 0, response_id: `m-${id}` },
      });
    const gated = { ...FAILED, phase: "call", category: "unknown_tool" } as const;
    await apply(
      callOf("ok1", "recovered"),
      callOf("bad1", "recovered"),
      callOf("gone1", "recovered"),
      callOf("own1", "native"),
    );
    await apply(
      requestObservation({ conversation: "c1", occurred_at: NOON + 10 }),
      callObservation({ tool_call_id: "ok1", result: result("a"), occurred_at: NOON + 10 }),
      callObservation({ tool_call_id: "bad1", result: result("b", gated), occurred_at: NOON + 10 }),
      callObservation({ tool_call_id: "own1", result: result("c", FAILED), occurred_at: NOON + 10 }),
      callObservation({ tool_call_id: "hook1", result: result("d", UNKNOWN), occurred_at: NOON + 10 }),
    );
    const native = { ...none, calls: 2, failed: 1, unknown: 1, failure_rate: 1 };
    const recovered = { ...none, calls: 2, ok: 1, failed: 1, failure_rate: 0.5, refused: 1 };
    expect(await store.originOutcomes({})).toEqual([
      { origin: "native", ...native, discarded: 0 },
      { origin: "recovered", ...recovered, discarded: 1 },
    ]);
    expect(await store.originOutcomes({ project: "other" })).toMatchObject([none, none]);
    expect(await store.originOutcomes({ since: NOON + 7_200_000 })).toMatchObject([none, none]);
  });

  it("outcomes of repaired calls change when the origin or the outcome becomes known later", async () => {
    await apply(callObservation({ tool_call_id: "late", result: result("a") }));
    expect(await store.originOutcomes({})).toMatchObject([{ calls: 1, ok: 1 }, { calls: 0 }]);
    const place = { kind: "response", conversation: "c1", n: 0, response_id: "m1" } as const;
    await apply(callObservation({ tool_call_id: "late", origin: "recovered", place }));
    expect(await store.originOutcomes({})).toMatchObject([
      { calls: 0, ok: 0 },
      { calls: 1, ok: 1 },
    ]);
  });
});
