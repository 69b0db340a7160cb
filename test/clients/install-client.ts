import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { DrivenClient } from "./driven-client.ts";

/** Clients are large and never change once installed, so every checkout of this machine shares them. */
const CACHE =
  process.env.TOOLMEND_CLIENTS ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "toolmend", "test-clients");

/** Installs a client from the npm registry, unless this version is in the cache. Returns the path of its program. */
export async function installClient({ name, package: source, version, bin }: DrivenClient): Promise<string> {
  const folder = join(CACHE, `${name}-${version}`);
  if (!existsSync(folder)) {
    // Installed beside the final place: an interrupted install leaves no half client behind.
    const draft = `${folder}.${process.pid}`;
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, "package.json"), '{"private":true}\n');
    try {
      await promisify(execFile)(
        "npm",
        ["install", "--no-audit", "--no-fund", "--loglevel=error", `${source}@${version}`],
        { cwd: draft, timeout: 600_000 },
      );
      renameSync(draft, folder);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
  }
  return join(folder, "node_modules", ".bin", bin);
}
