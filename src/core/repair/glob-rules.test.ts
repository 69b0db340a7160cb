import { expect, it } from "vitest";
import { allowedBy, matchesGlob } from "./repair-policy.ts";

it.each([
  ["read", "read", true],
  ["read", "rea", false],
  ["read_file", "read*", true],
  ["mcp__docs__search", "mcp__*__search", true],
  ["mcp__docs__find", "mcp__*__search", false],
  ["a", "a*a", false],
  ["aa", "a*a", true],
  ["abcabc", "*b*c", true],
  ["anything", "*", true],
])("matchesGlob(%s, %s) is %s", (name, pattern, matches) => {
  expect(matchesGlob(name, pattern)).toBe(matches);
});

it("matchesGlob takes time linear in name and pattern", () => {
  expect(matchesGlob("a".repeat(100_000), `${"*a".repeat(10_000)}b`)).toBe(false);
});

it("allowedBy allows everything without an allow list, and nothing that is denied", () => {
  expect(allowedBy([], [])("x")).toBe(true);
  expect(allowedBy(["read*"], [])("write")).toBe(false);
  expect(allowedBy(["read*"], ["read_secret"])("read_secret")).toBe(false);
});
