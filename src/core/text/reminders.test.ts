import { expect, it } from "vitest";
import { withoutReminders } from "./reminders.ts";

it.each([
  ["ok", "ok"],
  ["ok\n\n<system-reminder>\n<total_tokens>9 tokens left</total_tokens>\n</system-reminder>", "ok"],
  ["ok\n\n<system-reminder>a</system-reminder>\n\n<system-reminder>b</system-reminder>", "ok"],
  ["<system-reminder>a</system-reminder>", ""],
  ["a <system-reminder>b</system-reminder> c", "a <system-reminder>b</system-reminder> c"],
  ["no start</system-reminder>", "no start</system-reminder>"],
])("withoutReminders reduces %j to %j", (text, expected) => {
  expect(withoutReminders(text)).toBe(expected);
});

it("withoutReminders takes linear time for a megabyte of ends without a start", () => {
  const text = "</system-reminder>".repeat(60_000);
  expect(withoutReminders(text)).toBe(text);
});
