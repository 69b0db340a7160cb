import { expect, it } from "vitest";
import { formatLogLine } from "./log-line.ts";
import { createLogger } from "./logger.ts";

const plain = (_style: unknown, text: string): string => text;

it("shows time, level, message and fields of a log line", () => {
  const line = JSON.stringify({
    level: 40,
    time: Date.UTC(2026, 2, 1, 9, 5, 7),
    name: "agent:sanitizer",
    format: "hermes-json",
    reason: undefined,
    parsed: 1,
    repairs: ["single-quotes", "dropped-comma"],
    tools: [],
    problem: "two words",
    msg: "repaired a leaked call",
  });
  expect(formatLogLine(`${line}\n`, plain)).toBe(
    '09:05:07 warn  repaired a leaked call  format=hermes-json parsed=1 repairs=single-quotes,dropped-comma problem="two words"\n',
  );
});

it("shows an error by its message", () => {
  const lines: string[] = [];
  const logger = createLogger("error", { write: (line) => void lines.push(formatLogLine(line, plain)) });
  logger.error(new Error("disk full"));
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d error disk full {2}err="disk full"\n$/);
});

it("keeps control characters of models and tools from the terminal", () => {
  const line = JSON.stringify({ level: 40, time: 0, model: "\u001b[2Jx\u009b", msg: "left\u001b]0;a leaked call" });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not occur
  expect(formatLogLine(line, plain)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

it.each(["", "not JSON\n", "[]\n", '{"msg":"no time"}\n'])("leaves %j as it is", (line) => {
  expect(formatLogLine(line, plain)).toBe(line);
});
