import { expect, test } from "vitest";
import { classifyToolResult, type DetectCall } from "../index.ts";

const tools = [
  {
    name: "read",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, lines: { type: "integer" } },
      required: ["path"],
      additionalProperties: false,
    },
  },
  { name: "mcp__fs__list" },
];

const judge = (call: DetectCall, content: string, isError?: boolean) =>
  classifyToolResult({ callId: "c", content, ...(isError === undefined ? {} : { isError }) }, call, { tools });

test("a tool nobody declared was called wrong, in whatever words the client says so", () => {
  expect(judge({ name: "frob", arguments: {} }, "Nope, that one I do not have.")).toMatchObject({
    status: "failed",
    phase: "call",
    category: "unknown_tool",
    confidence: 0.7,
  });
});

test("the client's own words only make it surer", () => {
  expect(judge({ name: "frob", arguments: {} }, "Unknown tool: frob")).toMatchObject({
    phase: "call",
    category: "unknown_tool",
    confidence: 0.97,
  });
});

test.each(["Read", "READ", "list", "functions.read"])(
  "%s is understood by clients that mend letter case and name spaces",
  (name) => {
    expect(judge({ name, arguments: { path: "a" } }, "alpha").status).toBe("ok");
  },
);

test("an undeclared tool that the client says worked did work", () => {
  expect(judge({ name: "frob", arguments: {} }, "ok", false).status).toBe("ok");
  expect(judge({ name: "frob", arguments: {} }, "Exit code: 0\nOutput:\nhi", undefined).status).toBe("ok");
  expect(judge({ name: "frob", arguments: {} }, `A long answer. ${"It goes on. ".repeat(80)}`).status).toBe("ok");
});

test("arguments that are not JSON", () => {
  expect(judge({ name: "read", arguments: '{"path": "a' }, "could not read that")).toMatchObject({
    phase: "call",
    category: "invalid_arguments",
  });
  expect(judge({ name: "read", arguments: { __unparsedToolInput: { raw: "{" } } }, "bad input", true)).toMatchObject({
    phase: "call",
    category: "invalid_arguments",
  });
});

test("a missing argument that the schema requires", () => {
  expect(judge({ name: "read", arguments: { lines: 3 } }, "path?")).toMatchObject({
    status: "failed",
    phase: "call",
    category: "invalid_arguments",
  });
});

test.each([{ path: "a", frob: 1 }, { path: ["a"] }, { path: "a", lines: {} }])(
  "%j alone proves nothing: clients repair it",
  (args) => {
    expect(judge({ name: "read", arguments: args }, "alpha").status).toBe("ok");
    expect(judge({ name: "read", arguments: args }, "Error: bad arguments")).toMatchObject({
      status: "failed",
      phase: "call",
      category: "invalid_arguments",
    });
  },
);

test("arguments that fit are not looked at twice", () => {
  expect(judge({ name: "read", arguments: { path: "a" } }, "Error: EACCES: permission denied")).toMatchObject({
    phase: "run",
    category: "permission_denied",
  });
});

test("a wrong call that still ran and left an exit status failed in its run", () => {
  expect(judge({ name: "shell", arguments: {} }, "Exit code: 3\nOutput:\nno")).toMatchObject({
    phase: "run",
    category: "exit_code",
  });
});
