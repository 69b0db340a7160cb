import { describe, expect, it } from "vitest";
import { addOverride, isSuspensionActive, modeFor, possibleModes, type RepairOverride } from "./repair-policy.ts";

const MODES = {
  mode: "known",
  upstreams: { openai: "off" },
  models: { "qwen*": "any", "qwen3-*": "observe" },
} as const;

const choice = (mode: RepairOverride["mode"], at: number, part: Partial<RepairOverride> = {}): RepairOverride => ({
  mode,
  at,
  ...part,
});

describe("the mode for a model of an upstream", () => {
  it.each([
    ["vllm", "llama", "known"],
    ["openai", "gpt", "off"],
    ["openai", "qwen2", "any"],
    ["vllm", "qwen3-coder", "observe"],
    ["constructor", "toString", "known"],
  ])("is what the configuration says of %s and %s: %s", (upstream, model, mode) => {
    expect(modeFor(MODES, [], upstream, model)).toBe(mode);
  });

  it("is the newest choice that covers it", () => {
    const choices = [
      choice("observe", 1),
      choice("any", 2, { upstream: "vllm" }),
      choice("off", 3, { model: "qwen*" }),
    ];
    expect(modeFor(MODES, choices, "openai", "gpt")).toBe("observe");
    expect(modeFor(MODES, choices, "vllm", "llama")).toBe("any");
    expect(modeFor(MODES, choices, "vllm", "qwen3-coder")).toBe("off");
  });

  it("is the configuration's again once somebody chose that", () => {
    const choices = [choice("observe", 1), choice("config", 2, { upstream: "openai" })];
    expect(modeFor(MODES, choices, "openai", "gpt")).toBe("off");
    expect(modeFor(MODES, choices, "vllm", "llama")).toBe("observe");
  });
});

describe("the modes that are possible before the model is known", () => {
  it("are all that some model may have, and no others", () => {
    expect([...possibleModes(MODES, [], "openai")].sort()).toEqual(["any", "observe", "off"]);
    expect([...possibleModes(MODES, [choice("off", 1)], "openai")]).toEqual(["off"]);
    expect([...possibleModes(MODES, [choice("off", 1), choice("known", 2, { model: "a*" })], "x")].sort()).toEqual([
      "known",
      "off",
    ]);
    expect([...possibleModes({ mode: "known" }, [choice("off", 1), choice("config", 2)], "x")]).toEqual(["known"]);
    const back = [choice("off", 1), choice("config", 2, { model: "a*" })];
    expect([...possibleModes({ mode: "any" }, back, "x")].sort()).toEqual(["any", "off"]);
  });
});

it("a choice replaces those that it covers, and no others", () => {
  const first = [choice("any", 1, { upstream: "a" }), choice("off", 2, { upstream: "b", model: "m" })];
  expect(addOverride(first, choice("observe", 3, { upstream: "a" }))).toEqual([
    first[1],
    choice("observe", 3, { upstream: "a" }),
  ]);
  expect(addOverride(first, choice("known", 3))).toEqual([choice("known", 3)]);
});

describe("repair rests", () => {
  const refused = { at: 1000, provider: "vllm", model: "qwen" };

  it("for the time that was set", () => {
    expect(isSuspensionActive(refused, [], 500, 1499)).toBe(true);
    expect(isSuspensionActive(refused, [], 500, 1500)).toBe(false);
  });

  it("until somebody chooses a mode that covers it", () => {
    expect(isSuspensionActive(refused, [choice("known", 999)], 500, 1100)).toBe(true);
    expect(isSuspensionActive(refused, [choice("known", 1050)], 500, 1100)).toBe(false);
    expect(isSuspensionActive(refused, [choice("config", 1050, { model: "q*" })], 500, 1100)).toBe(false);
    expect(isSuspensionActive(refused, [choice("known", 1050, { upstream: "openai" })], 500, 1100)).toBe(true);
  });
});
