import { describe, expect, test } from "vitest";
import { checkUserRules, classifyToolResult, type UserRule } from "./index.ts";
import { matchesGlob } from "./user-rules.ts";

const classify = (rules: readonly UserRule[], content: string, name = "deploy") =>
  classifyToolResult({ callId: "c", content }, { name }, { rules });

describe("the id of a rule", () => {
  const rule = { contains: "vpn is down", category: "network" };

  test("is its position if it has none", () => {
    expect(checkUserRules([rule, { ...rule, id: "vpn" }]).rules.map(({ id }) => id)).toEqual(["0", "vpn"]);
  });

  test("is unique, so that evidence names one rule", () => {
    expect(
      checkUserRules([
        { ...rule, id: "vpn" },
        { ...rule, id: "vpn" },
      ]).problems,
    ).toEqual([{ kind: "user-rule-problem", path: "1.id", message: "is the id of another rule" }]);
    expect(checkUserRules([rule, { ...rule, id: "0" }]).problems.map(({ path }) => path)).toEqual(["1.id"]);
  });
});

describe("user rules", () => {
  test("a rule with contains matches anywhere in the text, ignoring case", () => {
    const rules: UserRule[] = [{ id: "vpn", contains: "VPN is down", category: "network" }];
    expect(classify(rules, "hint: vpn is DOWN again")).toMatchObject({
      status: "failed",
      category: "network",
      evidence: [{ rule: "user-vpn", excerpt: "vpn is DOWN again", position: 6 }],
    });
  });

  test("a rule with glob matches the whole first line", () => {
    const rules: UserRule[] = [{ id: "queue", glob: "queue * grows", category: "rate_limited" }];
    expect(classify(rules, "Queue 7 grows\nmore").status).toBe("failed");
    expect(classify(rules, "the queue 7 grows", "get_report").status).toBe("ok");
  });

  test("a rule with tool is restricted to the named tools", () => {
    const rules: UserRule[] = [{ id: "x", tool: "mcp__*", contains: "nothing", category: "failed" }];
    expect(classify(rules, "nothing", "mcp__a__b").status).toBe("failed");
    expect(classify(rules, "nothing", "other").status).toBe("ok");
  });

  test("a rule with category ok marks text that only looks like a failure", () => {
    const rules: UserRule[] = [{ id: "fine", glob: "error: nothing to commit", category: "ok" }];
    expect(classify(rules, "error: nothing to commit")).toMatchObject({ status: "ok", reported: "ok" });
  });

  test("user rules do not override the protocol's flag", () => {
    const rules: UserRule[] = [{ id: "fine", contains: "x", category: "ok" }];
    expect(classifyToolResult({ callId: "c", content: "x", isError: true }, { name: "a" }, { rules }).status).toBe(
      "failed",
    );
  });
});

describe("validating user rules", () => {
  test("valid rules are returned unchanged, with the index as default id", () => {
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
  ])("the rules %j are rejected at %j", (value, path, message) => {
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
])("glob %j matches %j: %j", (glob, text, expected) => {
  expect(matchesGlob(glob, text)).toBe(expected);
});
