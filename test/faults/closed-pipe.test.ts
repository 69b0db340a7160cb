import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { packageRoot } from "../../src/cli/version.ts";
import { temporaryFolder } from "../support/running.ts";

it("a command exits silently when its output pipe is closed", async () => {
  const home = temporaryFolder();
  try {
    // `:` reads nothing and exits long before the first line.
    const line = `{ "$1" bin/toolmend.mjs hook status --data "$2/data"; echo "ended with $?" >&2; } | :`;
    const { stderr } = await promisify(execFile)("sh", ["-c", line, "sh", process.execPath, home], {
      cwd: packageRoot,
      env: { ...process.env, HOME: home },
    });
    expect(stderr).toBe("ended with 0\n");
  } finally {
    rmSync(home, { recursive: true });
  }
});
