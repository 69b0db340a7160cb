import { describe, expect, it } from "vitest";
import { FIXTURES, TOOLS } from "../../../test/property/recover-fixtures.ts";
import { FORMATS } from "./formats/table.ts";
import { extractToolCalls, type FormatRow } from "./index.ts";

describe("every format gives its calls", () => {
  it.each(FIXTURES.map((fixture, index) => [fixture.format, index, fixture] as const))(
    "%s, %i",
    (_format, _index, fixture) => {
      const got = extractToolCalls(fixture.text, { tools: TOOLS });
      expect(got.toolCalls.map((call) => [call.name, call.arguments])).toEqual(fixture.calls);
      expect(got.content).toBe(fixture.content ?? "");
      expect(got.toolCalls[0]?.format).toBe(fixture.format);
      expect(got.toolCalls.every((call) => call.known && call.complete && call.origin === "recovered")).toBe(true);
    },
  );

  it("has a fixture for every row of the table", () => {
    const covered = new Set(FIXTURES.map((fixture) => fixture.format));
    expect([...new Set(FORMATS.map((row) => row.format))].filter((format) => !covered.has(format))).toEqual([]);
  });
});

describe("a format is a row", () => {
  const acme: FormatRow = {
    format: "acme",
    openers: ["<<CALL>>"],
    closers: ["<<END>>"],
    payloads: ["json", "named"],
    strength: "strong",
  };
  const text = 'Hello. <<CALL>>{"name": "open_door", "arguments": {"room": "attic"}}<<END>> Bye.';

  it("is read with a row and nothing else", () => {
    const got = extractToolCalls(text, { formats: [acme] });
    expect(got.toolCalls.map((call) => [call.name, call.arguments, call.format])).toEqual([
      ["open_door", { room: "attic" }, "acme"],
    ]);
    expect(got.content).toBe("Hello. Bye.");
  });

  it("is text without the row", () => {
    expect(extractToolCalls(text).content).toBe(text);
  });

  it("leaves out formats that are not named", () => {
    const hermes = '<tool_call>{"name": "wait"}</tool_call>';
    expect(extractToolCalls(hermes, { formats: ["mistral"] }).toolCalls).toEqual([]);
    expect(extractToolCalls(hermes, { formats: ["hermes-json"] }).toolCalls).toHaveLength(1);
  });
});
