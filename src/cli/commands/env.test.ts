import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

describe("env --json", () => {
  it("has each client with its variables, its command and what the command must be told", async () => {
    const asked = io();
    expect(await envCommand(undefined, { ...flags(), json: true }, asked)).toBe(0);
    expect(JSON.parse(asked.text())).toEqual([
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
    ]);
  });

  it("names the token's variable and not the token, and is JSON alone", async () => {
    const asked = io();
    await envCommand("openai", { ...flags("with-token.json"), json: true }, asked);
    expect(JSON.parse(asked.text())).toMatchObject([
      { environment: { OPENAI_BASE_URL: `${url}/~$TOOLMEND_TOKEN/v1` } },
    ]);
  });
});

describe("where a token is asked for", () => {
  it("the lines of `env` bring it along, by the name of its variable", async () => {
    const asked = io({ TOOLMEND_TOKEN: TOKEN });
    await envCommand("openai", flags(), asked);
    expect(asked.text()).toBe(`export OPENAI_BASE_URL=${url}/~$TOOLMEND_TOKEN/v1\n`);
  });

  it("`env` says so when the variable itself is not set, and never shows the token", async () => {
    const asked = io();
    await envCommand("openai", flags("with-token.json"), asked);
    expect(asked.text()).toBe(
      `# Set TOOLMEND_TOKEN to the token in the configuration first.\nexport OPENAI_BASE_URL=${url}/~$TOOLMEND_TOKEN/v1\n`,
    );
  });

  it("`run` gives the client an address with the token in it", async () => {
    const { PATH } = process.env;
    const check = `test "$OPENAI_BASE_URL" = "${url}/~${TOKEN}/v1" && test "$ANTHROPIC_BASE_URL" = "${url}/~${TOKEN}"`;
    expect(await runCommand(["sh", "-c", check], flags(), io({ PATH, TOOLMEND_TOKEN: TOKEN }))).toBe(0);
  });

  it("the lines at the start bring it along, too", () => {
    const text = greeting({ url: "http://10.0.0.7:4100", data: "/data", token: true });
    expect(text).toContain("http://10.0.0.7:4100/~$TOOLMEND_TOKEN/\n");
    expect(text).toContain("codex -c openai_base_url=http://10.0.0.7:4100/~$TOOLMEND_TOKEN/v1\n");
  });
});

it("without a token the address stands alone", async () => {
  const asked = io();
  await envCommand("openai", flags(), asked);
  expect(asked.text()).toBe(`export OPENAI_BASE_URL=${url}/v1\n`);
});

describe("a client that takes no address from the environment", () => {
  it("is wrapped by `env`, ready for eval", async () => {
    const asked = io();
    await envCommand("codex", flags(), asked);
    expect(asked.text()).toBe(`codex() { command codex -c openai_base_url=${url}/v1 "$@"; }\n`);
  });

  it("gets its arguments from `run`, before its own", async () => {
    const fake = join(folder, "codex");
    const expected = `-c openai_base_url=${url}/v1 exec hello`;
    writeFileSync(fake, `#!/bin/sh\ntest "$*" = "${expected}"\n`, { mode: 0o755 });
    const { PATH } = process.env;
    expect(await runCommand([fake, "exec", "hello"], flags(), io({ PATH }))).toBe(0);
  });
});
