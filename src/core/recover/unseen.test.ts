import { describe, expect, it } from "vitest";
import { FIRST_LEAKS, FIRST_NO_LEAKS } from "../../../test/fixtures/leaks/first/index.ts";
import { FOURTH_LEAKS, FOURTH_NO_LEAKS } from "../../../test/fixtures/leaks/fourth/index.ts";
import { LEAK_TOOLS } from "../../../test/fixtures/leaks/leak.ts";
import { SECOND_LEAKS, SECOND_NO_LEAKS } from "../../../test/fixtures/leaks/second/index.ts";
import { THIRD_LEAKS, THIRD_NO_LEAKS } from "../../../test/fixtures/leaks/third/index.ts";
import { extractToolCalls } from "./index.ts";

describe("fixtures that were written without knowledge of the parser", () => {
  const leaks = [...FIRST_LEAKS, ...SECOND_LEAKS, ...THIRD_LEAKS, ...FOURTH_LEAKS].flatMap(([, rows]) => rows);
  it.each(leaks)("extracts the calls of: %s", (_what, text, calls) => {
    const found = extractToolCalls(text, { tools: LEAK_TOOLS }).toolCalls.map((call) => [call.name, call.arguments]);
    expect(found).toEqual(calls);
  });

  const texts = [...FIRST_NO_LEAKS, ...SECOND_NO_LEAKS, ...THIRD_NO_LEAKS, ...FOURTH_NO_LEAKS].flatMap(
    ([, rows]) => rows,
  );
  it.each(texts)("finds no call in: %s", (_what, text) => {
    const got = extractToolCalls(text, { tools: LEAK_TOOLS });
    expect([got.toolCalls, got.content]).toEqual([[], text]);
  });
});
