import { expect, it } from "vitest";
import { createPace, toolMs } from "./pace.ts";
import { demoPlans, type Step } from "./plan.ts";

const step = (tool: string, command?: string): Step =>
  ({ tool, arguments: command === undefined ? {} : { command } }) as unknown as Step;

it("tests take seconds, and reading a file milliseconds", () => {
  expect(toolMs(step("Bash", "npm test"), () => 0.5)).toBe(5900);
  expect(toolMs(step("Bash", "npm test -- date"), () => 0)).toBe(1400);
  expect(toolMs(step("Bash", "ls /app"), () => 1)).toBe(140);
  expect(toolMs(step("Read"), () => 0)).toBe(6);
});

it("every scripted call gets a believable time", () => {
  const calls = demoPlans("x").flatMap(({ turns }) => turns.flat());
  expect(calls.length).toBeGreaterThan(20);
  for (const one of calls) expect(toolMs(one, () => 0)).toBeGreaterThanOrEqual(6);
});

it("every pause ends when the demo stops", async () => {
  const pace = createPace(
    () => [3_600_000, 3_600_000],
    Promise.resolve(),
    () => 0.5,
  );
  expect(await Promise.all([pace.think(), pace.runTools([step("Bash", "npm test")])])).toEqual([false, false]);
});
