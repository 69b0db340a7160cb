import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { envCommand } from "./env.ts";
import { runCommand } from "./run.ts";
import { greeting } from "./start.ts";

const TOKEN = "0123456789abcdef";

let folder: string;
let server: Server;
let url: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-env-"));
  server = createServer((_, response) => response.end("ok\n")).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(folder, "server.json"), JSON.stringify({ pid: process.pid, url }));
  writeFileSync(join(folder, "config.json"), "{}");
  writeFileSync(join(folder, "with-token.json"), JSON.stringify({ token: TOKEN }));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

function io(environment: NodeJS.ProcessEnv = {}) {
  let text = "";
  return {
    out: (more: string) => {
      text += more;
    },
    err: () => undefined,
    environment,
    isTerminal: false,
    width: 80,
    now: () => 0,
    text: () => text,
  };
}

const flags = (config = "config.json") => ({ data: folder, config: join(folder, config) });

it("env accepts the command of a client as its name", async () => {
  const [byName, byCommand] = [io(), io()];
  await envCommand("claude-code", flags(), byName);
  await envCommand("claude", flags(), byCommand);
  expect(byCommand.text()).toContain("ANTHROPIC_BASE_URL");
  expect(byCommand.text()).toBe(byName.text());
});

it("env prints the port that was asked for, although a server runs on another one", async () => {
  const [asked, running] = [io(), io()];
  await envCommand("codex", { ...flags(), port: "5000" }, asked);
  await envCommand("codex", flags(), running);
  expect(asked.text()).toContain("http://127.0.0.1:5000");
  expect(running.text()).toContain(url);
});

it("the greeting names the data folder in commands, unless it is the default one", () => {
  const printed = greeting({ url, data: "/elsewhere" });
  expect(printed).toMatch(/Other clients {5}.* env --data \/elsewhere\n/);
});

it("env prints the base URL of an upstream by its name", async () => {
  writeFileSync(
    join(folder, "with-upstream.json"),
    JSON.stringify({ upstreams: { vllm: "http://127.0.0.1:8000/v1" } }),
  );
  const output = io();
  await envCommand("vllm", flags("with-upstream.json"), output);
  expect(output.text()).toBe(`export OPENAI_BASE_URL=${url}/vllm/v1\n`);
});

describe("env --json", () => {
  it("lists each client with its variables, command and arguments", async () => {
    const output = io();
    expect(await envCommand(undefined, { ...flags(), json: true }, output)).toBe(0);
    const listed = JSON.parse(output.text()) as readonly { readonly client: string }[];
    expect(listed.slice(0, 4)).toEqual([
      {
        ...{ client: "claude-code", title: "Claude Code", command: "claude", arguments: [] },
        environment: {
          ...{ ANTHROPIC_BASE_URL: url, ENABLE_TOOL_SEARCH: "true" },
          CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: "1",
        },
      },
      {
        ...{ client: "codex", title: "Codex", environment: {}, command: "codex" },
        arguments: ["-c", `openai_base_url=${url}/v1`],
      },
      {
        ...{ client: "openai", title: "OpenAI-compatible", environment: { OPENAI_BASE_URL: `${url}/v1` } },
        ...{ command: null, arguments: [] },
      },
      {
        ...{ client: "opencode", title: "opencode", command: "opencode", arguments: [] },
        environment: {
          OPENCODE_CONFIG_CONTENT: `{"provider":{"anthropic":{"options":{"baseURL":"${url}/v1"}},"openai":{"options":{"baseURL":"${url}/v1"}}}}`,
        },
      },
    ]);
    expect(listed.slice(4).map(({ client }) => client)).toEqual([
      ...["qwen-code", "gemini-cli", "copilot", "pi", "continue", "cline"],
    ]);
  });

  it("contains the name of the token variable instead of the token, and prints nothing but JSON", async () => {
    const output = io();
    await envCommand("openai", { ...flags("with-token.json"), json: true }, output);
    expect(JSON.parse(output.text())).toMatchObject([
      { environment: { OPENAI_BASE_URL: `${url}/~$TOOLMEND_TOKEN/v1` } },
    ]);
  });
});

describe("with a token", () => {
  it("`env` prints URLs that contain the name of the token variable", async () => {
    const output = io({ TOOLMEND_TOKEN: TOKEN });
    await envCommand("openai", flags(), output);
    expect(output.text()).toBe(`export OPENAI_BASE_URL=${url}/~$TOOLMEND_TOKEN/v1\n`);
  });

  it("`env` asks to set TOOLMEND_TOKEN if only the configuration has the token, and never prints it", async () => {
    const output = io();
    await envCommand("openai", flags("with-token.json"), output);
    expect(output.text()).toBe(
      `# Set TOOLMEND_TOKEN to the token in the configuration first.\nexport OPENAI_BASE_URL=${url}/~$TOOLMEND_TOKEN/v1\n`,
    );
  });

  it("`run` gives the client a URL that contains the token", async () => {
    const { PATH } = process.env;
    const check = `test "$OPENAI_BASE_URL" = "${url}/~${TOKEN}/v1" && test "$ANTHROPIC_BASE_URL" = "${url}/~${TOKEN}"`;
    expect(await runCommand(["sh", "-c", check], flags(), io({ PATH, TOOLMEND_TOKEN: TOKEN }))).toBe(0);
  });

  it("the greeting of `start` lists the base URLs of named upstreams", () => {
    const text = greeting({ url: "http://127.0.0.1:4100", data: "/data", upstreams: ["my"] });
    expect(text).toContain("\n  Upstream my       http://127.0.0.1:4100/my/v1\n");
  });

  it("the greeting of `start` lists the URL for MCP clients of an upstream that is an MCP server", () => {
    const names = { upstreams: ["my"], mcpServers: ["tools"] };
    const text = greeting({ url: "http://127.0.0.1:4100", data: "/data", ...names });
    expect(text).toContain("\n  MCP server tools  http://127.0.0.1:4100/mcp/tools\n");
    expect(text).not.toContain("/tools/v1");
  });

  it("leaves out upstreams that are MCP servers, which have no base URL", async () => {
    const output = io();
    await envCommand(undefined, { ...flags(), upstream: ["tools=https://example.com/mcp"] }, output);
    expect(output.text()).not.toContain("tools");
  });

  it("the greeting of `start` names no variable that the user has not set", () => {
    const text = greeting({ url: "http://10.0.0.7:4100", data: "/data", token: "TOKEN" });
    expect(text).toContain("http://10.0.0.7:4100/~TOKEN/\n");
    expect(text).toContain("\n  Token             replace TOKEN by the server's token\n");
    expect(text).not.toContain("$TOOLMEND_TOKEN");
  });

  it("the greeting of `start` contains the name of the token variable", () => {
    const text = greeting({ url: "http://10.0.0.7:4100", data: "/data", token: "$TOOLMEND_TOKEN" });
    expect(text).toContain("http://10.0.0.7:4100/~$TOOLMEND_TOKEN/\n");
    expect(text).toContain("codex -c openai_base_url=http://10.0.0.7:4100/~$TOOLMEND_TOKEN/v1\n");
  });
});

it("prints plain URLs without a token", async () => {
  const output = io();
  await envCommand("openai", flags(), output);
  expect(output.text()).toBe(`export OPENAI_BASE_URL=${url}/v1\n`);
});

describe("a client that does not read its base URL from the environment", () => {
  it("`env` prints a shell function that wraps the client, ready for eval", async () => {
    const output = io();
    await envCommand("codex", flags(), output);
    expect(output.text()).toBe(`codex() { command codex -c openai_base_url=${url}/v1 "$@"; }\n`);
  });

  it("`run` inserts the client's settings before the given arguments", async () => {
    const fake = join(folder, "codex");
    const expected = `-c openai_base_url=${url}/v1 exec hello`;
    writeFileSync(fake, `#!/bin/sh\ntest "$*" = "${expected}"\n`, { mode: 0o755 });
    const { PATH } = process.env;
    expect(await runCommand([fake, "exec", "hello"], flags(), io({ PATH }))).toBe(0);
  });
});

describe("opencode, which reads all of its settings from one variable", () => {
  it("`env` prints a line that a shell sets to the JSON of the settings", async () => {
    const output = io();
    await envCommand("opencode", flags(), output);
    const value = execFileSync("sh", ["-c", `${output.text()}printf %s "$OPENCODE_CONFIG_CONTENT"`]).toString();
    expect(JSON.parse(value)).toEqual({
      provider: {
        anthropic: { options: { baseURL: `${url}/v1` } },
        openai: { options: { baseURL: `${url}/v1` } },
      },
    });
  });

  it("`run` keeps the settings that the variable had", async () => {
    const fake = join(folder, "opencode");
    writeFileSync(fake, `#!/bin/sh\nprintf %s "$OPENCODE_CONFIG_CONTENT" > ${join(folder, "seen.json")}\n`, {
      mode: 0o755,
    });
    const mine = { theme: "dark", provider: { openai: { options: { timeout: 5 } } } };
    const { PATH } = process.env;
    await runCommand([fake], flags(), io({ PATH, OPENCODE_CONFIG_CONTENT: JSON.stringify(mine) }));
    expect(JSON.parse(readFileSync(join(folder, "seen.json"), "utf8"))).toEqual({
      theme: "dark",
      provider: {
        openai: { options: { timeout: 5, baseURL: `${url}/v1` } },
        anthropic: { options: { baseURL: `${url}/v1` } },
      },
    });
  });
});

describe("a client that reads its base URL from a file only", () => {
  it("`env` prints what to put there as comments, which `eval` ignores", async () => {
    const output = io();
    await envCommand("pi", flags(), output);
    expect(output.text()).toBe(
      `# Add to ~/.pi/agent/models.json:\n#   {"providers":{"anthropic":{"baseUrl":"${url}"},"openai":{"baseUrl":"${url}/v1"}}}\n`,
    );
  });

  it("`env` prints the command that sets it", async () => {
    const output = io();
    await envCommand("cline", flags(), output);
    expect(output.text()).toBe(
      `# Run once: cline auth -p openai-compatible -k "$OPENAI_API_KEY" -m MODEL -b ${url}/v1\n`,
    );
  });

  it("`run` says where to look, and runs the client", async () => {
    const fake = join(folder, "pi");
    writeFileSync(fake, "#!/bin/sh\nexit 7\n", { mode: 0o755 });
    let said = "";
    const { PATH } = process.env;
    const err = (text: string): void => {
      said += text;
    };
    expect(await runCommand([fake], flags(), { ...io({ PATH }), err })).toBe(7);
    expect(said).toMatch(/^pi reads its base URL from a file only\. `.*env pi` shows how\.\n$/);
  });
});
