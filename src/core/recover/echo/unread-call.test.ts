import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../model/tool-call.ts";
import { factsOf } from "./call-facts.ts";
import { squeeze } from "./characters.ts";
import { callPattern, isUnreadCall, withoutSeparators } from "./unread-call.ts";

const pattern = (name: string, args: JsonObject) => callPattern(factsOf(name, args), args);
const isDetected = (text: string, name: string, args: JsonObject, left = 1e9): boolean =>
  isUnreadCall(withoutSeparators(squeeze(text)), pattern(name, args), { left });

describe("isUnreadCall", () => {
  it.each([
    ["a call in code", "client.get_weather({ city: 'Oslo', days: 3 })"],
    ["YAML", "tool: get_weather\narguments:\n  city: Oslo\n  days: 3\n"],
    ["markup of another kind", '<x:invoke name="get_weather"><x:parameter name="city">Oslo</x:parameter>'],
    ["a name after its arguments", '{"arguments": {"city": "Oslo"}, "name": "get_weather"}'],
    ["broken lines", 'Note: {"name": "get_wea\nther", "argum\nents": {"ci\nty": "Os\nlo"}}'],
  ])("detects %s", (_title, text) => {
    expect(isDetected(text, "get_weather", { city: "Oslo" })).toBe(true);
    expect(isDetected(text, "get_weather", { city: "Rome" })).toBe(false);
    expect(isDetected(text, "get_time", { city: "Oslo" })).toBe(false);
  });

  it("detects a call with added arguments if the rest is certainly a call", () => {
    const args = { city: "Oslo", unit: "C" };
    expect(isDetected("get_weather(city='Oslo')", "get_weather", args)).toBe(true);
    expect(isDetected('{"arguments": {"city": "Oslo"}, "name": "get_weather"}', "get_weather", args)).toBe(true);
    expect(isDetected("tool: get_weather\narguments:\n  city: Oslo\n", "get_weather", args)).toBe(false);
  });

  it.each([
    ["a sentence", "Ask get_weather for the city Oslo."],
    ["a key and a value alone", '{"city": "Oslo"} was sent to get_weather'],
    ["a longer value", "get_weather(city='Oslo/Sentrum')"],
    ["a longer name", "get_weather_history(city='Oslo')"],
  ])("does not mistake %s for the call", (_title, text) => {
    expect(isDetected(text, "get_weather", { city: "Oslo" })).toBe(false);
  });

  it("does not mistake the settings of another program for the call", () => {
    const args = { command: "npm run lint -- --fix" };
    const task = { label: "lint", type: "shell", command: "npm run lint -- --fix", args: [], group: "build" };
    expect(isDetected(JSON.stringify(task), "shell", args)).toBe(false);
    expect(isDetected("| shell | command: npm run lint -- --fix |", "shell", args)).toBe(false);
    expect(isDetected("tool: shell\nargs:\n  command: npm run lint -- --fix\n", "shell", args)).toBe(true);
  });

  it("detects a call without arguments in call syntax, but not in code", () => {
    expect(isDetected('{"name": "refresh", "arguments": {}}', "refresh", {})).toBe(true);
    expect(isDetected("<tool_call>refresh</tool_call>", "refresh", { now: true })).toBe(true);
    expect(isDetected("page.refresh();", "refresh", {})).toBe(false);
    expect(isDetected('{"refresh": {}, "tools": {}}', "refresh", {})).toBe(false);
    expect(isDetected('{"name": "bash", "arguments": {}}', "bash", { command: "git status" })).toBe(false);
  });

  it("runs in linear time, and returns true when the budget is used up", () => {
    for (const unit of ["get_weather({", "get_weather(city:", "city:", "get_weather<city<<<<<<<<", "<get_weather{}"]) {
      const text = unit.repeat(20_000);
      expect(typeof isDetected(text, "get_weather", { city: "Oslo", days: [1, 2] }, 1e8)).toBe("boolean");
    }
    expect(isDetected("get_weather(city: ".repeat(1000), "get_weather", { city: "Oslo" }, 1000)).toBe(true);
  });
});
