import { expect, it } from "vitest";
import { effectWords, perDay } from "./effect-words.ts";

const words = (failed: number, calls: number, failedBefore: number, callsBefore: number): string => {
  const times = { since: "", until: "" };
  return effectWords({
    before: { ...times, failed: failedBefore, ok: callsBefore - failedBefore },
    after: { ...times, failed, ok: calls - failed },
  });
};

it("says that few calls cannot be compared, before or after", () => {
  expect(words(0, 7, 18, 400)).toBe("Too few calls to compare: 7 since, 400 before.");
  expect(words(0, 400, 1, 2)).toBe("Too few calls to compare: 400 since, 2 before.");
  expect(words(0, 0, 0, 0)).toBe("Too few calls to compare: 0 since, 0 before.");
});

it("compares the rate of the error, and says whether the difference may be chance", () => {
  expect(words(0, 400, 18, 400)).toBe("It has not occurred again; chance alone rarely explains this.");
  expect(words(2, 400, 40, 400)).toBe("It occurs less often than before; chance alone rarely explains this.");
  expect(words(40, 400, 2, 400)).toBe("It occurs more often than before; chance alone rarely explains this.");
  expect(words(0, 30, 1, 30)).toBe("The difference may be chance.");
});

it("gives occurrences a day with one digit", () => {
  expect([perDay(0, 3), perDay(1, 14), perDay(5, 2)]).toEqual(["0", "<0.1", "2.5"]);
});
