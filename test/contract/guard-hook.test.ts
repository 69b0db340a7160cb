import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { runCommand } from "../support/run-command.ts";
import { type Running, startBoth, temporaryFolder } from "../support/running.ts";
import { respond } from "../support/upstream/turn.ts";

let running: Running | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function post(path: string, payload: object): Promise<string> {
  const response = await fetch(`${running?.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ session_id: "s1", ...payload }),
  });
  expect(response.status).toBe(200);
  return await response.text();
}

const CALL = { tool_name: "Read", tool_input: { file_path: "/a" } };
const ask = (id: string) =>
  post("/hooks/claude-code/guard", { hook_event_name: "PreToolUse", ...CALL, tool_use_id: id });

it("the guard's hook blocks a looping call, and other hooks never do", async () => {
  running = await startBoth(() => respond("Noted."));
  for (let at = 0; at < 11; at += 1) {
    expect(await ask(`c${at}`)).toBe("{}");
    const tool_calls = [{ ...CALL, tool_use_id: `c${at}`, tool_response: "text" }];
    expect(await post("/hooks/claude-code", { hook_event_name: "PostToolBatch", tool_calls })).toBe("{}");
  }
  expect(await post("/hooks/claude-code", { hook_event_name: "PreToolUse", ...CALL, tool_use_id: "c11" })).toBe("{}");
  expect(JSON.parse(await ask("c11"))).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  const metrics = await (await fetch(`${running.url}/metrics`)).text();
  expect(metrics).toContain('toolmend_guard_actions_total{action="block"} 1');
  await post("/hooks/claude-code", { hook_event_name: "UserPromptSubmit", prompt: "Go on." });
  expect(await ask("c12")).toBe("{}");
});

it("`hook install --guard` adds a separate hook, which uninstall removes", async () => {
  const folder = temporaryFolder();
  const environment = { CLAUDE_CONFIG_DIR: folder, TOOLMEND_DATA: join(folder, "data") };
  const installed = await runCommand(["hook", "install", "claude-code", "--guard"], { environment });
  expect(installed.code).toBe(0);
  const settings = JSON.parse(readFileSync(join(folder, "settings.json"), "utf8"));
  expect(settings.hooks.PreToolUse).toEqual([
    { hooks: [{ type: "http", url: "http://127.0.0.1:4100/hooks/claude-code/guard", timeout: 1 }] },
  ]);
  const spooled = await runCommand(["hook", "install", "claude-code", "--guard", "--spool"], { environment });
  expect([spooled.code, spooled.err]).toEqual([
    2,
    expect.stringContaining("--guard is available for claude-code only"),
  ]);
  const removed = await runCommand(["hook", "uninstall", "claude-code"], { environment });
  expect(removed.out).toContain("Removed");
  rmSync(folder, { recursive: true });
});
