import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ran } from "./run-command.ts";

const BIN = fileURLToPath(new URL("../../bin/toolmend.mjs", import.meta.url));

/**
 * Starts a program that respects file modes. Root may write everywhere, so it drops that capability and stays root:
 * another user could not enter a private clone.
 */
const BOUND_BY_MODES: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--"] : [];

/** Runs `toolmend` as a process that can read a folder of mode 0555 but not write to it. */
export async function runAsReader(args: readonly string[], home: string): Promise<Ran> {
  const [program = "", ...rest] = [...BOUND_BY_MODES, process.execPath, BIN, ...args];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(program, rest, {
    env: { PATH, NODE_COMPILE_CACHE, HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once("error", reject).once("close", (status) => resolve(status ?? -1));
  });
  return { code, out, err };
}

/** Why such a process cannot be started here; undefined when it can read the project and cannot write to the folder. */
export function readerProblem(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "toolmend-reader-"));
  chmodSync(folder, 0o555);
  try {
    const script = `fs.accessSync(process.argv[1]);
      try { fs.mkdirSync(process.argv[2]); process.exitCode = 3; } catch {}`;
    const [program = "", ...rest] = [...BOUND_BY_MODES, process.execPath, "-e", script, BIN, join(folder, "new")];
    const { status } = spawnSync(program, rest);
    return status === 0 ? undefined : "root cannot give up the right to write everywhere here (setpriv)";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
