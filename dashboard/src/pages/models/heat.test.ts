import { expect, it } from "vitest";
import type { ToolModelRow } from "../../../../src/store/port.ts";
import { heatOf, heatStep } from "./heat.ts";

const row = (tool: string, model: string, calls: number): ToolModelRow => ({ tool, model, calls }) as ToolModelRow;

it("puts the most called tools and models first, and leaves unused pairs empty", () => {
  const rows = [row("a", "x", 1), row("b", "x", 5), row("b", "y", 9)];
  const { models, tools } = heatOf(rows);
  expect(models).toEqual(["y", "x"]);
  expect(tools.map(({ tool, cells }) => [tool, cells.map((cell) => cell?.calls)])).toEqual([
    ["b", [9, 5]],
    ["a", [undefined, 1]],
  ]);
});

it("reports how many tools and models it leaves out", () => {
  const rows = Array.from({ length: 30 }, (_, n) => row(`tool-${n}`, `model-${n}`, 30 - n));
  expect(heatOf(rows).left_out).toEqual([5, 18]);
});

it("uses a separate step for a rate of 0, and none without known outcomes", () => {
  expect([null, 0, 0.001, 0.05, 0.34, 0.5, 0.51, 1].map(heatStep)).toEqual([undefined, 0, 1, 1, 4, 5, 6, 6]);
});
