import { describe, expect, it } from "vitest";
import { run } from "../../../test/support/agent-run.ts";

describe("the scripted model", () => {
  it("K01 says when a turn was not asked for, and when more was asked", async () => {
    const { model } = await run([], ["Hello."]);
    expect(() => model.assertDone()).not.toThrow();
    const more = await run([], ["", "Hello.", "unused"]);
    expect(() => more.model.assertDone()).toThrow("The script has 3 turns, and the model was asked 2 times.");
    const less = await run([], [""]);
    expect(() => less.model.assertDone()).toThrow("asked 4 times");
    expect(Object.isFrozen(less.model.requests[0]?.messages[0])).toBe(true);
  });
});
