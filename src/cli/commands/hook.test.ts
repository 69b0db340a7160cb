import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HookAgent } from "../../hook/agents.ts";
import { isToolmendHook } from "../../hook/install/toolmend-hooks.ts";
import { portableSpoolLine } from "../../hook/spool-line.ts";
import type { Io } from "../io.ts";
import { main } from "../main.ts";
import { packageRoot } from "../version.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "toolmend-hook-"));
  mkdirSync(join(home, ".claude"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: "", err: "" };
  const io: Io = {
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    ...{ environment: { HOME: home }, isTerminal: false, width: 80, now: Date.now },
  };
  const code = await main(["hook", "--data", join(home, "data"), "--url", "http://127.0.0.1:4100", ...args], io);
  return { code, ...said };
}

const settings = () => join(home, ".claude", "settings.json");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const OTHERS =
  '{\n    "model": "x",\n    "hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}]}\n}';

describe("toolmend hook", () => {
  it("writes through no link that lies in the way, and into the file behind one that was meant", async () => {
    const [victim, kept] = [join(home, "victim"), join(home, "dotfiles-settings.json")];
    writeFileSync(victim, "mine");
    symlinkSync(victim, `${kept}.toolmend-new`);
    symlinkSync(kept, settings());
    expect((await run("install", "claude-code")).code).toBe(0);
    expect(readFileSync(victim, "utf8")).toBe("mine");
    expect(lstatSync(settings()).isSymbolicLink()).toBe(true);
    expect(Object.keys(read(kept).hooks)).toContain("Stop");
  });

  it("install adds the events and keeps every hook that is there; uninstall gives the file back byte for byte", async () => {
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

  it("install twice changes nothing the second time; with other options it replaces, and the original still comes back", async () => {
    writeFileSync(settings(), OTHERS);
    await run("install");
    const once = readFileSync(settings(), "utf8");
    expect((await run("install")).out).toContain("Installed already");
    expect(readFileSync(settings(), "utf8")).toBe(once);
    await run("install", "--spool", "--pre-tool-use");
    const { hooks } = read(settings());
    expect(hooks.PreToolUse[0].hooks[0].type).toBe("command");
    expect(hooks.Stop).toHaveLength(1);
    await run("uninstall");
    expect(readFileSync(settings(), "utf8")).toBe(OTHERS);
  });

  it("uninstall keeps what was changed since, and takes only ours", async () => {
    writeFileSync(settings(), OTHERS);
    await run("install");
    const changed = read(settings());
    writeFileSync(settings(), JSON.stringify({ ...changed, model: "y" }));
    await run("uninstall");
    expect(read(settings())).toEqual({ ...JSON.parse(OTHERS), model: "y" });
  });

  it("a file that was made for the hooks goes with them", async () => {
    await run("install");
    expect(existsSync(settings())).toBe(true);
    expect((await run("uninstall")).out).toContain("held nothing else");
    expect(existsSync(settings())).toBe(false);
    expect((await run("uninstall")).out).toContain("no hooks of Toolmend");
  });

  it("a link stays a link", async () => {
    const real = join(home, "dotfiles.json");
    writeFileSync(real, "{}\n");
    symlinkSync(real, settings());
    await run("install");
    expect(Object.keys(read(real).hooks)).toContain("PostToolBatch");
    await run("uninstall");
    expect(readFileSync(real, "utf8")).toBe("{}\n");
  });

  it("broken settings are left as they are, with a word on what to do", async () => {
    writeFileSync(settings(), '{"hooks": ');
    const { code, err } = await run("install");
    expect(code).toBe(1);
    expect(err).toMatch(/settings\.json was left as it is: it is not valid JSON .* Mend it and run this again\./);
    expect(readFileSync(settings(), "utf8")).toBe('{"hooks": ');
  });

  it("status says what is installed, where, and what an administrator forbids", async () => {
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
    ["gemini", ".gemini/settings.json", "AfterTool"],
  ])("%s: its settings get a line that writes events down", async (agent, file, event) => {
    await run("install", agent);
    const { hooks } = read(join(home, file));
    expect(hooks[event][0].hooks[0].command).toContain(`/spool/${agent}';`);
    expect(existsSync(join(home, "data", "spool", agent))).toBe(true);
    await run("uninstall", agent);
    expect(existsSync(join(home, file))).toBe(false);
  });

  it("opencode gets a plugin file with the server's address; somebody else's file is not touched", async () => {
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
    "install refuses the address %s and writes nothing",
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

  it("K15: a wrong call of the command is told to be one", async () => {
    expect((await run("install", "emacs")).code).toBe(2);
    expect((await run("frobnicate")).code).toBe(2);
    expect((await run("install", "opencode", "--spool")).code).toBe(2);
  });
});

describe("the files for installing by hand", () => {
  const file = (...path: string[]) => read(join(packageRoot, "integrations", ...path));

  it.each([
    ["claude-code", "claude-code/hooks/hooks.json", ".claude/settings.json"],
    ["codex", "codex/hooks.json", ".codex/hooks.json"],
    ["gemini", "gemini/settings.json", ".gemini/settings.json"],
  ])("%s: hold the events that are installed, each with a hook of ours", async (agent, given, installed) => {
    await run("install", agent);
    const groups = file(given).hooks as Record<string, { hooks: Record<string, unknown>[] }[]>;
    expect(Object.keys(groups)).toEqual(Object.keys(read(join(home, installed)).hooks));
    for (const [group] of Object.values(groups)) {
      expect(group?.hooks.every(isToolmendHook)).toBe(true);
      const command = group?.hooks[0]?.command;
      if (command !== undefined) expect(command).toBe(portableSpoolLine(agent as HookAgent));
    }
  });

  it("the plugin and the marketplace that offers it name each other", () => {
    const { plugins } = read(join(packageRoot, ".claude-plugin", "marketplace.json"));
    expect(plugins[0].source).toBe("./integrations/claude-code");
    expect(file("claude-code", ".claude-plugin", "plugin.json").name).toBe(plugins[0].name);
  });
});
