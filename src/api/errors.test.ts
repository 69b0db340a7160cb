import { expect, it } from "vitest";
import { titleOf } from "./errors.ts";

const title = (sample: string): string => titleOf({ sample, category: "exit_code" });

it("titles an error by the line that names the problem, not by its exit status", () => {
  expect(title('Exit code 1\nnpm error Missing script: "bulid"')).toBe('npm error Missing script: "bulid"');
  expect(title("boom: no rule to make target\nExit code 2")).toBe("boom: no rule to make target");
});

it("titles an error by its exit status or category if it has no other text", () => {
  expect(title("Exit code 1")).toBe("Exit code 1");
  expect(title("")).toBe("exit_code");
});
