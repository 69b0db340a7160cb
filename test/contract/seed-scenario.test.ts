import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import type { Script } from "../../src/demo/upstream/script.ts";
import { answer, call } from "../../src/demo/upstream/turn.ts";
import type { CallRow, SessionDetail } from "../../src/store/port.ts";
import { openSqliteReader } from "../../src/store/sqlite/sqlite-store.ts";
import { ClaudeTranscript } from "../support/claude-transcript.ts";
import { basePayload } from "../support/hook-session.ts";
import { startBoth, temporaryFolder } from "../support/running.ts";

// The session that the scores were designed on: Read works, Bash exits with 1, the Edit after it fails, Write works.

const SESSION = "seed-003";

const STEPS = [
  { tool: "Read", input: { file_path: "/p/a.ts" }, content: "1\tconst a = 1;", is_error: false },
  { tool: "Bash", input: { command: "npm run build" }, content: "Exit code 1", is_error: true },
  { tool: "Edit", input: { file_path: "/p/gone.ts", old_string: "a", new_string: "b" }, content: "", is_error: true },
  { tool: "Write", input: { file_path: "/p/new.ts", content: "x" }, content: "File created.", is_error: false },
] as const;

type Step = (typeof STEPS)[number];
const saysIn = (step: Step, editSays: string): string => (step.tool === "Edit" ? editSays : step.content);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = temporaryFolder();
  folders.push(folder);
  return folder;
}

async function stored(data: string): Promise<SessionDetail> {
  const reader = openSqliteReader(join(data, "toolmend.db"));
  const detail = await reader.sessionDetail("default", SESSION);
  await reader.close();
  return detail as SessionDetail;
}

/** The whole session as a client has it, through the real proxy; told by what was stored. */
async function throughTheProxy(editSays: string): Promise<SessionDetail> {
  const data = newFolder();
  const script: Script = ({ messages }) => {
    const done = JSON.stringify(messages).match(/"tool_result"/g)?.length ?? 0;
    const step = STEPS[done];
    return step === undefined ? answer("Done.") : answer(call(step.tool, step.input));
  };
  const running = await startBoth(script, { data });
  const messages: unknown[] = [{ role: "user", content: "Build it." }];
  for (let at = 0; at <= STEPS.length; at += 1) {
    const response = await fetch(`${running.url}/v1/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "claude-cli/2.1.0 (external, cli)",
        "x-claude-code-session-id": SESSION,
      },
      body: JSON.stringify({ model: "m", max_tokens: 9, messages }),
    });
    const said = (await response.json()) as { content: { type: string; id: string }[] };
    messages.push({ role: "assistant", content: said.content });
    const step = STEPS[at];
    if (step === undefined) break;
    const content = saysIn(step, editSays);
    const results = said.content
      .filter(({ type }) => type === "tool_use")
      .map(({ id }) => ({ type: "tool_result", tool_use_id: id, content, is_error: step.is_error }));
    messages.push({ role: "user", content: results });
  }
  await running.close();
  return await stored(data);
}

/** The same as the client's hooks tell it, with nothing else running. */
async function throughHooks(editSays: string): Promise<SessionDetail> {
  const data = newFolder();
  const running = await startBoth(() => answer("Unused."), { data });
  const events = STEPS.flatMap((step, at) => {
    const call = { tool_name: step.tool, tool_input: step.input, tool_use_id: `toolu_step${at}` };
    const base = (event: string): object => ({ ...basePayload(event, { session: SESSION }), ...call });
    const after = step.is_error
      ? { ...base("PostToolUseFailure"), error: saysIn(step, editSays), is_interrupt: false }
      : { ...base("PostToolUse"), tool_response: step.content };
    return [base("PreToolUse"), after];
  });
  for (const event of [...events, basePayload("Stop", { session: SESSION })]) {
    const told = await fetch(`${running.url}/hooks/claude-code`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(event),
    });
    expect(told.status).toBe(200);
  }
  await running.close();
  return await stored(data);
}

/** The same as the client writes it down, read with no server. */
async function throughTranscript(editSays: string): Promise<SessionDetail> {
  const data = newFolder();
  const transcript = new ClaudeTranscript({ session: SESSION }).prompt("Build it.");
  for (const [at, step] of STEPS.entries()) {
    const id = `toolu_step${at}`;
    transcript.calls([{ id, name: step.tool, input: step.input }]);
    if (step.is_error) transcript.failed(id, saysIn(step, editSays));
    else transcript.ok(id, step.content);
  }
  const file = join(data, "session.jsonl");
  writeFileSync(file, transcript.text());
  let err = "";
  const code = await main(["import", file, "--data", data], {
    out: () => {},
    err: (text) => {
      err += text;
    },
    environment: {},
    isTerminal: false,
    width: 100,
    now: Date.now,
  });
  expect([code, err]).toEqual([0, ""]);
  return await stored(data);
}

function scores({ scores: all }: Pick<CallRow | SessionDetail, "scores">): Record<string, number | string> {
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
}

describe.each([
  ["raw proxy traffic", throughTheProxy],
  ["hook payloads", throughHooks],
  ["a transcript", throughTranscript],
])("the design's own session, as %s alone", (_channel, told) => {
  it("has its scores: a primary failure, then a cascade by the design's rule, and no shared cause", async () => {
    const detail = await told("<tool_use_error>Something went wrong.</tool_use_error>");
    expect(detail.calls.map(({ tool_name, position }) => [tool_name, position])).toEqual([
      ["Read", 0],
      ["Bash", 1],
      ["Edit", 2],
      ["Write", 3],
    ]);
    const [read, bash, edit, write] = detail.calls.map(scores);
    expect(read).toEqual({ tool_success: 1 });
    expect(bash).toEqual({
      tool_success: 0,
      failure_category: "exit_code",
      error_severity: 0.8,
      is_cascade_failure: 0,
    });
    expect(edit).toEqual({ tool_success: 0, failure_category: "error", error_severity: 0.6, is_cascade_failure: 1 });
    expect(write).toEqual({ tool_success: 1 });
    expect(detail.calls[2]).toMatchObject({ preceding_tool: "Bash", preceding_success: false, cascade_of: null });
    expect(detail.calls.map(({ arguments_preview }) => arguments_preview)).toEqual([
      null,
      '{"command":"npm run build"}',
      '{"file_path":"/p/gone.ts","old_string":"a","new_string":"b"}',
      null,
    ]);
    expect(scores(detail)).toEqual({
      session_success_rate: 0.5,
      session_health: "degraded",
      dominant_failure_mode: "error",
      session_rate_health: "insufficient",
    });
  });

  it("says not_found of an Edit whose text says that its file does not exist", async () => {
    const detail = await told("<tool_use_error>File does not exist.</tool_use_error>");
    expect(scores(detail.calls[2] as CallRow)).toEqual({
      ...{ tool_success: 0, failure_category: "not_found", error_severity: 0.4, is_cascade_failure: 1 },
    });
  });
});
