import { expect, it } from "vitest";
import type { Observation } from "../../src/core/model/observation.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, FAILED, NOON, responseObservation, result, UNKNOWN } from "../support/observations.ts";

const ID = "call_7kPq2ZxW9mRt4VbN8sLc3HdY";
const PROXY = { session_id: "derived", client: "continue", provider: "openai", model: "m" } as const;
const TRANSCRIPT = { session_id: "own", client: "continue", source: "transcript", live: false } as const;

const RECORDED: readonly Observation[] = [
  callObservation({
    ...{ ...PROXY, tool_call_id: ID, result: result("out", UNKNOWN), occurred_at: NOON + 10 },
    place: { kind: "history", conversation: "c", n: 0 },
  }),
  responseObservation({ ...PROXY, turn: ID, usage: { input_tokens: 70, output_tokens: 7 } }),
];
const WRITTEN: readonly Observation[] = [
  callObservation({
    ...{ ...TRANSCRIPT, tool_call_id: ID, place: { kind: "exact", n: 0 }, result: result("out", FAILED), turn: ID },
  }),
  {
    ...{ v: 1, kind: "usage", project: "default", agent_id: "root", occurred_at: NOON, seen_at: NOON, ...TRANSCRIPT },
    ...{ usage: { input_tokens: 70, output_tokens: 7 }, response_id: "3", turn: ID },
  },
];

const ORDERS = [
  ["the proxy first", [RECORDED, WRITTEN]],
  ["the transcript first", [WRITTEN, RECORDED]],
  ["both at once", [[...WRITTEN, ...RECORDED]]],
  ["the transcript again", [RECORDED, WRITTEN, WRITTEN]],
] as const;

describeEveryStore("a call of two sessions", () => {
  it.each(ORDERS)(
    "a call of two sessions is one call of the proxy's session, with its tokens once: %s",
    async (_order, batches) => {
      for (const batch of batches) await apply(...batch);
      const sessions = await store.sessions({});
      expect(sessions.map(({ session_id, calls, failed }) => [session_id, calls, failed])).toEqual([["derived", 1, 1]]);
      const detail = await store.sessionDetail("default", "derived");
      expect(detail?.calls.map(({ tool_call_id, status }) => [tool_call_id, status])).toEqual([[ID, "failed"]]);
      expect((await store.usage("all", {}))[0]).toMatchObject({ input_tokens: 70, output_tokens: 7 });
      expect((await store.summary({})).sessions).toBe(1);
    },
  );

  it("a call of two sessions is gone with its session", async () => {
    await apply(...RECORDED);
    await apply(...WRITTEN);
    await store.deleteSession("default", "derived", NOON + 1000);
    expect((await store.summary({})).calls).toBe(0);
    expect(await store.sessions({})).toEqual([]);
  });
});
