import { describe, expect, it } from "vitest";
import { FIXTURES, TOOLS } from "../../../test/property/recover-fixtures.ts";
import { FORMATS } from "./formats/table.ts";
import { extractToolCalls, type FormatRow } from "./index.ts";

describe("built-in formats", () => {
  it.each(FIXTURES.map((fixture) => [fixture.format, fixture.text.slice(0, 80), fixture] as const))(
    "extracts calls in the format %s: %j",
    (_format, _start, fixture) => {
      const got = extractToolCalls(fixture.text, { tools: TOOLS });
      expect(got.toolCalls.map((call) => [call.name, call.arguments])).toEqual(fixture.calls);
      expect(got.content).toBe(fixture.content ?? "");
      expect(got.toolCalls[0]?.format).toBe(fixture.format);
      expect(got.toolCalls.every((call) => call.known && call.complete && call.origin === "recovered")).toBe(true);
    },
  );

  it("every row of the table has a fixture", () => {
    const covered = new Set(FIXTURES.map((fixture) => fixture.format));
    expect([...new Set(FORMATS.map((row) => row.format))].filter((format) => !covered.has(format))).toEqual([]);
  });
});

describe("custom formats", () => {
  const acme: FormatRow = {
    format: "acme",
    openers: ["<<CALL>>"],
    closers: ["<<END>>"],
    payloads: ["json", "named"],
    strength: "strong",
  };
  const text = 'Hello. <<CALL>>{"name": "open_door", "arguments": {"room": "attic"}}<<END>> Bye.';

  it("a row alone defines a new format", () => {
    const got = extractToolCalls(text, { formats: [acme] });
    expect(got.toolCalls.map((call) => [call.name, call.arguments, call.format])).toEqual([
      ["open_door", { room: "attic" }, "acme"],
    ]);
    expect(got.content).toBe("Hello. Bye.");
  });

  it("a format without a row stays text", () => {
    expect(extractToolCalls(text).content).toBe(text);
  });

  it("formats that are not named are disabled", () => {
    const hermes = '<tool_call>{"name": "wait"}</tool_call>';
    expect(extractToolCalls(hermes, { formats: ["mistral"] }).toolCalls).toEqual([]);
    expect(extractToolCalls(hermes, { formats: ["hermes-json"] }).toolCalls).toHaveLength(1);
  });
});
