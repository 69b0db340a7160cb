import { describe, expect, it } from "vitest";
import type { CountedCall } from "../../store/port.ts";
import { warnUnnamedCalls } from "./recording-pipeline.ts";

const call = (tool_name: string): CountedCall => ({ provider: "p", model: "m", tool_name, outcome: "ok" });

describe("warnUnnamedCalls", () => {
  it("warns immediately, then once a minute with the count since", () => {
    const told: unknown[] = [];
    let now = 1_000_000;
    const tell = warnUnnamedCalls({ warn: (fields: unknown) => told.push(fields) } as never, () => now);
    tell([call("bash")]);
    expect(told).toEqual([]);
    tell([call("unknown"), call("bash")]);
    expect(told).toEqual([{ results: 1 }]);
    for (let second = 0; second < 59; second += 1) {
      now += 1000;
      tell([call("unknown"), call("unknown")]);
    }
    expect(told).toHaveLength(1);
    now += 1000;
    tell([]);
    expect(told).toEqual([{ results: 1 }, { results: 118 }]);
  });
});
