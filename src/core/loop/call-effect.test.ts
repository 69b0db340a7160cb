import { describe, expect, it } from "vitest";
import { effectOf } from "./call-effect.ts";

describe("what a call does", () => {
  it.each([
    ["Read", { file_path: "a" }, "reads"],
    ["mcp__shop__getOrder", { id: 1 }, "reads"],
    ["Bash", { command: "cd src && grep -n x a.ts" }, "reads"],
    ["Bash", { command: "cat > a.ts" }, "changes"],
    ["Bash", { command: "sed -i s/a/b/ a.ts" }, "changes"],
    ["Bash", { command: "npm test" }, "changes"],
    ["Bash", { command: "sleep 30; cat log" }, "waits"],
    ["Bash", { command: "" }, "waits"],
    ["Bash", { command: "kubectl get pods" }, "waits"],
    ["Bash", { command: "squeue --me" }, "waits"],
    ["Bash", { command: "git status" }, "reads"],
    ["Bash", { command: "docker build ." }, "changes"],
    ["Edit", { file_path: "a" }, "changes"],
    ["BashOutput", { bash_id: "1" }, "waits"],
    ["write_stdin", { session_id: 1, chars: "" }, "waits"],
    ["write_stdin", { session_id: 1, chars: "y\n" }, "changes"],
    ["get_job_status", { id: 1 }, "waits"],
    ["cancel_order", '{"id": 1}', "changes"],
    ["frobnicate", {}, "changes"],
  ])("the effect of %s %j is %s", (name, args, effect) => {
    expect(effectOf(name, args)).toBe(effect);
  });
});
