import { expect, it } from "vitest";
import { apply, describeEveryStore, store } from "../support/every-store.ts";
import { callObservation, NOON } from "../support/observations.ts";

const row = (tool_call_id: string, created_at = NOON, project = "default") => ({
  ...{ project, tool_call_id, created_at },
  sealed: `sealed ${tool_call_id}`,
});

describeEveryStore("sealed calls", () => {
  it("sealed calls are found by project and id, and newest first", async () => {
    for (const one of [row("a"), row("b", NOON + 5), row("a", NOON + 9, "other")]) await store.saveSealedCall(one);
    await store.saveSealedCall({ ...row("a"), sealed: "again" });
    expect(await store.findSealedCalls("default", ["a", "x"])).toEqual([{ ...row("a"), sealed: "again" }]);
    expect((await store.sealedCalls(NOON + 1, 10)).map(({ project, tool_call_id }) => [project, tool_call_id])).toEqual(
      [
        ["other", "a"],
        ["default", "b"],
      ],
    );
  });

  it("sealed calls are deleted by id, by age and with the session of their call", async () => {
    for (const one of [row("used"), row("old", NOON - 1), row("c1"), row("kept")]) await store.saveSealedCall(one);
    await apply(callObservation({ tool_call_id: "c1" }));
    await store.deleteSealedCalls("default", ["used"]);
    await store.deleteSealedCallsBefore(NOON);
    await store.deleteSession("default", "s1", NOON + 1);
    expect((await store.sealedCalls(0, 10)).map(({ tool_call_id }) => tool_call_id)).toEqual(["kept"]);
  });
});
