import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { CallRow, SessionDetail } from "../../src/store/port.ts";
import { openSqliteReader } from "../../src/store/sqlite/sqlite-store.ts";
import { temporaryFolder } from "../support/running.ts";
import { SOURCES, type SourceSession } from "../support/session-sources.ts";

/**
 * The session from the design of the scores: Read succeeds, Bash exits with 1, the following Edit fails, Write
 * succeeds.
 */
function theSession(editText: string): SourceSession {
  const missingFile = { file_path: "/p/gone.ts", old_string: "a", new_string: "b" };
  return {
    session: "seed-003",
    prompt: "Build it.",
    steps: [
      { tool: "Read", input: { file_path: "/p/a.ts" }, text: "1\tconst a = 1;", fails: false },
      { tool: "Bash", input: { command: "npm run build" }, text: "Exit code 1", fails: true },
      { tool: "Edit", input: missingFile, text: editText, fails: true },
      { tool: "Write", input: { file_path: "/p/new.ts", content: "x" }, text: "File created.", fails: false },
    ],
  };
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function scores({ scores: all }: Pick<CallRow | SessionDetail, "scores">): Record<string, number | string> {
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
}

describe.each(SOURCES)("the design's example session, as %s alone", (_channel, record) => {
  async function recordSession(editText: string): Promise<SessionDetail> {
    const data = temporaryFolder();
    folders.push(data);
    await record(theSession(editText), data);
    const reader = openSqliteReader(join(data, "toolmend.db"));
    const detail = await reader.sessionDetail("default", "seed-003");
    await reader.close();
    return detail as SessionDetail;
  }

  it("gets the scores of the design: a root failure, then a cascade failure without a shared cause", async () => {
    const detail = await recordSession("<tool_use_error>Something went wrong.</tool_use_error>");
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

  it("gets category not_found for an Edit whose text reports a missing file", async () => {
    const detail = await recordSession("<tool_use_error>File does not exist.</tool_use_error>");
    expect(scores(detail.calls[2] as CallRow)).toEqual({
      ...{ tool_success: 0, failure_category: "not_found", error_severity: 0.4, is_cascade_failure: 1 },
    });
  });
});
