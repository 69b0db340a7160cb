import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MCP_CLIENTS, type McpClient } from "../../mcp/install/client-files.ts";
import { type McpAction, type McpFlags, mcpCommand } from "./mcp.ts";
import { mcpServeCommand } from "./mcp-serve.ts";

let home: string;
let project: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "toolmend-mcp-home-"));
  project = join(home, "project");
  mkdirSync(project);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const FILES: Readonly<Record<McpClient, string>> = {
  "claude-code": ".claude.json",
  codex: ".codex/config.toml",
  opencode: ".config/opencode/opencode.json",
  gemini: ".gemini/settings.json",
  qwen: ".qwen/settings.json",
  cursor: ".cursor/mcp.json",
  vscode: ".config/Code/User/mcp.json",
};

function put(client: McpClient, text: string): string {
  const path = join(home, FILES[client]);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

async function run(
  action: McpAction,
  client: string,
  servers: readonly string[] = [],
  flags: McpFlags = {},
): Promise<string> {
  let out = "";
  const io = {
    out: (text: string) => {
      out += text;
    },
    err: () => undefined,
    environment: { HOME: home },
    now: () => 0,
  };
  await mcpCommand(action, client, servers, flags, io as never, project);
  return out;
}

const PREFIX = ["mcp", "wrap", "--name"];
const read = (path: string): string => readFileSync(path, "utf8");

const TEXTS: readonly (readonly [name: string, client: McpClient, text: string])[] = [
  [
    "Claude Code",
    "claude-code",
    '{\n  "mcpServers": {\n    "files": {"command": "npx", "args": ["-y", "x"], "env": {"A": "1"}}\n  }\n}\n',
  ],
  [
    "entries of a project",
    "claude-code",
    '{"projects":{"PROJECT":{"mcpServers":{"a":{"type":"stdio","command":"a","args":[]}}}}}',
  ],
  ["no args", "cursor", '{"mcpServers":{"a":{"command":"server"}}}'],
  ["no args, more members", "cursor", '{"mcpServers":{"a":{"command":"server", "env": {}}}}'],
  ["empty args", "cursor", '{"mcpServers":{"a":{"command":"server","args":[]}}}'],
  ["args before the command", "gemini", '{"mcpServers":{"a":{"args": [ "one" ], "command": "server"}}}'],
  [
    "a list over several lines",
    "qwen",
    '{\n\t"mcpServers": {\n\t\t"a": {\n\t\t\t"command": "server",\n\t\t\t"args": [\n\t\t\t\t"one",\n\t\t\t\t"two"\n\t\t\t]\n\t\t}\n\t}\n}',
  ],
  [
    "comments and trailing commas",
    "vscode",
    `// servers\n{\n  "inputs": [],\n  "servers": {\n    /* "x" */ "a": {"type": "stdio", "command": "\${env:X}/s", "args": ["\${input:key}", /* , */ "-v",],},\n  },\n}\n`,
  ],
  [
    "CRLF and byte order mark",
    "gemini",
    '\uFEFF{\r\n  "mcpServers": {\r\n    "a": {\r\n      "command": "s",\r\n      "args": ["x"]\r\n    }\r\n  }\r\n}\r\n',
  ],
  ["one list", "opencode", '{"$schema":"x","mcp":{"a":{"type":"local","command":["npx","-y","x"],"enabled":true}}}'],
  ["escapes", "cursor", '{"mcpServers":{"a \\"b\\"":{"command":"C:\\\\s.exe","args":["\\u00e4, ]"]}}}'],
  [
    "TOML",
    "codex",
    '# mine\nmodel = "x"\n\n[mcp_servers.a]\ncommand = "npx" # runs it\nargs = ["-y", "x"]\n\n[mcp_servers.a.env]\nKEY = "v"\n\n[other]\ncommand = "no"\n',
  ],
  ["TOML without args", "codex", "[mcp_servers.a]\r\ncommand = 's'\r\n"],
  [
    "TOML over several lines",
    "codex",
    'note = """\n[mcp_servers.fake]\ncommand = "x"\n"""\n[mcp_servers."a.b"]\nargs = [\n  \'one\', # first, of two\n  "two",\n]\ncommand = "s"',
  ],
  ["TOML with empty args", "codex", '[mcp_servers.a]\ncommand = "s"\nargs = []\nstartup_timeout_sec = 5\n'],
];

describe("toolmend mcp install", () => {
  it.each(TEXTS)("wraps and restores every byte: %s", async (_name, client, template) => {
    const text = template.replace("PROJECT", project);
    const path = put(client, text);
    await run("install", client);
    const wrapped = read(path);
    expect(wrapped).not.toBe(text);
    for (const word of PREFIX) expect(wrapped).toContain(word);
    expect(wrapped).not.toContain('"fake", "--"');
    await run("install", client);
    expect(read(path)).toBe(wrapped);
    await run("uninstall", client);
    expect(read(path)).toBe(text);
    await run("uninstall", client);
    expect(read(path)).toBe(text);
  });

  it("starts the wrapper with Node and absolute paths, and leaves the old command as it is written", async () => {
    const path = put("cursor", '{"mcpServers":{"files":{"command":"s","args":["-y"],"env":{"A":"1"}}}}');
    await run("install", "cursor");
    const { command, args, env } = JSON.parse(read(path)).mcpServers.files;
    expect(command).toBe(process.execPath);
    expect(args).toEqual([
      expect.stringMatching(/^\/.*toolmend\.mjs$/),
      "mcp",
      "wrap",
      "--name",
      "files",
      "--",
      "s",
      "-y",
    ]);
    expect(env).toEqual({ A: "1" });
  });

  it("restores the entries of a file that the client has rewritten", async () => {
    const before = { other: 1, mcpServers: { a: { command: "s", args: ["x"] }, b: { command: "t" } } };
    const path = put("claude-code", JSON.stringify(before));
    await run("install", "claude-code");
    writeFileSync(path, JSON.stringify({ ...JSON.parse(read(path)), other: 2 }, null, 2));
    await run("uninstall", "claude-code");
    expect(JSON.parse(read(path))).toEqual({ ...before, other: 2 });
  });

  it("changes only the named servers", async () => {
    const path = put("cursor", '{"mcpServers":{"a":{"command":"s","args":[]},"b":{"command":"t","args":[]}}}');
    await run("install", "cursor", ["b"]);
    const { a, b } = JSON.parse(read(path)).mcpServers;
    expect([a.command, b.command]).toEqual(["s", process.execPath]);
    await expect(run("install", "cursor", ["c"])).rejects.toThrow("No server named c found");
  });

  it("names the servers that it skips", async () => {
    const text = '{"mcpServers":{"remote":{"type":"http","url":"https://example.com/mcp"}}}';
    const path = put("claude-code", text);
    expect(await run("install", "claude-code")).toContain("remote is skipped: it is an HTTP server.");
    expect(read(path)).toBe(text);
  });

  it("follows a link and keeps it", async () => {
    const path = put("cursor", "");
    rmSync(path);
    const target = join(home, "dotfiles.json");
    writeFileSync(target, '{"mcpServers":{"a":{"command":"s","args":[]}}}');
    symlinkSync(target, path);
    await run("install", "cursor");
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(read(target)).toContain("toolmend.mjs");
  });

  it("shows the changed lines with --dry-run and writes nothing", async () => {
    const text = '{\n  "mcpServers": {\n    "a": {"command": "s", "args": []}\n  }\n}\n';
    const path = put("cursor", text);
    const out = await run("install", "cursor", [], { dryRun: true });
    expect(out).toContain('-    "a": {"command": "s", "args": []}\n+    "a": {"command": ');
    expect(read(path)).toBe(text);
  });

  it("reports with --dry-run that nothing would change, and why", async () => {
    const path = put("cursor", '{"mcpServers":{"a":{"command":"s","args":[]},"remote":{"url":"http://x"}}}');
    await run("install", "cursor");
    expect(await run("install", "cursor", [], { dryRun: true })).toBe(
      `${path}: nothing to change.\n  remote is skipped: it is an HTTP server.\n`,
    );
    expect(await run("install", "gemini", [], { dryRun: true })).toBe("No configuration of MCP servers found.\n");
  });

  it("does not touch a file that is not valid JSON", async () => {
    const path = put("cursor", '{"mcpServers": {');
    await expect(run("install", "cursor")).rejects.toThrow("it is not valid JSON");
    expect(read(path)).toBe('{"mcpServers": {');
  });

  it.each(["[mcp_servers.a]\ncommand = 's'\n[mcp_servers.bad\n", "[mcp_servers.a]\ncommand = 's'\nargs = [\n"])(
    "does not touch a file that is not valid TOML: %j",
    async (text) => {
      const path = put("codex", text);
      const problem = `Cannot use ${path}: it is not valid TOML (line ${text.includes("bad") ? 3 : 4}).`;
      await expect(run("install", "codex")).rejects.toThrow(problem);
      expect(read(path)).toBe(text);
    },
  );

  it("rejects an unknown client", async () => {
    await expect(run("install", "notepad")).rejects.toThrow(`Supported: ${MCP_CLIENTS.join(", ")}.`);
  });
});

describe("toolmend mcp serve --install", () => {
  async function install(flags: { readonly dryRun?: boolean } = {}): Promise<string> {
    let out = "";
    const write = (text: string): void => {
      out += text;
    };
    const io = { out: write, err: () => undefined, environment: { HOME: home }, now: () => 0 };
    await mcpServeCommand({ install: "claude-code", ...flags }, io as never);
    return out;
  }

  it.each([
    ['{"a":1}', { a: 1 }],
    ["", {}],
    ['{"mcpServers":{}}', {}],
    ['{\n  "mcpServers": {"x": {"command": "y"}}\n}', { mcpServers: { x: { command: "y" } } }],
  ])("adds the server to %j, once", async (text, before) => {
    const path = put("claude-code", text);
    await install();
    const written = read(path);
    const { mcpServers, ...rest } = JSON.parse(written);
    const { toolmend, ...others } = mcpServers;
    expect({ ...rest, ...(Object.keys(others).length > 0 && { mcpServers: others }) }).toEqual(before);
    expect(toolmend.args.slice(1)).toEqual(["mcp", "serve"]);
    await install();
    expect(read(path)).toBe(written);
  });

  it.each([
    '{"a":1}',
    "{}\n",
    "{\n}",
    '{"mcpServers": {}, "a": 1}',
    '{"a": 1, "mcpServers": { } }',
    '{\n  "mcpServers": {\n    "x": {"command": "y"} // mine\n  },\n}\n',
  ])("is undone by mcp uninstall, which restores every byte of %j", async (text) => {
    const path = put("claude-code", text);
    await install();
    expect(read(path)).not.toBe(text);
    expect(await run("uninstall", "claude-code")).toBe(`${path}: removed toolmend. Restart the client.\n`);
    expect(read(path)).toBe(text);
    expect(await run("uninstall", "claude-code")).toBe(`${path}: nothing to change.\n`);
  });

  it("is undone by mcp uninstall, which removes the file that it created", async () => {
    await install();
    const path = join(home, FILES["claude-code"]);
    expect(existsSync(path)).toBe(true);
    await run("uninstall", "claude-code", ["toolmend"]);
    expect(existsSync(path)).toBe(false);
  });

  it.each([{ mcpServers: {} }, { mcpServers: { x: { command: "y" } } }, { mcpServers: { b: { command: "y" } }, z: 1 }])(
    "is undone by mcp uninstall after the client has rewritten the file: %j",
    async (before) => {
      const path = put("claude-code", JSON.stringify(before));
      await install();
      for (const isLast of [false, true]) {
        const { mcpServers, ...rest } = JSON.parse(read(path));
        const { toolmend, ...others } = mcpServers;
        const servers = isLast ? { ...others, toolmend } : { toolmend, ...others };
        const rewritten = JSON.stringify({ mcpServers: servers, ...rest }, null, 2);
        writeFileSync(path, rewritten);
        await run("uninstall", "claude-code");
        expect(JSON.parse(read(path))).toEqual(before);
        writeFileSync(path, rewritten);
      }
    },
  );

  it("leaves another server named toolmend when its own is uninstalled", async () => {
    const text = '{"mcpServers":{"toolmend":{"command":"mine","args":["mcp","serve"]}}}';
    const path = put("claude-code", text);
    expect(await install()).toBe(`${path} has a server named toolmend already.\n`);
    await run("uninstall", "claude-code");
    expect(read(path)).toBe(text);
  });

  it("shows the changed lines with --dry-run and writes nothing", async () => {
    const path = put("claude-code", "{\n}\n");
    expect(await install({ dryRun: true })).toMatch(/^--- .*\n\+\+\+ .*\n-\{\n\+\{"mcpServers": /);
    expect(read(path)).toBe("{\n}\n");
    await install();
    const written = read(path);
    expect(await run("uninstall", "claude-code", [], { dryRun: true })).toContain("\n+{\n");
    expect(read(path)).toBe(written);
  });
});

describe("toolmend mcp status", () => {
  it("shows every server and whether it runs through the wrapper", async () => {
    put("cursor", '{"mcpServers":{"a":{"command":"s","args":[]},"b":{"command":"t"},"c":{"url":"http://x"}}}');
    await run("install", "cursor", ["a"]);
    expect(await run("status", "cursor")).toBe(
      `cursor: ${join(home, ".cursor", "mcp.json")}\n  a: through Toolmend\n  b: direct\n  c: not supported: it is an HTTP server\n`,
    );
  });
});
