import { describe, expect, it } from "vitest";
import type { CountedCall } from "../../store/port.ts";
import { warnUnnamedCalls } from "./recording-pipeline.ts";

const call = (tool_name: string, tool_call_id?: string): CountedCall => ({
  ...{ provider: "p", model: "m", tool_name, outcome: "ok" as const },
  ...(tool_call_id !== undefined && { tool_call_id }),
});

describe("warnUnnamedCalls", () => {
  it("warns immediately, then once a minute with the count since", () => {
    const warnings: unknown[] = [];
    let now = 1_000_000;
    const warnUnnamed = warnUnnamedCalls({ warn: (fields: unknown) => warnings.push(fields) } as never, () => now);
    warnUnnamed([call("bash")]);
    expect(warnings).toEqual([]);
    warnUnnamed([call("unknown", "call_7"), call("bash")]);
    expect(warnings).toEqual([{ results: 1, tool_call_id: "call_7" }]);
    for (let second = 0; second < 59; second += 1) {
      now += 1000;
      warnUnnamed([call("unknown", `call_${second}`), call("unknown")]);
    }
    expect(warnings).toHaveLength(1);
    now += 1000;
    warnUnnamed([]);
    expect(warnings).toEqual([
      { results: 1, tool_call_id: "call_7" },
      { results: 118, tool_call_id: "call_0" },
    ]);
  });
});
