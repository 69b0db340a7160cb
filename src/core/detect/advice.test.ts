import { describe, expect, test } from "vitest";
import { ADVICE_RULES, adviceFor } from "./advice.ts";
import type { ToolKind } from "./call/tool-kind.ts";

const TOOL_OF_KIND: ReadonlyMap<ToolKind, string> = new Map([
  ["edit", "Edit"],
  ["shell", "Bash"],
  ["read", "Read"],
  ["search", "Grep"],
  ["api", "list_rows"],
  ["sql", "run_sql"],
]);

describe("advice for a class of failures", () => {
  test("an edit of a file that was not read proposes an instruction to read it first", () => {
    expect(
      adviceFor({ category: "precondition", tool: "Edit", message: "File has not been read yet. Read it first." }),
    ).toEqual({
      kind: "instruction",
      text: "Add to CLAUDE.md or AGENTS.md: Read a file in the same session before you edit it, and read it again after a formatter, a build or a person may have changed it.",
    });
  });

  test("a missing program proposes to install it", () => {
    expect(
      adviceFor({ category: "not_found", phase: "run", tool: "Bash", message: "bash: line 1: jq: command not found" }),
    ).toMatchObject({ kind: "setting" });
  });

  test("a call with wrong arguments proposes a better schema and names the tool", () => {
    const advice = adviceFor({ category: "invalid_arguments", phase: "call", tool: "mcp__shop__search" });
    expect(advice?.kind).toBe("tool-description");
    expect(advice?.text).toContain("mcp__shop__search");
  });

  test("a denied call proposes a permission, a denied file does not", () => {
    expect(adviceFor({ category: "permission_denied", phase: "gate", tool: "Bash" })?.kind).toBe("permission");
    expect(adviceFor({ category: "permission_denied", phase: "run", tool: "Bash" })?.kind).toBe("instruction");
  });

  test.each([
    ["timeout", "time-limit"],
    ["rate_limited", "retry"],
    ["http_server_error", "retry"],
    ["auth", "setting"],
    ["unknown_tool", "tool-description"],
  ] as const)("a failure of category %s proposes a change of kind %s", (category, kind) => {
    expect(adviceFor({ category, tool: "search_items" })?.kind).toBe(kind);
  });

  test.each(["error", "exit_code", "failed", "incomplete", "http_client_error"] as const)(
    "a failure of category %s gets no advice, because nothing is known about it",
    (category) => {
      expect(adviceFor({ category, tool: "Bash", message: "boom" })).toBeUndefined();
    },
  );

  test.each(ADVICE_RULES.map((rule) => [rule.category, rule.text, rule] as const))(
    "a failure of category %s can get the advice %j, with the tool's name",
    (category, text, { phase, kinds, words }) => {
      const tool = TOOL_OF_KIND.get(kinds?.[0] ?? "api");
      expect(adviceFor({ category, phase, tool, message: words?.[0] })?.text).toBe(
        text.replaceAll("{tool}", `${tool}`),
      );
    },
  );
});
