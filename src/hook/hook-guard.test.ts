import { describe, expect, it } from "vitest";
import { HookGuard } from "./hook-guard.ts";

const SESSION = { session_id: "s1" };
let next = 0;

function ask(guard: HookGuard, tool_name: string, tool_input: object, more: object = {}): string {
  next += 1;
  const tool_use_id = `id${next}`;
  return guard.answer(
    JSON.stringify({ ...SESSION, hook_event_name: "PreToolUse", tool_name, tool_input, tool_use_id, ...more }),
  );
}

function finish(
  guard: HookGuard,
  calls: readonly [tool: string, input: object, response: unknown, id?: string][],
): void {
  const tool_calls = calls.map(([tool_name, tool_input, tool_response, id]) => {
    next += 1;
    return { tool_name, tool_input, tool_response, tool_use_id: id ?? `id${next}` };
  });
  guard.read(JSON.stringify({ ...SESSION, hook_event_name: "PostToolBatch", tool_calls }));
}

const READ = ["Read", { file_path: "/a" }] as const;

/** The same call with the same result, this many times. */
function repeat(
  guard: HookGuard,
  times: number,
  tool: string = READ[0],
  input: object = READ[1],
  result = "text",
): void {
  for (let at = 0; at < times; at += 1) {
    ask(guard, tool, input);
    finish(guard, [[tool, input, result]]);
  }
}

const create = (ignore: readonly string[] = []) => new HookGuard({ isOn: () => true, ignore });

describe("HookGuard", () => {
  it("blocks the call that would repeat what brought nothing new ten times", () => {
    const guard = create();
    repeat(guard, 10);
    expect(ask(guard, ...READ)).toBe("{}");
    repeat(guard, 1);
    const answer = JSON.parse(ask(guard, ...READ));
    expect(answer.hookSpecificOutput).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason:
        "[toolmend] This call was not run: the last 10 calls brought nothing new, and this one repeats them. Make a different call, or tell the user what was tried and what is missing.",
    });
  });

  it("lets another call pass, and the same call after a message of a person or a new result", () => {
    const guard = create();
    repeat(guard, 12);
    expect(ask(guard, "Read", { file_path: "/b" })).toBe("{}");
    finish(guard, [["Read", { file_path: "/a" }, "other text"]]);
    expect(ask(guard, ...READ)).toBe("{}");
    repeat(guard, 12);
    expect(ask(guard, ...READ)).toContain("deny");
    guard.read(JSON.stringify({ ...SESSION, hook_event_name: "UserPromptSubmit", prompt: "Go on" }));
    expect(ask(guard, ...READ)).toBe("{}");
  });

  it("never blocks a call that may change something", () => {
    const guard = create();
    repeat(guard, 15, "Bash", { command: "npm test" }, "1 failed");
    expect(ask(guard, "Bash", { command: "npm test" })).toBe("{}");
  });

  it("does not count its own refusals as results", () => {
    const guard = create();
    repeat(guard, 11);
    ask(guard, ...READ);
    finish(guard, [[...READ, "[toolmend] This call was not run", `id${next}`]]);
    expect(ask(guard, ...READ)).toContain("deny");
  });

  it("keeps agents of a session apart", () => {
    const guard = create();
    repeat(guard, 12);
    expect(ask(guard, ...READ, { agent_id: "sub" })).toBe("{}");
  });

  it("lets ignored calls repeat 30 times", () => {
    const guard = create(["Read"]);
    repeat(guard, 30);
    expect(ask(guard, ...READ)).toBe("{}");
    repeat(guard, 1);
    expect(ask(guard, ...READ)).toContain("deny");
  });

  it("lets everything pass while the guard is off, and events that cannot be read", () => {
    const guard = new HookGuard({ isOn: () => false });
    repeat(guard, 20);
    expect(ask(guard, ...READ)).toBe("{}");
    expect(create().answer("not JSON")).toBe("{}");
    expect(create().answer("[]")).toBe("{}");
  });
});
