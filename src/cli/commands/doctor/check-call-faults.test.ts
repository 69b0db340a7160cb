import { expect, it } from "vitest";
import type { CallFaultRow } from "../../../store/port.ts";
import { callFaultFindings, repairableFindings } from "./check-call-faults.ts";

const row = (more: Partial<CallFaultRow>): CallFaultRow => ({
  ...{ provider: "vllm", model: "qwen3", class: "json-as-text", repaired: 31, left: 0, calls: 40 },
  ...more,
});

it("names the server, the model, the fault, its share, and what helps", () => {
  expect(callFaultFindings([row({})])).toEqual([
    {
      check: "native calls",
      status: "warning",
      detail: "qwen3 at vllm sends lists or objects as text: 31 of 40 calls in 7 days, 31 repaired",
      advice: expect.stringContaining("tool parser"),
    },
  ]);
});

it("does not report rare faults, and calls that cannot be repaired", () => {
  expect(callFaultFindings([row({ repaired: 4 }), row({ repaired: 10, calls: 1000 }), row({ class: "none" })])).toEqual(
    [],
  );
});

it("counts failures that would have worked, and reports nothing without any", () => {
  expect(repairableFindings(2)).toEqual([
    {
      check: "repairable failures",
      status: "warning",
      detail: "2 failed calls would have worked with repaired arguments, in 7 days",
      advice:
        "Repair only observes them. Run: npm run -s toolmend -- mcp findings; for native calls: --repair-calls on.",
    },
  ]);
  expect(repairableFindings(0)).toEqual([]);
});
