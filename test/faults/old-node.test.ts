import { execFile } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { packageRoot } from "../../src/cli/version.ts";
import { temporaryFolder } from "../support/running.ts";

// The library runs on Node 22.12; the embedded store does not.

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "toolmend.db"), "");

interface Ended {
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

function run(line: string): Promise<Ended> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const older = fileURLToPath(new URL("../support/old-node.mjs", import.meta.url));
  const args = ["--import", older, join(packageRoot, "bin", "toolmend.mjs"), ...line.split(" ")];
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: folder, timeout: 60_000, env: { PATH, NODE_COMPILE_CACHE, HOME: folder, TOOLMEND_DATA: folder } },
      (error, out, err) => resolve({ code: error?.code ?? 0, out, err }),
    );
    child.stdin?.end();
  });
}

describe("on a Node without the embedded store", { timeout: 120_000 }, () => {
  it.each([
    "overview",
    "start --port 0",
    "demo --once --port 0",
    "report",
    "report x.jsonl",
    "sessions",
    "show s",
    "import x.jsonl",
    "delete s",
    "export otlp",
    "migrate --store postgres://u@127.0.0.1:1/d",
  ])("%s reports which Node it needs", async (line) => {
    const { code, out, err } = await run(line);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toBe(
      `\`toolmend ${line.split(" ")[0]}\` needs Node 24.15 or newer for the embedded store; this is 22.12.0 (${process.execPath}).\n`,
    );
    expect(existsSync(join(folder, "journal"))).toBe(false);
  });

  it("doctor reports it as a problem", async () => {
    const { code, out, err } = await run("doctor --anthropic http://127.0.0.1:1 --openai http://127.0.0.1:1 --port 1");
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("✗ runtime                Node 22.12.0\n");
    expect(out).toContain("The embedded store needs Node 24.15 or newer.");
    expect(out).toContain("✓ server                 not running");
  });

  it.each(["env codex", "recover", "detect", "hook status"])("%s works", async (line) => {
    const { code, out, err } = await run(line);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/\S/);
  });
});
