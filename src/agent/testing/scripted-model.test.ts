import { describe, expect, it } from "vitest";
import { run } from "../../../test/support/agent-run.ts";

describe("scriptedModel", () => {
  it("reports unused turns and unexpected requests", async () => {
    const { model } = await run([], ["Hello."]);
    expect(() => model.assertDone()).not.toThrow();
    const more = await run([], ["", "Hello.", "unused"]);
    expect(() => more.model.assertDone()).toThrow("The script has 3 turns, but the model received 2 requests.");
    const less = await run([], [""]);
    expect(() => less.model.assertDone()).toThrow("received 4 requests");
    expect(Object.isFrozen(less.model.requests[0]?.messages[0])).toBe(true);
  });
});
