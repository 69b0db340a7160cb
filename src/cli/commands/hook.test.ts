import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { NOON } from "../../../test/support/observations.ts";
import type { HookAgent } from "../../hook/agent-names.ts";
import { isToolmendHook } from "../../hook/install/toolmend-hooks.ts";
import { portableSpoolLine } from "../../hook/spool-line.ts";
import { dataFolder } from "../../ingest/data-folder.ts";
import { openSqliteStore } from "../../store/sqlite/sqlite-store.ts";
import type { Io } from "../io.ts";
import { main } from "../main.ts";
import { packageRoot } from "../version.ts";
import { hookCommand } from "./hook.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "toolmend-hook-"));
  mkdirSync(join(home, ".claude"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const output = { out: "", err: "" };
  const io: Io = {
    out: (text) => {
      output.out += text;
    },
    err: (text) => {
      output.err += text;
    },
    ...{ environment: { HOME: home }, isTerminal: false, width: 80, now: Date.now },
  };
  const code = await main(["hook", "--data", join(home, "data"), "--url", "http://127.0.0.1:4100", ...args], io);
  return { code, ...output };
}

const settings = () => join(home, ".claude", "settings.json");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const OTHERS =
  '{\n    "model": "x",\n    "hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}]}\n}';

describe("toolmend hook", () => {
  it("does not follow a planted symlink, and writes the target of a symlinked settings file", async () => {
    const [victim, target] = [join(home, "victim"), join(home, "dotfiles-settings.json")];
    writeFileSync(victim, "mine");
    symlinkSync(victim, `${target}.toolmend-new`);
    symlinkSync(target, settings());
    expect((await run("install", "claude-code")).code).toBe(0);
    expect(readFileSync(victim, "utf8")).toBe("mine");
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true);
    expect(Object.keys(read(target).hooks)).toContain("Stop");
  });

  it("install adds its events and keeps existing hooks; uninstall restores the file byte for byte", async () => {
    writeFileSync(settings(), OTHERS, { mode: 0o640 });
    const { code, out } = await run("install", "claude-code");
    expect(code).toBe(0);
    expect(out).toContain("settings.json.toolmend-backup");
    const { hooks } = read(settings());
    expect(Object.keys(hooks)).toEqual([
      ...["PostToolUse", "PostToolUseFailure", "PostToolBatch", "UserPromptSubmit"],
      ...["Stop", "SubagentStop", "SessionStart", "SessionEnd"],
    ]);
    expect(hooks.PostToolUse[0]).toEqual({ matcher: "Edit", hooks: [{ type: "command", command: "fmt" }] });
    expect(hooks.PostToolUse[1].hooks[0]).toEqual({
      ...{ type: "http", url: "http://127.0.0.1:4100/hooks/claude-code", timeout: 5 },
    });
    expect(hooks.SessionStart[0].hooks[0].type).toBe("command");
    expect(statSync(settings()).mode & 0o777).toBe(0o640);
    await run("uninstall", "claude-code");
    expect(readFileSync(settings(), "utf8")).toBe(OTHERS);
    expect(existsSync(`${settings()}.toolmend-backup`)).toBe(false);
  });

  it("a second install changes nothing; with other options it replaces the hooks, and uninstall still restores the original", async () => {
    writeFileSync(settings(), OTHERS);
    await run("install");
    const once = readFileSync(settings(), "utf8");
    expect((await run("install")).out).toContain("Already installed");
    expect(readFileSync(settings(), "utf8")).toBe(once);
    await run("install", "--spool", "--pre-tool-use");
    const { hooks } = read(settings());
    expect(hooks.PreToolUse[0].hooks[0].type).toBe("command");
    expect(hooks.Stop).toHaveLength(1);
    await run("uninstall");
    expect(readFileSync(settings(), "utf8")).toBe(OTHERS);
  });

  it("uninstall keeps later changes of the user and removes only Toolmend hooks", async () => {
    writeFileSync(settings(), OTHERS);
    await run("install");
    const changed = read(settings());
    writeFileSync(settings(), JSON.stringify({ ...changed, model: "y" }));
    await run("uninstall");
    expect(read(settings())).toEqual({ ...JSON.parse(OTHERS), model: "y" });
  });

  it("uninstall deletes a file that install created", async () => {
    await run("install");
    expect(existsSync(settings())).toBe(true);
    expect((await run("uninstall")).out).toContain("contained only Toolmend hooks");
    expect(existsSync(settings())).toBe(false);
    expect((await run("uninstall")).out).toContain("No Toolmend hooks found");
  });

  it("uninstall deletes a file that install created, also after an install with other options", async () => {
    await run("install");
    await run("install", "--guard");
    expect((await run("uninstall")).out).toContain("contained only Toolmend hooks");
    expect(readdirSync(join(home, ".claude"))).toEqual([]);
  });

  it("install prints the command that removes the hooks from the same scope", async () => {
    expect((await run("install")).out).toMatch(/^Undo with: .* hook uninstall claude-code$/m);
    let out = "";
    const print = (text: string): void => {
      out += text;
    };
    const io: Io = { out: print, err: print, environment: { HOME: home }, isTerminal: false, width: 80, now: Date.now };
    await hookCommand("install", "claude-code", { scope: "project", data: join(home, "data") }, io, join(home, "own"));
    expect(out).toMatch(/^Undo with: .* hook uninstall claude-code --scope project$/m);
  });

  it("install keeps a symlinked settings file a symlink", async () => {
    const real = join(home, "dotfiles.json");
    writeFileSync(real, "{}\n");
    symlinkSync(real, settings());
    await run("install");
    expect(Object.keys(read(real).hooks)).toContain("PostToolBatch");
    await run("uninstall");
    expect(readFileSync(real, "utf8")).toBe("{}\n");
  });

  it("install leaves malformed settings unchanged and explains what to do", async () => {
    writeFileSync(settings(), '{"hooks": ');
    const { code, err } = await run("install");
    expect(code).toBe(1);
    expect(err).toMatch(
      /^Cannot update .*settings\.json: it is not valid JSON .* Fix the file and run the command again\./,
    );
    expect(readFileSync(settings(), "utf8")).toBe('{"hooks": ');
  });

  it("status shows what is installed, where, and which managed settings block it", async () => {
    writeFileSync(settings(), '{"disableAllHooks": true, "allowedHttpHookUrls": ["https://*.example/*"]}');
    await run("install");
    const { out } = await run("status", "claude-code");
    expect(out).toContain("installed (http → http://127.0.0.1:4100/hooks/claude-code, 8 events)");
    expect(out).toContain("disableAllHooks");
    expect(out).toContain("allowedHttpHookUrls");
    const { hooks } = JSON.parse((await run("status", "claude-code", "--json")).out);
    expect(hooks[0]).toMatchObject({ agent: "claude-code", scope: "user", installed: true, transport: "http" });
    expect(hooks[0].problems).toHaveLength(2);
    expect(hooks[1]).toMatchObject({ scope: "project", installed: false });
  });

  it.each([
    ["codex", ".codex/hooks.json", "PostToolUse"],
    ["gemini", ".gemini/settings.json", "AfterAgent"],
    ["qwen", ".qwen/settings.json", "PostToolBatch"],
  ])("installs a hook for %s that spools events", async (agent, file, event) => {
    await run("install", agent);
    const { hooks } = read(join(home, file));
    expect(hooks[event][0].hooks[0].command).toContain(`/spool/${agent}';`);
    expect(existsSync(join(home, "data", "spool", agent))).toBe(true);
    await run("uninstall", agent);
    expect(existsSync(join(home, file))).toBe(false);
  });

  it.each([
    ["copilot", ".copilot/hooks", ["toolmend.json"]],
    ["cline", ".cline/hooks", ["PostToolUse", "TaskComplete"]],
  ])("installs separate files for %s, and removes them without a trace", async (agent, folder, files) => {
    await run("install", agent);
    expect(readdirSync(join(home, folder)).sort()).toEqual(files);
    for (const file of files) expect(readFileSync(join(home, folder, file), "utf8")).toContain(`/spool/${agent}`);
    expect((await run("status", agent)).out).toMatch(/installed \(spool, \d events\)/);
    expect((await run("install", agent)).out).toContain("Already installed");
    await run("uninstall", agent);
    expect(existsSync(join(home, folder))).toBe(false);
    expect((await run("status", agent)).out).toContain("not installed");
  });

  it("leaves a hook of another program for the same event alone", async () => {
    const path = join(home, ".cline/hooks/PostToolUse");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "#!/bin/sh\necho '{}'\n");
    const { code, err } = await run("install", "cline");
    expect([code, err]).toEqual([1, expect.stringContaining("belongs to another program")]);
    expect(readdirSync(dirname(path))).toEqual(["PostToolUse"]);
    expect((await run("uninstall", "cline")).out).toContain("No Toolmend hooks found");
    expect(existsSync(path)).toBe(true);
  });

  it("says that Codex runs no hook before the user has reviewed it, until it is reviewed", async () => {
    const hint = /Codex runs these hooks only after you have reviewed them.*Start `codex` and approve them/;
    expect((await run("install", "codex")).err).toMatch(hint);
    expect((await run("status", "codex")).out).toMatch(hint);
    const file = join(home, ".codex", "hooks.json");
    const events = ["post_tool_use", "user_prompt_submit", "stop", "session_start"];
    const states = events.map((event) => `[hooks.state."${file}:${event}:0:0"]\ntrusted_hash = "sha256:00"\n`);
    writeFileSync(join(home, ".codex", "config.toml"), states.join("\n"));
    expect((await run("status", "codex")).out).not.toMatch(hint);
  });

  it("status says whether an event of the hooks ever arrived, if anything is recorded", async () => {
    await run("install", "codex");
    expect((await run("status", "codex")).out).not.toContain("event has arrived");
    const store = openSqliteStore(dataFolder(join(home, "data")).database);
    expect((await run("status", "codex")).out).toContain("No event has arrived yet.");
    const event = {
      ...{ v: 1, kind: "session", event: "started", project: "default", session_id: "s", agent_id: "root" },
      ...{ source: "hook", client: "codex", occurred_at: NOON, seen_at: NOON, live: true },
    };
    await store.apply({ journal: "j", position: "1", live: true, lines: `${JSON.stringify(event)}\n` });
    await store.close();
    const { hooks } = JSON.parse((await run("status", "codex", "--json")).out);
    expect(hooks[0].last_event_at).toBe(new Date(NOON).toISOString());
  });

  it("uninstall leaves nothing behind when the client has rewritten its settings since", async () => {
    const file = join(home, ".gemini", "settings.json");
    mkdirSync(join(home, ".gemini"));
    writeFileSync(file, '{"theme":"dark"}');
    await run("install", "gemini");
    writeFileSync(file, JSON.stringify({ ...read(file), added: 1 }, null, 4));
    await run("uninstall", "gemini");
    expect(read(file)).toEqual({ theme: "dark", added: 1 });
    expect(readdirSync(join(home, ".gemini"))).toEqual(["settings.json"]);
  });

  it("installs an opencode plugin with the server's URL, and does not overwrite a foreign file", async () => {
    const plugin = join(home, ".config", "opencode", "plugins", "toolmend.js");
    await run("install", "opencode");
    expect(readFileSync(plugin, "utf8")).toContain('"http://127.0.0.1:4100"');
    await run("uninstall", "opencode");
    expect(existsSync(plugin)).toBe(false);
    writeFileSync(plugin, "export const Other = 1;\n");
    expect((await run("install", "opencode")).code).toBe(1);
    expect(readFileSync(plugin, "utf8")).toBe("export const Other = 1;\n");
  });

  it.each(["nonsense", "localhost:4100", "ftp://127.0.0.1"])(
    "install rejects the URL %s and writes nothing",
    async (url) => {
      writeFileSync(settings(), OTHERS);
      const { code, err } = await run("install", "--url", url);
      expect([code, err]).toEqual([
        2,
        `--url must be an http or https address such as http://127.0.0.1:4100, not "${url}".\n`,
      ]);
      expect(readFileSync(settings(), "utf8")).toBe(OTHERS);
    },
  );

  it("an unknown agent, action or combination of options is a usage error", async () => {
    expect((await run("install", "emacs")).code).toBe(2);
    expect((await run("frobnicate")).code).toBe(2);
    expect((await run("install", "opencode", "--spool")).code).toBe(2);
  });
});

describe("the files for manual installation", () => {
  const file = (...path: string[]) => read(join(packageRoot, "integrations", ...path));

  it.each([
    ["claude-code", "claude-code/hooks/hooks.json", ".claude/settings.json"],
    ["codex", "codex/hooks.json", ".codex/hooks.json"],
    ["gemini", "gemini/settings.json", ".gemini/settings.json"],
  ])(
    "the file for %s contains the same events as an installation, each with a Toolmend hook",
    async (agent, given, installed) => {
      await run("install", agent);
      const groups = file(given).hooks as Record<string, { hooks: Record<string, unknown>[] }[]>;
      expect(Object.keys(groups)).toEqual(Object.keys(read(join(home, installed)).hooks));
      for (const [group] of Object.values(groups)) {
        expect(group?.hooks.every(isToolmendHook)).toBe(true);
        const command = group?.hooks[0]?.command;
        if (command !== undefined) expect(command).toBe(portableSpoolLine(agent as HookAgent));
      }
    },
  );

  it("the plugin and its marketplace refer to each other", () => {
    const { plugins } = read(join(packageRoot, ".claude-plugin", "marketplace.json"));
    expect(plugins[0].source).toBe("./integrations/claude-code");
    expect(file("claude-code", ".claude-plugin", "plugin.json").name).toBe(plugins[0].name);
  });
});
