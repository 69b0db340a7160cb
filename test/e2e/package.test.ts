import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/running.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const folder = temporaryFolder();
const consumer = join(folder, "consumer");

/** The packed package: the one that `npm test` has built, or a new one. */
function packed(): string {
  if (process.env.TOOLMEND_TARBALL !== undefined) return process.env.TOOLMEND_TARBALL;
  execFileSync("node", ["scripts/build.mjs"], { cwd: ROOT, stdio: "pipe" });
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: ROOT, stdio: "pipe" });
  return join(folder, readdirSync(folder).find((name) => name.endsWith(".tgz")) as string);
}

beforeAll(() => {
  mkdirSync(consumer);
  writeFileSync(join(consumer, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefer-offline", packed()], {
    cwd: consumer,
    stdio: "pipe",
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the packed package, installed in an empty folder", () => {
  it("runs toolmend --help and toolmend --version", () => {
    const run = (...args: string[]): string =>
      execFileSync(join(consumer, "node_modules", ".bin", "toolmend"), args, {
        encoding: "utf8",
        env: { ...process.env, HOME: folder },
      });
    expect(run("--help")).toContain("Usage: toolmend [options] [command]");
    expect(run("--version").trim()).toBe(
      (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string }).version,
    );
  });

  it("imports every entry point of its exports map", () => {
    const { exports, peerDependencies } = JSON.parse(
      readFileSync(join(consumer, "node_modules", "toolmend", "package.json"), "utf8"),
    ) as {
      exports: Record<string, unknown>;
      peerDependencies: Record<string, string>;
    };
    const entryPoints = Object.keys(exports).filter((entryPoint) => entryPoint !== "./package.json");
    // Only an adapter may need another package: the one it adapts.
    const script = `const peers = ${JSON.stringify(Object.keys(peerDependencies))};
      for (const door of ${JSON.stringify(entryPoints)})
        await import("toolmend" + door.slice(1)).catch((error) => {
          const missing = /^Cannot find package '([^']+)'/.exec(error.message)?.[1];
          if (!peers.includes(missing)) throw error;
        });`;
    const result = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      cwd: consumer,
      encoding: "utf8",
    });
    expect(result.stderr).toBe("");
    expect(result.status).toBe(0);
  });

  it("contains neither sources nor tests", () => {
    const files = readdirSync(join(consumer, "node_modules", "toolmend"), { recursive: true }).map(String);
    expect(files.filter((file) => file.includes("node_modules") === false && /(?:\.test\.js|^src)/.test(file))).toEqual(
      [],
    );
  });

  it("serves the dashboard and records, from the built files alone", async () => {
    const { spawnServerFrom } = await import("../support/server-process.ts");
    const server = await spawnServerFrom(
      join(consumer, "node_modules", "toolmend", "bin", "toolmend.mjs"),
      join(folder, "data"),
      "http://127.0.0.1:1",
    );
    const page = await (await fetch(`http://127.0.0.1:${server.port}/`)).text();
    const ready = await (await fetch(`http://127.0.0.1:${server.port}/readyz`)).text();
    await server.kill("SIGTERM");
    expect(page).toContain("<title>");
    expect(ready).toBe("ready\n");
  });
});
