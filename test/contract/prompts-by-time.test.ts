import { expect, it } from "vitest";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, FAILED, NOON, result } from "../support/observations.ts";

const hookCall = (tool_call_id: string, occurred_at: number): object =>
  callObservation({
    ...{ tool_call_id, occurred_at, seen_at: occurred_at, source: "hook", place: { kind: "newest" } },
    result: result("boom", FAILED),
  });
const promptOf = (prompt: string, workflow: string, occurred_at: number): object => ({
  ...{ v: 1, kind: "prompt", project: "default", session_id: "s1", agent_id: "root", source: "hook", live: true },
  ...{ occurred_at, seen_at: occurred_at, prompt, workflow },
});
const workflows = async (): Promise<Record<string, unknown>> => {
  const detail = await store.sessionDetail("default", "s1");
  return Object.fromEntries(detail?.calls.map(({ tool_call_id, workflow }) => [tool_call_id, workflow]) ?? []);
};

describeEveryStore("hook events without a prompt id", () => {
  it("calls get the workflow of the last prompt before them, in the same batch or a later one", async () => {
    await apply(hookCall("c0", NOON - 1), promptOf("p1", "bug_fix", NOON), hookCall("c1", NOON + 1));
    await apply(hookCall("c2", NOON + 2));
    await apply(promptOf("p2", "docs", NOON + 3));
    await apply(hookCall("c3", NOON + 4));
    // Delivered late: it belongs to an earlier prompt, which is not known any more.
    await apply(hookCall("c4", NOON + 2));
    expect(await workflows()).toEqual({ c0: null, c1: "bug_fix", c2: "bug_fix", c3: "docs", c4: null });
  });

  it("calls keep their workflow when another source reports them", async () => {
    await apply(promptOf("p1", "bug_fix", NOON), hookCall("c1", NOON + 1));
    await apply(callObservation({ tool_call_id: "c1", source: "transcript", occurred_at: NOON + 2, model: "m" }));
    expect(await workflows()).toEqual({ c1: "bug_fix" });
  });
});
