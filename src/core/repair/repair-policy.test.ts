import { describe, expect, it } from "vitest";
import { addOverride, isSuspensionActive, modeFor, possibleModes, type RepairOverride } from "./repair-policy.ts";

const MODES = {
  mode: "known",
  upstreams: { openai: "off" },
  models: { "qwen*": "any", "qwen3-*": "observe" },
} as const;

const override = (mode: RepairOverride["mode"], at: number, part: Partial<RepairOverride> = {}): RepairOverride => ({
  mode,
  at,
  ...part,
});

describe("modeFor", () => {
  it.each([
    ["vllm", "llama", "known"],
    ["openai", "gpt", "off"],
    ["openai", "qwen2", "any"],
    ["vllm", "qwen3-coder", "observe"],
    ["constructor", "toString", "known"],
  ])("returns the configured mode for upstream %s and model %s: %s", (upstream, model, mode) => {
    expect(modeFor(MODES, [], upstream, model)).toBe(mode);
  });

  it("returns the newest override that covers the model", () => {
    const choices = [
      override("observe", 1),
      override("any", 2, { upstream: "vllm" }),
      override("off", 3, { model: "qwen*" }),
    ];
    expect(modeFor(MODES, choices, "openai", "gpt")).toBe("observe");
    expect(modeFor(MODES, choices, "vllm", "llama")).toBe("any");
    expect(modeFor(MODES, choices, "vllm", "qwen3-coder")).toBe("off");
  });

  it('returns to the configuration after the override "config"', () => {
    const choices = [override("observe", 1), override("config", 2, { upstream: "openai" })];
    expect(modeFor(MODES, choices, "openai", "gpt")).toBe("off");
    expect(modeFor(MODES, choices, "vllm", "llama")).toBe("observe");
  });
});

describe("possibleModes", () => {
  it("returns exactly the modes that some model may have", () => {
    expect([...possibleModes(MODES, [], "openai")].sort()).toEqual(["any", "observe", "off"]);
    expect([...possibleModes(MODES, [override("off", 1)], "openai")]).toEqual(["off"]);
    expect([...possibleModes(MODES, [override("off", 1), override("known", 2, { model: "a*" })], "x")].sort()).toEqual([
      "known",
      "off",
    ]);
    expect([...possibleModes({ mode: "known" }, [override("off", 1), override("config", 2)], "x")]).toEqual(["known"]);
    const back = [override("off", 1), override("config", 2, { model: "a*" })];
    expect([...possibleModes({ mode: "any" }, back, "x")].sort()).toEqual(["any", "off"]);
  });
});

it("addOverride replaces exactly the overrides that the new one covers", () => {
  const first = [override("any", 1, { upstream: "a" }), override("off", 2, { upstream: "b", model: "m" })];
  expect(addOverride(first, override("observe", 3, { upstream: "a" }))).toEqual([
    first[1],
    override("observe", 3, { upstream: "a" }),
  ]);
  expect(addOverride(first, override("known", 3))).toEqual([override("known", 3)]);
});

describe('addOverride with "config"', () => {
  it("removes the override of its scope and leaves nothing behind", () => {
    expect(addOverride([override("off", 1)], override("config", 2))).toEqual([]);
    expect(addOverride([], override("config", 2))).toEqual([]);
    expect(addOverride([override("off", 1, { model: "m" })], override("config", 2, { model: "m" }))).toEqual([]);
  });

  it("keeps it where a broader override would apply, until that one is removed", () => {
    const both = [override("off", 1), override("config", 2, { model: "m" })];
    expect(addOverride([override("off", 1)], override("config", 2, { model: "m" }))).toEqual(both);
    expect(addOverride(both, override("config", 3))).toEqual([]);
  });

  it("ignores overrides of other upstreams and of the other kind of repair", () => {
    const others = [override("off", 1, { upstream: "a" }), override("on", 2, { of: "calls" })];
    expect(addOverride(others, override("config", 3, { upstream: "b" }))).toEqual(others);
  });
});

describe("isSuspensionActive", () => {
  const suspension = { at: 1000, provider: "vllm", model: "qwen" };

  it("returns true until the duration has passed", () => {
    expect(isSuspensionActive(suspension, [], 500, 1499)).toBe(true);
    expect(isSuspensionActive(suspension, [], 500, 1500)).toBe(false);
  });

  it("returns false after a newer override that covers the model", () => {
    expect(isSuspensionActive(suspension, [override("known", 999)], 500, 1100)).toBe(true);
    expect(isSuspensionActive(suspension, [override("known", 1050)], 500, 1100)).toBe(false);
    expect(isSuspensionActive(suspension, [override("config", 1050, { model: "q*" })], 500, 1100)).toBe(false);
    expect(isSuspensionActive(suspension, [override("known", 1050, { upstream: "openai" })], 500, 1100)).toBe(true);
  });
});
