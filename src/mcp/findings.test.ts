import { expect, it } from "vitest";
import { type FindingCall, mcpFindings } from "./findings.ts";
import type { KnownServer } from "./known-servers.ts";

const CALL: FindingCall = {
  ...{ mcp_server: "math", mcp_tool: "add", mcp_output: null, status: "ok", phase: null, category: null },
  ...{ repair: null, output_size_bytes: 10 },
};
const FAILED = { status: "failed", phase: "call", category: "invalid_arguments" } as const;
const AS_TEXT = { result: "left", classes: ["number-as-text"], paths: ["$.a"], reason: "observe" } as const;
const MISSING = { result: "left", classes: [], paths: [], problem: "$.b is missing" } as const;
const SERVER: KnownServer = {
  ...{ v: 1, server: "math" },
  tools: [
    { name: "add", has_description: true },
    { name: "sub", has_description: false },
  ],
  noise: { lines: 3, ended_at: 90 },
};

it("the findings are invalid calls, what clients may reject, noise, missing descriptions and unused tools", () => {
  const calls: readonly FindingCall[] = [
    CALL,
    { ...CALL, ...FAILED, repair: AS_TEXT },
    { ...CALL, ...FAILED, repair: AS_TEXT },
    { ...CALL, repair: AS_TEXT },
    { ...CALL, ...FAILED, repair: MISSING },
    { ...CALL, ...FAILED },
    { ...CALL, output_size_bytes: 40_000 },
    { ...CALL, output_size_bytes: 25_000 },
    { ...CALL, mcp_output: "structuredContent is missing" },
  ];
  expect(mcpFindings([SERVER], calls)).toEqual([
    {
      ...{ kind: "called_wrong", server: "math", tool: "add", count: 5, would_have_worked: 2 },
      detail: "5 of 9 calls: the model sends numbers as text (3); $.b is missing (1); rejected by the server (1)",
    },
    {
      ...{ kind: "invalid_output", server: "math", tool: "add", count: 1 },
      detail: "1 of 9 results: structuredContent is missing (1)",
    },
    {
      ...{ kind: "oversized", server: "math", tool: "add", count: 1 },
      detail: "1 of 9 results exceed 25000 bytes, the largest has 40000",
    },
    {
      ...{ kind: "noise", server: "math", tool: null, count: 3 },
      detail: "lines that are not messages: 3 in the last run; clients may close the connection",
    },
    { kind: "no_description", server: "math", tool: "sub", count: 0, detail: "the model sees only the name" },
    { kind: "never_called", server: "math", tool: "sub", count: 0, detail: "listed, but not called in this range" },
  ]);
});

it("nothing is found about calls without a wrapper", () => {
  expect(mcpFindings([], [{ ...CALL, ...FAILED, mcp_server: null, mcp_tool: null, repair: AS_TEXT }])).toEqual([]);
});
