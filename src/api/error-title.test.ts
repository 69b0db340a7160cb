import { expect, it } from "vitest";
import { titleOf, withTitle } from "./error-title.ts";

const title = (sample: string): string => titleOf({ sample, category: "exit_code" });

it("the title of an error is the line that names the problem, not its exit status", () => {
  expect(title('Exit code 1\nnpm error Missing script: "bulid"')).toBe('npm error Missing script: "bulid"');
  expect(title("boom: no rule to make target\nExit code 2")).toBe("boom: no rule to make target");
});

it("the title of an error is its exit status or category if it has no other text", () => {
  expect(title("Exit code 1")).toBe("Exit code 1");
  expect(title("")).toBe("exit_code");
});

it("the title of an error has no tag that a client puts around it, also if its end was cut", () => {
  const row = {} as Parameters<typeof withTitle>[0];
  const shown = (sample: string): string[] => {
    const { title: line, sample: text } = withTitle({ ...row, sample, category: "other" });
    return [line, text];
  };
  expect(shown("<tool_use_error>File not read.</tool_use_error>")).toEqual(["File not read.", "File not read."]);
  expect(shown("<tool_use_error>File not read.")).toEqual(["File not read.", "File not read."]);
  expect(shown("<error_page>x</error_page>")).toEqual(["<error_page>x</error_page>", "<error_page>x</error_page>"]);
});
