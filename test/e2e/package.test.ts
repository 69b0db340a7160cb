import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
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
  execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    cwd: ROOT,
    stdio: "pipe",
  });
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

  it("contains what a user needs and nothing else: no sources, tests or test data", () => {
    const installed = join(consumer, "node_modules", "toolmend");
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const paths = files.map(({ parentPath, name }) => relative(installed, join(parentPath, name)));
    expect(new Set(paths.map((path) => path.split("/")[0]))).toEqual(
      new Set([
        ...["bin", "deploy", "dist", "docs", "integrations"],
        ...["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "package.json"],
      ]),
    );
    const built = paths.filter((path) => path.startsWith("dist/"));
    expect(built.filter((path) => !/\.(?:js|mjs|d\.ts|sql|html|css|svg|woff2)$/.test(path))).toEqual([]);
    expect(built.filter((path) => /fixture|\.test\./.test(path))).toEqual([]);
    // See docs/decisions/no-source-maps.md.
    const scripts = built.filter((path) => /\.(?:m?js|d\.ts)$/.test(path));
    const withMap = scripts.filter((path) =>
      /^\/\/# sourceMappingURL/m.test(readFileSync(join(installed, path), "utf8")),
    );
    expect(withMap).toEqual([]);
  });

  it("the package has types that a strict program compiles without the optional packages and without skipLibCheck", () => {
    const adapters = new Set(["ai-sdk", "openai", "anthropic", "mcp"]);
    const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { exports: object };
    const names = Object.keys(exports).filter((name) => name !== "./package.json" && !adapters.has(name.slice(2)));
    const lines = names.map((name, at) => `import * as e${at} from "toolmend${name.slice(1)}";\nvoid e${at};`);
    writeFileSync(join(consumer, "all.ts"), lines.join("\n"));
    const compilerOptions = {
      ...{ strict: true, module: "nodenext", target: "es2024", lib: ["es2024"], noEmit: true, types: ["node"] },
      typeRoots: [join(ROOT, "node_modules", "@types")],
    };
    writeFileSync(join(consumer, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["all.ts"] }));
    const { stdout } = spawnSync("tsc", ["-p", "."], { cwd: consumer, encoding: "utf8" });
    expect(stdout).toBe("");
    expect(names.length).toBeGreaterThan(10);
  });

  it.each(["22.13.0", "26.10.0"])("runs on Node %s, without a warning", (version) => {
    const place = join(folder, `node-${version}`);
    mkdirSync(place);
    writeFileSync(join(place, "package.json"), "{}");
    const install = ["install", "--silent", "--no-audit", "--no-fund", "--prefer-offline", `node@${version}`];
    execFileSync("npm", install, { cwd: place, stdio: "pipe" });
    const node = join(place, "node_modules", "node", "bin", "node");
    const bin = join(consumer, "node_modules", "toolmend", "bin", "toolmend.mjs");
    const { PATH } = process.env;
    const run = (...args: string[]) =>
      spawnSync(node, [bin, ...args], { encoding: "utf8", env: { PATH, HOME: place } });
    expect(run("demo", "--once", "--port", "0", "--data", join(place, "demo"))).toMatchObject({
      status: 0,
      stderr: "",
    });
    const sessions = run("sessions", "--json", "--data", join(place, "demo"));
    expect([sessions.status, sessions.stderr]).toEqual([0, ""]);
    expect((JSON.parse(sessions.stdout) as readonly unknown[]).length).toBeGreaterThan(10);
    expect(run()).toMatchObject({ status: 0, stderr: "" });
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
