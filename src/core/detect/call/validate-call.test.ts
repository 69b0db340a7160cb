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

const classify = (call: DetectCall, content: string, isError?: boolean) =>
  classifyToolResult({ callId: "c", content, ...(isError === undefined ? {} : { isError }) }, call, { tools });

test("a call of an undeclared tool is invalid, whatever the client's wording", () => {
  expect(classify({ name: "frob", arguments: {} }, "Nope, that one I do not have.")).toMatchObject({
    status: "failed",
    phase: "call",
    category: "unknown_tool",
    confidence: 0.7,
  });
});

test("an error message of the client raises the confidence", () => {
  expect(classify({ name: "frob", arguments: {} }, "Unknown tool: frob")).toMatchObject({
    phase: "call",
    category: "unknown_tool",
    confidence: 0.97,
  });
});

test.each(["Read", "READ", "list", "functions.read"])(
  "%s counts as declared, because clients correct letter case and namespaces",
  (name) => {
    expect(classify({ name, arguments: { path: "a" } }, "alpha").status).toBe("ok");
  },
);

test("an undeclared tool is ok if the client reports success", () => {
  expect(classify({ name: "frob", arguments: {} }, "ok", false).status).toBe("ok");
  expect(classify({ name: "frob", arguments: {} }, "Exit code: 0\nOutput:\nhi", undefined).status).toBe("ok");
  expect(classify({ name: "frob", arguments: {} }, `A long answer. ${"It goes on. ".repeat(80)}`).status).toBe("ok");
});

test("arguments that are not JSON make the call invalid", () => {
  expect(classify({ name: "read", arguments: '{"path": "a' }, "could not read that")).toMatchObject({
    phase: "call",
    category: "invalid_arguments",
  });
  expect(classify({ name: "read", arguments: { __unparsedToolInput: { raw: "{" } } }, "bad input", true)).toMatchObject(
    {
      phase: "call",
      category: "invalid_arguments",
    },
  );
});

test("a missing required argument makes the call invalid", () => {
  expect(classify({ name: "read", arguments: { lines: 3 } }, "path?")).toMatchObject({
    status: "failed",
    phase: "call",
    category: "invalid_arguments",
  });
});

test.each([{ path: "a", frob: 1 }, { path: ["a"] }, { path: "a", lines: {} }])(
  "%j makes the call invalid only together with an error, because clients repair it",
  (args) => {
    expect(classify({ name: "read", arguments: args }, "alpha").status).toBe("ok");
    expect(classify({ name: "read", arguments: args }, "Error: bad arguments")).toMatchObject({
      status: "failed",
      phase: "call",
      category: "invalid_arguments",
    });
  },
);

test("a failure with valid arguments keeps the category of its text", () => {
  expect(classify({ name: "read", arguments: { path: "a" } }, "Error: EACCES: permission denied")).toMatchObject({
    phase: "run",
    category: "permission_denied",
  });
});

test("an invalid call with an exit code ran and failed in phase run", () => {
  expect(classify({ name: "shell", arguments: {} }, "Exit code: 3\nOutput:\nno")).toMatchObject({
    phase: "run",
    category: "exit_code",
  });
});
