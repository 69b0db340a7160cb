import { afterEach, describe, expect, it, vi } from "vitest";
import { bad, call, good, PROMPT, toolOf } from "../../../test/support/agent-run.ts";
import { runToolLoop } from "../loop/run-tool-loop.ts";
import { ToolError } from "../outcome/tool-error.ts";
import { collectRun, scriptedModel } from "../testing/index.ts";
import type { LogEntry } from "./hooks.ts";
import { createToolRegistry } from "./registry.ts";

const badCall = { id: "1", name: "bad", arguments: {} };

/** The lines that the console received. */
function watchConsole() {
  const lines: string[] = [];
  for (const level of ["warn", "error"] as const) {
    vi.spyOn(globalThis.console, level).mockImplementation((...parts: unknown[]) => {
      lines.push(`${level} ${parts.join(" ")}`);
    });
  }
  return lines;
}
afterEach(() => vi.restoreAllMocks());

describe("the log of a registry without a log hook", () => {
  it("prints the bug of a tool once, with its stack and without secrets", async () => {
    const lines = watchConsole();
    const registry = createToolRegistry([bad]);
    for (let times = 0; times < 3; times += 1) await registry.call(badCall);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^error \[toolmend\] Tool 'bad' failed: execution \(ref [a-z0-9]{6}\)\nError: /);
    expect(lines[0]).toContain("agent-run.ts");
    expect(lines[0]).not.toContain("s3cret");
  });

  it("prints the bug of a model function", async () => {
    const lines = watchConsole();
    const model = () => {
      throw new TypeError("messages.flat is not a function");
    };
    await collectRun(
      runToolLoop({ registry: createToolRegistry([good]), model, messages: [PROMPT], policy: { modelRetries: 0 } }),
    );
    expect(lines.join("\n")).toContain("messages.flat is not a function");
  });

  it("prints a failure that a tool reports once per tool, whatever its text", async () => {
    const lines = watchConsole();
    let times = 0;
    const reporting = toolOf("city", () => {
      times += 1;
      throw new ToolError(`No such city: ${times}`);
    });
    const registry = createToolRegistry([reporting]);
    for (let n = 0; n < 3; n += 1) await registry.call({ id: `${n}`, name: "city", arguments: {} });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^warn \[toolmend\] Tool 'city' failed: execution/);
  });

  it("prints nothing if it is switched off", async () => {
    const lines = watchConsole();
    await createToolRegistry([bad], { log: false }).call(badCall);
    await collectRun(
      runToolLoop({
        registry: createToolRegistry([bad], { log: false }),
        model: scriptedModel([{ calls: [call("bad")] }, "No."]),
        messages: [PROMPT],
      }),
    );
    expect(lines).toEqual([]);
  });
});

describe("a log function", () => {
  it("replaces the console, as an option of the registry or as a hook", async () => {
    const lines = watchConsole();
    const entries: LogEntry[] = [];
    const log = (entry: LogEntry): void => {
      entries.push(entry);
    };
    await createToolRegistry([bad], { log }).call(badCall);
    await createToolRegistry([bad], { hooks: { log } }).call(badCall);
    expect(entries.map(({ event, level }) => [event, level])).toEqual([
      ["execution", "error"],
      ["execution", "error"],
    ]);
    expect(lines).toEqual([]);
  });
});
