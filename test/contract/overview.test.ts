import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/cli/version.ts";
import { bash, ClaudeTranscript, type MadeCall } from "../support/claude-transcript.ts";
import { CodexRollout, exited } from "../support/codex-rollout.ts";
import { NOON } from "../support/observations.ts";
import { type Ran, runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/running.ts";

let home: string;
beforeEach(() => {
  home = temporaryFolder();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const UNREAD = "File has not been read yet. Read it first before writing to it.";
const READ_FIRST =
  "Add to CLAUDE.md or AGENTS.md: Read a file in the same session before you edit it, and read it again after a formatter, a build or a person may have changed it.";
const CLAUDE_LINE =
  "ANTHROPIC_BASE_URL=http://127.0.0.1:4100 ENABLE_TOOL_SEARCH=true CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1 claude";

/** Writes a file of an agent, `age` minutes before noon. */
function write(path: string, text: string, age: number): void {
  const file = join(home, path);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
  const at = (NOON - age * 60_000) / 1000;
  utimesSync(file, at, at);
}

const edit = (id: string): MadeCall => ({ id, name: "Edit", input: { file_path: `${id}.ts` } });

/** 5 calls, 3 failed: an unhealthy session. */
const claudeSession = (): string => {
  const transcript = new ClaudeTranscript().prompt("fix the parser");
  for (const id of ["e1", "e2", "e3"]) transcript.calls([edit(id)]).failed(id, UNREAD);
  for (const id of ["b1", "b2"]) transcript.calls([bash(id, `ls ${id}`)]).ok(id, `done ${id}`);
  return transcript.text();
};

/** 6 calls in a row with the same result, then one that fails. */
const codexSession = (): string => {
  const rollout = new CodexRollout();
  for (let n = 0; n < 6; n++) rollout.call(`c${n}`, "cat a.txt").output(`c${n}`, exited(0, "same"));
  return rollout.call("c9", "pnpm build").output("c9", exited(127, "sh: pnpm: command not found")).text();
};

function writeBoth(): void {
  write(".claude/projects/-home-dev/5e551011.jsonl", claudeSession(), 1);
  write(".codex/sessions/2026/07/01/rollout-1.jsonl", codexSession(), 2);
}

const environment = (): NodeJS.ProcessEnv => ({
  HOME: home,
  CLAUDE_CONFIG_DIR: join(home, ".claude"),
  CODEX_HOME: join(home, ".codex"),
  TOOLMEND_DATA: join(home, "data"),
});

const toolmend = (...args: readonly string[]): Promise<Ran> => runCommand(args, { environment: environment() });

const filesInHome = (): readonly string[] => readdirSync(home, { recursive: true }).map(String).sort();

describe("toolmend without a command", () => {
  it("shows calls, failures, sessions in trouble, the worst problems with advice, and the next steps", async () => {
    writeBoth();
    const { code, out, err } = await toolmend("--max-seconds", "60");
    expect([code, err]).toEqual([0, ""]);
    expect(out.split("\n")).toEqual([
      "Read 2 of 2 files, newest first. Nothing was stored.",
      "12 calls in 2 sessions: 4 failed (33.3 % of calls with a known outcome)",
      "Sessions in trouble: 2 (1 unhealthy, 1 with a loop)",
      "",
      `3× [PRECONDITION] Edit - ${UNREAD}`,
      `   ${READ_FIRST}`,
      "1× [NOT_FOUND] exec_command exit=127 - sh: pnpm: command not found",
      "   Install the missing program in the agent's environment, or add to CLAUDE.md or AGENTS.md which programs are available instead.",
      "",
      "Dashboard:    npm run -s toolmend -- start    (with these transcripts: npm run -s toolmend -- import)",
      `Your client:  ${CLAUDE_LINE}`,
      "",
    ]);
  });

  it("creates no files and no folders", async () => {
    writeBoth();
    const before = filesInHome();
    await toolmend();
    await toolmend("--json");
    expect(filesInHome()).toEqual(before);
  });

  it("prints the same facts as JSON", async () => {
    writeBoth();
    const { code, out, err } = await toolmend("--json", "--max-seconds", "60");
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({
      files_found: 2,
      files_read: 2,
      files_partial: 0,
      files_unreadable: 0,
      calls: 12,
      failed: 4,
      unknown: 0,
      failure_rate: 4 / 12,
      sessions: 2,
      sessions_in_trouble: 2,
      sessions_unhealthy: 1,
      sessions_looping: 1,
      problems: [
        { count: 3, tool: "Edit", sample: UNREAD, category: "precondition", advice: { text: READ_FIRST } },
        { count: 1, tool: "exec_command" },
      ],
      next: {
        start: "npm run -s toolmend -- start",
        import: "npm run -s toolmend -- import",
        demo: "npm run -s toolmend -- demo",
        more: "npm run -s toolmend -- --max-seconds 60",
        connect: CLAUDE_LINE,
      },
    });
  });

  it("names the line of the client with the newest transcript", async () => {
    write(".claude/projects/-home-dev/5e551011.jsonl", claudeSession(), 2);
    write(".codex/sessions/2026/07/01/rollout-1.jsonl", codexSession(), 1);
    expect((await toolmend()).out).toMatch(
      /^Your client: {2}codex -c openai_base_url=http:\/\/127\.0\.0\.1:4100\/v1$/m,
    );
  });

  it("reads only the newest file if there is no time, and names how to read more", async () => {
    write(".claude/projects/-home-dev/new.jsonl", claudeSession(), 1);
    for (let n = 0; n < 40; n++) write(`.codex/sessions/rollout-${n}.jsonl`, codexSession(), 2 + n);
    const { code, out } = await toolmend("--max-seconds", "0");
    expect(code).toBe(0);
    expect(out.split("\n").slice(0, 2)).toEqual([
      "Read 1 of 41 files, newest first. Nothing was stored. `npm run -s toolmend -- --max-seconds 60` reads more.",
      "5 calls in 1 session: 3 failed (60.0 % of calls with a known outcome)",
    ]);
  });

  it("stops inside a file of several megabytes and reports that it was read in part", async () => {
    const filler = `${JSON.stringify({ type: "summary", summary: "x".repeat(1000) })}\n`.repeat(8000);
    write(".claude/projects/-home-dev/long.jsonl", claudeSession() + filler, 1);
    const { out } = await toolmend("--max-seconds=0");
    expect(out.split("\n").slice(0, 2)).toEqual([
      "Read 1 of 1 file, newest first, the last one in part. Nothing was stored. `npm run -s toolmend -- --max-seconds 60` reads more.",
      "5 calls in 1 session: 3 failed (60.0 % of calls with a known outcome)",
    ]);
  });

  it("offers the demo and the server if there are no transcripts", async () => {
    const { code, out, err } = await toolmend();
    expect([code, err]).toEqual([0, ""]);
    const folders = [".claude/projects", ".codex/sessions", ".codex/archived_sessions", ".local/share/opencode"]
      .concat(".qwen/projects", ".gemini/tmp", ".pi/agent/sessions", ".copilot/session-state", ".continue/sessions")
      .concat(".cline/data/sessions")
      .map((path) => `  ~/${path}\n`);
    expect(out).toBe(
      `No transcripts of coding agents found in:\n${folders.join("")}\n` +
        "See it with generated data:  npm run -s toolmend -- demo\nRecord your own agents:      npm run -s toolmend -- start\n",
    );
    expect(filesInHome()).toEqual([]);
  });

  it("offers the demo and the server if the files contain no calls", async () => {
    write(".claude/projects/-home-dev/a.jsonl", '{"display":"hi","timestamp":1}\n', 1);
    const { code, out } = await toolmend();
    expect(code).toBe(0);
    expect(out).toMatch(
      /^Read 1 of 1 file, newest first\. Nothing was stored\. No tool calls found in them\.\n\nSee it/,
    );
  });

  it("prints an empty answer as JSON if there are no transcripts", async () => {
    const { code, out, err } = await toolmend("--json");
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toMatchObject({
      files_found: 0,
      files_read: 0,
      calls: 0,
      failure_rate: null,
      problems: [],
    });
  });

  it("prints no control characters of transcripts, as text or as JSON", async () => {
    const evil = "e\u001b[2J\u001b]0;x\u0007\u009b8m\b\u202evil";
    const transcript = new ClaudeTranscript().prompt("go").calls([{ id: "x1", name: evil, input: {} }]);
    write(".claude/projects/-home-dev/a.jsonl", transcript.failed("x1", `Error: ${evil}`).text(), 1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/;
    const [text, json] = [await toolmend(), await toolmend("--json")];
    expect(text.out).toContain("1 failed");
    expect(text.out).not.toMatch(controls);
    expect(json.out).not.toMatch(controls);
    expect(JSON.parse(json.out).problems[0].count).toBe(1);
  });

  it("finds the folders in the home folder", { timeout: 60_000 }, async () => {
    writeBoth();
    const before = filesInHome();
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const args = [join(packageRoot, "bin", "toolmend.mjs"), "--max-seconds", "60"];
    const out = await new Promise<string>((resolve, reject) => {
      const env = { PATH, NODE_COMPILE_CACHE, HOME: home };
      execFile(process.execPath, args, { cwd: home, env }, (error, text) => (error ? reject(error) : resolve(text)));
    });
    expect(out).toMatch(/^Read 2 of 2 files, newest first\.[^\n]*\n12 calls in 2 sessions: 4 failed/);
    expect(filesInHome()).toEqual(before);
  });
});
