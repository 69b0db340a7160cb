import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../support/raw-http.ts";
import { temporaryFolder } from "../support/running.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const folder = temporaryFolder();
const clone = join(folder, "clone");
const home = join(folder, "home");

/** The README's commands, as a user would copy them. */
const COMMANDS = [...README.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block]) =>
  (block as string).trim().split("\n"),
);

beforeAll(() => {
  // The files of a clone of this tree, without untracked leftovers.
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  for (const file of files.split("\0").filter((name) => name !== "" && existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
  }
  mkdirSync(home);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Command {
  readonly output: () => string;
  /** The URL of the started server, once it prints it. */
  serverUrl(withinMs: number): Promise<string>;
  stop(): Promise<void>;
}

/** Runs a command line of the README in the clone, with an empty home; its server uses a free port. */
function run(command: string): Command {
  // npm's settings and cache are those of the user who runs the tests.
  const { PATH = "", npm_config_cache, npm_config_userconfig } = process.env;
  // The project's own Node must come from the clone, not from this test run.
  const path = PATH.split(":")
    .filter((part) => !part.includes("node_modules"))
    .join(":");
  const child = spawn("bash", ["-c", command], {
    cwd: clone,
    env: { PATH: path, HOME: home, TOOLMEND_PORT: "0", LANG: "C.UTF-8", npm_config_cache, npm_config_userconfig },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const add = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", add);
  child.stderr.on("data", add);
  const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
  return {
    output: () => output,
    async serverUrl(withinMs) {
      const found = (): string | undefined => /Dashboard\s+(http:\/\/127\.0\.0\.1:\d+)\//.exec(output)?.[1];
      await until(command, () => found() !== undefined, withinMs).catch(() => {
        throw new Error(`no server within ${withinMs} ms: ${output}`);
      });
      return found() as string;
    },
    async stop() {
      if (child.exitCode === null) process.kill(-(child.pid as number), "SIGTERM");
      await closed;
    },
  };
}

describe("the README", () => {
  it("shows the two commands to start with", () => {
    expect(COMMANDS).toContain("npm ci && npm start");
    expect(COMMANDS).toContain("npm ci && npm test");
    expect(COMMANDS).toContain("npm ci && npm run demo");
  });

  it("`npm ci && npm start` in a clean clone with an empty home serves the dashboard and prints how to connect", async () => {
    const started = run("npm ci && npm start");
    try {
      const url = await started.serverUrl(300_000);
      await until("the server prints how to connect", () => started.output().includes("OPENAI_BASE_URL"));
      expect(started.output()).toContain(
        `ANTHROPIC_BASE_URL=${url} ENABLE_TOOL_SEARCH=true CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK=1 claude`,
      );
      expect(await (await fetch(`${url}/`)).text()).toContain('<script type="module"');
      expect(await (await fetch(`${url}/healthz`)).text()).toBe("ok\n");
      expect(existsSync(join(home, ".toolmend", "toolmend.db"))).toBe(true);
    } finally {
      await started.stop();
    }
  });

  it("`npm run demo` fills the dashboard's API with generated calls, and `toolmend report` shows the same", async () => {
    const demo = run("npm run demo");
    try {
      const url = await demo.serverUrl(60_000);
      await until("the agents have run", () => demo.output().includes("The agents run until"), 60_000);
      const { calls } = (await (await fetch(`${url}/api/summary`)).json()) as { calls: number };
      expect(calls).toBeGreaterThan(500);
      const report = run(`npm run -s toolmend -- report --json --data "${home}/.toolmend-demo"`);
      await until("the report shows the calls", () => /\n\}\n/.test(report.output()), 30_000);
      expect((JSON.parse(report.output()) as { totals: { calls: number } }).totals.calls).toBeGreaterThanOrEqual(calls);
    } finally {
      await demo.stop();
    }
  });
});
