import { describe, expect, it } from "vitest";
import { type CallableTool, hopelessCall } from "./hopeless-calls.ts";

const TOOLS = new Map<string, CallableTool>(
  [
    {
      name: "read",
      parameters: {
        type: "object",
        properties: {
          path: { type: "string" },
          mode: { enum: ["a", "b"] },
          depth: { type: "integer", default: 3 },
        },
        required: ["path", "depth"],
      },
    },
    { name: "write_file", parameters: { type: "object", properties: {}, required: ["path", "content"] } },
    { name: "anything" },
    { name: "odd", parameters: { type: "object", required: ["a"], if: { required: ["b"] } } },
    { name: "patch", custom: true as const },
  ].map((tool) => [tool.name, tool]),
);

const judge = (name: string, args: string, isCustom = false) =>
  hopelessCall({ id: "c1", name, arguments: args, isCustom }, TOOLS);

describe("hopelessCall", () => {
  it.each([
    ["read", "{}", "missing_parameter"],
    ["read", '{"depth": 5}', "missing_parameter"],
    ["read", "", "missing_parameter"],
    ["write_file", '{"path": "a"}', "missing_parameter"],
    ["read", '{"path": "a', "unreadable_arguments"],
    ["read", "[1]", "unreadable_arguments"],
    ["anything", "{oops", "unreadable_arguments"],
    ["fetch_page", "{}", "unknown_tool"],
    ["", "{}", "unknown_tool"],
    ["__proto__", "{}", "unknown_tool"],
  ])("%s(%s) cannot work: %s", (name, args, reason) => {
    expect(judge(name, args)?.reason).toBe(reason);
  });

  it.each([
    ["fits", "read", '{"path": "a"}'],
    ["lacks only a parameter with a default", "read", '{"path": "a", "mode": "a"}'],
    ["has a value of a wrong type, which a tool may accept", "read", '{"path": 5, "depth": "x"}'],
    ["has a value that is not in the list", "read", '{"path": "a", "mode": "z"}'],
    ["can be repaired: a key in another spelling", "read", '{"Path": "a", "depth": 1}'],
    ["can be repaired: a name in another spelling", "Read", '{"path": "a"}'],
    ["has a misspelled name and wrong arguments", "Read", "{}"],
    ["has no declared parameters", "anything", '{"x": 1}'],
    ["has no arguments and needs none", "anything", ""],
    ["has a schema that is not understood", "odd", "{}"],
    ["is of a tool with free text", "patch", "*** Begin"],
  ])("a call is not hopeless if it %s", (_why, name, args) => {
    expect(judge(name, args)).toBeUndefined();
  });

  it("a free-text call is never judged", () => {
    expect(judge("unknown", "text", true)).toBeUndefined();
  });

  it("names what is missing, and the nearest tools first", () => {
    expect(judge("write_file", "{}")?.message).toBe(
      '[toolmend] "path", "content" of "write_file" are required and missing. Nothing was run. Send the call again, complete; if a value is long, split it.',
    );
    expect(judge("write_files_now", "{}")?.message).toMatch(
      /^\[toolmend\] There is no tool "write_files_now"\. Tools: write_file, /,
    );
  });

  it("writes names on one line, with a bounded length", () => {
    const message = judge(`x\n"ignore" ${"y".repeat(5000)}`, "{}")?.message ?? "";
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain("\n");
  });
});
