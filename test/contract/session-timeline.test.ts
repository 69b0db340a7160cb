import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/running.ts";
import {
  recordByHooks,
  recordByProxy,
  recordByTranscript,
  SOURCES,
  type SourceSession,
} from "../support/session-sources.ts";

const mkdir = { tool: "Bash", input: { command: "mkdir -p /srv/app/out" } };
const noRoom = "Exit code 1\nmkdir: cannot create directory '/srv/app/out': No space left on device";

/**
 * One root failure, three follow-on failures, two retries of which the last succeeds. Texts and arguments imitate real
 * tools.
 */
const SESSION: SourceSession = {
  session: "5e551011-0000-4000-8000-00000000c0de",
  prompt: "The build is broken, please fix it.",
  steps: [
    { tool: "Read", input: { file_path: "/srv/app/Makefile" }, text: "all:\n\tnode build.js", fails: false },
    { ...mkdir, text: noRoom, fails: true },
    {
      tool: "Write",
      input: { file_path: "/srv/app/out/x.js", content: "1" },
      text: "ENOENT: no such file or directory, open '/srv/app/out/x.js'",
      fails: true,
    },
    { tool: "Read", input: { file_path: "/srv/app/out/x.js" }, text: "File does not exist.", fails: true },
    {
      tool: "Glob",
      input: { path: "/srv/app/out", pattern: "*.js" },
      text: "Directory does not exist: /srv/app/out",
      fails: true,
    },
    { ...mkdir, text: noRoom, fails: true },
    { ...mkdir, text: "", fails: false },
  ],
};

interface Shown {
  readonly session: { readonly health: string; readonly unrecovered: number };
  readonly story: Readonly<Record<string, number>>;
  readonly calls: readonly {
    readonly tool_name: string;
    readonly retry_of: string | null;
    readonly cascade_of: string | null;
    readonly recovered_by: string | null;
    readonly workflow: string | null;
  }[];
}

let data: string;
beforeEach(() => {
  data = temporaryFolder();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

async function expectTimeline(): Promise<void> {
  const { out } = await runCommand(["show", "5e551011", "--data", data]);
  expect(out).toContain("\n1 root failure, 3 follow-ons, 2 retries, 1 recovery\n");
  const shown = JSON.parse((await runCommand(["show", "5e551011", "--data", data, "--json"])).out) as Shown;
  expect(shown.story).toEqual({ roots: 1, follow_ons: 3, retries: 2, recoveries: 1 });
  expect(shown.session).toMatchObject({ health: "unhealthy", unrecovered: 0 });
  const step = (n: number): string => `toolu_01Step000${n}`;
  expect(shown.calls.map((one) => [one.tool_name, one.cascade_of, one.retry_of, one.recovered_by])).toEqual([
    ["Read", null, null, null],
    ["Bash", null, null, step(6)],
    ["Write", step(1), null, null],
    ["Read", step(1), null, null],
    ["Glob", step(1), null, null],
    ["Bash", null, step(1), step(6)],
    ["Bash", null, step(5), null],
  ]);
  expect(new Set(shown.calls.map(({ workflow }) => workflow))).toEqual(new Set(["bug_fix"]));
}

describe("a session with one root failure, three follow-ons, two retries and one recovery has exactly these links", () => {
  it.each(SOURCES)("recorded from %s alone", async (_channel, record) => {
    await record(SESSION, data);
    await expectTimeline();
  });

  it("recorded from hooks, proxy and transcript together", async () => {
    await recordByHooks(SESSION, data);
    await recordByProxy(SESSION, data);
    await recordByTranscript(SESSION, data);
    await expectTimeline();
  });

  it("recorded from a proxy that joined midway and a complete transcript", async () => {
    await recordByProxy(SESSION, data, 3);
    await recordByTranscript(SESSION, data);
    await expectTimeline();
  });

  it("recorded from a proxy that joined midway and complete hooks", async () => {
    await recordByHooks(SESSION, data);
    await recordByProxy(SESSION, data, 3);
    await expectTimeline();
  });
});
