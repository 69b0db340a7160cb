import { describe, expect, it } from "vitest";
import { parseRuntimeSettings } from "./runtime-settings.ts";

const parse = (settings: unknown): unknown => parseRuntimeSettings(JSON.stringify(settings));

describe("parseRuntimeSettings", () => {
  it("returns the overrides as they were saved, and none of what is absent", () => {
    const repair = [
      { mode: "off", at: 1 },
      { of: "calls", mode: "on", upstream: "openai", model: "q*", at: 2 },
      { mode: "config", at: 3 },
    ];
    const guard = [{ mode: "stop", model: "m", at: 4 }];
    expect(parse({ v: 1, repair })).toEqual({ repair, guard: [], secondChance: [] });
    expect(parse({ v: 1, repair: [], guard, secondChance: [{ mode: "on", at: 5 }] })).toEqual({
      ...{ repair: [], guard, secondChance: [{ mode: "on", at: 5 }] },
    });
  });

  it.each([
    [[]],
    ["text"],
    [{ repair: {} }],
    [{ repair: [null] }],
    [{ repair: [{ mode: "sometimes", at: 1 }] }],
    [{ repair: [{ mode: ["off"], at: 1 }] }],
    [{ repair: [{ mode: "off" }] }],
    [{ repair: [{ mode: "off", at: -1 }] }],
    [{ repair: [{ mode: "off", at: "1" }] }],
    [{ repair: [{ mode: "off", at: 1, upstream: "" }] }],
    [{ repair: [{ mode: "off", at: 1, model: "m".repeat(201) }] }],
    [{ repair: [{ mode: "off", at: 1, of: "leaks" }] }],
    [{ repair: [{ mode: "off", at: 1, extra: 1 }] }],
    [{ guard: [{ mode: "stop", at: 1, of: "calls" }] }],
    [{ guard: [{ mode: "known", at: 1 }] }],
    [{ repair: Array.from({ length: 1001 }, () => ({ mode: "off", at: 1 })) }],
  ])("rejects %j", (settings) => {
    expect(() => parse(settings)).toThrow(TypeError);
  });
});
