import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClaudeTranscript } from "../support/claude-transcript.ts";
import { NOON } from "../support/observations.ts";
import { recordedEvents } from "../support/recorded-events.ts";
import { runCommand } from "../support/run-command.ts";
import { type Running, startInFrontOf } from "../support/running.ts";

const NOWHERE = "http://127.0.0.1:1";
let folder: string;
let running: Running | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-loop-sources-"));
});
afterEach(async () => {
  await running?.close();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const id = (n: number): string => `toolu_01ABCDEFGHIJ${n}`;

describe("the same loop of seven calls", () => {
  it("a loop is found in a transcript, without a server and without storing anything", async () => {
    const transcript = new ClaudeTranscript({ session: "5e551011-0000-4000-8000-0000000000ff" }).prompt("Fix it.");
    for (let n = 0; n < 7; n += 1)
      transcript.calls([{ id: id(n), name: "Read", input: { file_path: "/a.ts" } }]).ok(id(n), "text of a");
    writeFileSync(join(folder, "5e551011-0000-4000-8000-0000000000ff.jsonl"), transcript.text());
    const { code, out } = await runCommand(["report", folder, "--by", "loop", "--json"], {
      now: () => NOON + 3_600_000,
    });
    expect(code).toBe(0);
    const { rows } = JSON.parse(out) as { readonly rows: readonly object[] };
    expect(rows).toMatchObject([{ kind: "repeat", period: 1, run: 6, tools: ["Read"], model: "claude-test-5" }]);
    expect((await runCommand(["report", folder, "--by", "loop"], { now: () => NOON + 3_600_000 })).out).toContain(
      "Read   repeat    6",
    );
  });

  it("the loop is found in hook events", async () => {
    running = await startInFrontOf(NOWHERE);
    const base = { session_id: "hooked", cwd: "/x", permission_mode: "default", tool_name: "Read" };
    for (let n = 0; n < 7; n += 1) {
      const event = {
        tool_use_id: id(n),
        tool_input: { file_path: "/a.ts" },
        tool_response: { type: "text", text: "a" },
      };
      const response = await fetch(`${running.url}/hooks/claude-code`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...base, ...event, hook_event_name: "PostToolUse" }),
      });
      expect(response.ok).toBe(true);
    }
    const loops = (await recordedEvents(running)).filter(({ type }) => type === "loop_detected");
    expect(loops.map(({ level, tool_name }) => [level, tool_name])).toEqual([
      [3, "Read"],
      [6, "Read"],
    ]);
  });

  it("the loop is found in what a library reports", async () => {
    running = await startInFrontOf(NOWHERE);
    const lines = Array.from({ length: 7 }, (_, n) =>
      JSON.stringify({
        ...{
          session_id: "reported",
          tool_call_id: id(n),
          tool_name: "Read",
          arguments: { path: "a" },
          content: "text",
        },
        occurred_at: Date.now() - 10_000 + n,
      }),
    );
    await fetch(`${running.url}/api/ingest`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson" },
      body: lines.join("\n"),
    });
    const loops = (await recordedEvents(running)).filter(({ type }) => type === "loop_detected");
    expect(loops.map(({ level }) => level)).toEqual([3, 6]);
  });
});
