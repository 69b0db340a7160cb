import { expect, it } from "vitest";
import type { ResponseObservation, SecondChanceFacts } from "../../src/core/model/observation.ts";
import type { Store } from "../../src/store/port.ts";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { NOON, requestObservation, responseObservation } from "../support/observations.ts";

function response(
  request_id: string,
  chance: Partial<SecondChanceFacts>,
  more: Partial<ResponseObservation> = {},
): ResponseObservation {
  const second_chance = {
    reason: "unknown_tool",
    result: "healed",
    duration_ms: 100,
    calls: [],
    healed_by: [],
    ...chance,
  };
  return responseObservation({ request_id, model: "m", provider: "openai", second_chance, ...more });
}

describeEveryStore("second chances in a store", () => {
  it("second chances are counted once, and summed by provider, model and reason", async () => {
    const usage = { input_tokens: 100, output_tokens: 10 };
    const first = response("r1", { usage });
    const applied = await apply(
      requestObservation({ request_id: "r1" }),
      first,
      responseObservation({ request_id: "r0" }),
    );
    expect(applied.secondChances).toEqual([{ model: "m", reason: "unknown_tool", result: "healed" }]);
    expect((await apply(first)).secondChances).toEqual([]);
    await apply(response("r2", { result: "no_better", duration_ms: 300, usage }), response("r3", { result: "text" }));
    await apply(response("r4", { reason: "missing_parameter", result: "timeout" }));
    expect(await store.secondChances({})).toEqual([
      {
        ...{ provider: "openai", model: "m", reason: "unknown_tool", attempts: 3, healed: 1, answered: 1 },
        ...{ healed_rate: 2 / 3, added_ms: 167, input_tokens: 200, output_tokens: 20 },
      },
      {
        ...{ provider: "openai", model: "m", reason: "missing_parameter", attempts: 1, healed: 0, answered: 0 },
        ...{ healed_rate: 0, added_ms: 100, input_tokens: null, output_tokens: null },
      },
    ]);
    const events = (await store.events(0, 100)).map(({ line }) => JSON.parse(line) as { type: string });
    expect(events.filter(({ type }) => type === "second_chance")).toHaveLength(4);
  });

  it("second chances are found by time and project", async () => {
    await apply(response("r1", {}), response("r2", {}, { occurred_at: NOON + 1000, project: "other" }));
    const attempts = async (range: Parameters<Store["secondChances"]>[0]): Promise<number> =>
      (await store.secondChances(range)).reduce((sum, row) => sum + row.attempts, 0);
    expect(await attempts({})).toBe(2);
    expect(await attempts({ since: NOON + 1 })).toBe(1);
    expect(await attempts({ until: NOON + 1 })).toBe(1);
    expect(await attempts({ project: "other" })).toBe(1);
  });
});
