import { expect, it } from "vitest";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import {
  args,
  callObservation,
  NOON,
  requestObservation,
  responseObservation,
  result,
} from "../support/observations.ts";

describeEveryStore("a stored response that requests continue from", () => {
  const place = (n: number, response_id: string) => ({ kind: "response", conversation: "c1", n, response_id }) as const;
  const held = { answer_key: "k1", conversation_key: "v1" };

  it("a lookup by its key returns its thread, its calls and its counts", async () => {
    await apply(
      requestObservation({ conversation: "c1", agent_id: "helper" }),
      responseObservation({
        agent_id: "helper",
        occurred_at: NOON + 5,
        tool_call_ids: ["call_0", "call_abcdefgh1"],
        stored_response: {
          ...held,
          counts: { call_0: 2 },
          prompt_position: { count: 3, prompt: "2-abc", workflow: "docs" },
        },
      }),
      callObservation({
        agent_id: "helper",
        request_id: "r0",
        tool_call_id: "call_0",
        name: "list",
        place: place(0, "m0"),
      }),
      callObservation({
        ...{ agent_id: "helper", request_id: "r1", tool_call_id: "call_0", name: "read", place: place(1, "m1") },
        arguments: { ...args('{"a":1}'), preview: '{"a":1}' },
      }),
      callObservation({
        agent_id: "helper",
        request_id: "r1",
        tool_call_id: "call_abcdefgh1",
        place: place(0, "m1"),
      }),
    );
    const found = {
      session_id: "s1",
      agent_id: "helper",
      conversation: "c1",
      ended_at: NOON + 5,
      calls: [
        { id: "call_0", name: "read", arguments: '{"a":1}' },
        { id: "call_abcdefgh1", name: "Bash" },
      ],
      counts: { call_0: 2 },
      prompt_position: { count: 3, prompt: "2-abc", workflow: "docs" },
    };
    expect(await store.threadOfResponse({ project: "default", kind: "answer", key: "k1" })).toEqual(found);
    expect(await store.threadOfResponse({ project: "default", kind: "conversation", key: "v1" })).toEqual(found);
    expect(await store.threadOfResponse({ project: "default", kind: "answer", key: "v1" })).toBeUndefined();
    expect(await store.threadOfResponse({ project: "other", kind: "answer", key: "k1" })).toBeUndefined();
  });

  it("a lookup by conversation returns the latest, in any order of arrival", async () => {
    const exchange = (request_id: string, occurred_at: number, session_id: string) => [
      requestObservation({ request_id, session_id, conversation: request_id }),
      responseObservation({ request_id, session_id, occurred_at, stored_response: { conversation_key: "v1" } }),
    ];
    await apply(...exchange("r2", NOON + 20, "s2"), ...exchange("r1", NOON + 10, "s1"));
    const found = await store.threadOfResponse({ project: "default", kind: "conversation", key: "v1" });
    expect(found).toMatchObject({ session_id: "s2", conversation: "r2", calls: [] });
  });

  it("a lookup finds nothing while half of its exchange is missing, and after its session is deleted", async () => {
    const key = { project: "default", kind: "answer", key: "k1" } as const;
    await apply(responseObservation({ stored_response: held }));
    expect(await store.threadOfResponse(key)).toBeUndefined();
    await apply(requestObservation({ conversation: "c1" }));
    expect(await store.threadOfResponse(key)).toMatchObject({ session_id: "s1" });
    await store.deleteSession("default", "s1", NOON);
    expect(await store.threadOfResponse(key)).toBeUndefined();
  });

  it("a lookup returns the origin of its calls: native, or repaired with the original arguments", async () => {
    const callOf = (id: string, fields: Partial<Parameters<typeof callObservation>[0]> = {}) =>
      callObservation({
        ...{ tool_call_id: id, origin: "recovered", api: "responses", name: "read", place: place(0, `m-${id}`) },
        arguments: { ...args('{"a":1}'), preview: '{"a":1}' },
        ...fields,
      });
    await apply(
      callOf("call_mended"),
      callOf("call_answered", { result: result("x") }),
      callOf("call_native", { origin: "native" }),
      callOf("call_cut", { arguments: args("{}") }),
      callOf("call_elsewhere", { project: "other" }),
      callObservation({ tool_call_id: "call_result_only", result: result("y") }),
    );
    const repaired = { name: "read", arguments: '{"a":1}' };
    const ids = ["call_mended", "call_answered", "call_native", "call_cut", "call_elsewhere", "call_result_only"];
    const found = [...(await store.callOrigins("default", ids))];
    expect(found.sort((a, b) => (a.tool_call_id < b.tool_call_id ? -1 : 1))).toEqual([
      { tool_call_id: "call_answered", mended: repaired },
      { tool_call_id: "call_cut" },
      { tool_call_id: "call_mended", mended: repaired },
      { tool_call_id: "call_native" },
    ]);
    expect(await store.callOrigins("default", [])).toEqual([]);
  });
});
