import { describe, expect, it } from "vitest";
import type { CountedCall } from "../../store/port.ts";
import { warnUnnamedCalls } from "./recording-pipeline.ts";

const call = (tool_name: string): CountedCall => ({ provider: "p", model: "m", tool_name, outcome: "ok" });

describe("warnUnnamedCalls", () => {
  it("warns immediately, then once a minute with the count since", () => {
    const warnings: unknown[] = [];
    let now = 1_000_000;
    const warnUnnamed = warnUnnamedCalls({ warn: (fields: unknown) => warnings.push(fields) } as never, () => now);
    warnUnnamed([call("bash")]);
    expect(warnings).toEqual([]);
    warnUnnamed([call("unknown"), call("bash")]);
    expect(warnings).toEqual([{ results: 1 }]);
    for (let second = 0; second < 59; second += 1) {
      now += 1000;
      warnUnnamed([call("unknown"), call("unknown")]);
    }
    expect(warnings).toHaveLength(1);
    now += 1000;
    warnUnnamed([]);
    expect(warnings).toEqual([{ results: 1 }, { results: 118 }]);
  });
});
