import { expect, it } from "vitest";
import { leakMessage } from "./log-messages.ts";

it("the log says in words what happened to a leaked call, and why it stayed text", () => {
  expect(leakMessage({ result: "recovered" })).toBe(
    "a model wrote a tool call as text; the client received it as a call",
  );
  expect(leakMessage({ result: "left", reason: "observe" })).toBe(
    "a model wrote a tool call as text, and it stayed text: repair mode is observe",
  );
});
