import { describe, expect, test } from "vitest";
import { checkUserRules, classifyToolResult, type UserRule } from "./index.ts";
import { matchesGlob } from "./user-rules.ts";

const judge = (rules: readonly UserRule[], content: string, name = "deploy") =>
  classifyToolResult({ callId: "c", content }, { name }, { rules });

describe("rules of the user's own", () => {
  test("words anywhere, letter case ignored", () => {
    const rules: UserRule[] = [{ id: "vpn", contains: "VPN is down", category: "network" }];
    expect(judge(rules, "hint: vpn is DOWN again")).toMatchObject({
      status: "failed",
      category: "network",
      evidence: [{ rule: "user-vpn", excerpt: "vpn is DOWN again", position: 6 }],
    });
  });

  test("a glob over the whole first line", () => {
    const rules: UserRule[] = [{ id: "queue", glob: "queue * grows", category: "rate_limited" }];
    expect(judge(rules, "Queue 7 grows\nmore").status).toBe("failed");
    expect(judge(rules, "the queue 7 grows").status).toBe("ok");
  });

  test("only for the tools named", () => {
    const rules: UserRule[] = [{ id: "x", tool: "mcp__*", contains: "nothing", category: "failed" }];
    expect(judge(rules, "nothing", "mcp__a__b").status).toBe("failed");
    expect(judge(rules, "nothing", "other").status).toBe("ok");
  });

  test("ok for texts that only look like failures", () => {
    const rules: UserRule[] = [{ id: "fine", glob: "error: nothing to commit", category: "ok" }];
    expect(judge(rules, "error: nothing to commit")).toMatchObject({ status: "ok", reported: "ok" });
  });

  test("they do not overrule the protocol's flag", () => {
    const rules: UserRule[] = [{ id: "fine", contains: "x", category: "ok" }];
    expect(classifyToolResult({ callId: "c", content: "x", isError: true }, { name: "a" }, { rules }).status).toBe(
      "failed",
    );
  });
});

describe("rules from a configuration", () => {
  test("good ones are taken as they are, an absent id is their place", () => {
    expect(checkUserRules([{ contains: "a b", category: "error" }])).toEqual({
      kind: "checked-rules",
      rules: [{ id: "0", contains: "a b", category: "error" }],
      problems: [],
    });
    expect(checkUserRules(undefined).rules).toEqual([]);
  });

  test.each<[unknown, string, string]>([
    [{}, "", "must be a list"],
    [[3], "0", "must be an object"],
    [[{ contains: "x", category: "gremlins" }], "0.category", 'must be "ok" or one of'],
    [[{ category: "error" }], "0", "needs exactly one of"],
    [[{ category: "error", contains: "a", glob: "b" }], "0", "needs exactly one of"],
    [[{ category: "error", contains: "  " }], "0.contains", "not blank"],
    [[{ category: "error", contains: "x".repeat(201) }], "0.contains", "at most 200"],
    [[{ category: "error", glob: "(a+)+$" }], "0.glob", "not a regular expression"],
    [[{ category: "error", glob: "a.*b" }], "0.glob", "not a regular expression"],
    [[{ category: "error", glob: "*a*b*c*d*e" }], "0.glob", "at most 4 stars"],
    [[{ category: "error", glob: "***" }], "0.glob", "more than stars"],
    [[{ category: "error", contains: "a", tool: "[x]" }], "0.tool", "not a regular expression"],
    [[{ category: "error", contains: "a", regex: "x" }], "0.regex", "is not a key"],
    [[{ category: "error", contains: "a", id: "a b" }], "0.id", "must be 1 to 60"],
  ])("%j is refused at %j", (value, path, message) => {
    const { rules, problems } = checkUserRules(value);
    expect(rules).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.path).toBe(path);
    expect(problems[0]?.message).toContain(message);
  });
});

test.each<[string, string, boolean]>([
  ["a*c", "abc", true],
  ["a*c", "ac", true],
  ["a*c", "acd", false],
  ["*", "", true],
  ["?b", "ab", true],
  ["?b", "b", false],
  ["a*b*c", "aXbYbZc", true],
  ["", "", true],
  ["", "x", false],
])("glob %j on %j is %j", (glob, text, expected) => {
  expect(matchesGlob(glob, text)).toBe(expected);
});
