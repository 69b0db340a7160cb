import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { clearDemoFolder } from "../../src/cli/demo-folder.ts";
import { patient } from "../support/slowness.ts";

const BIN = fileURLToPath(new URL("../../bin/toolmend.mjs", import.meta.url));

it("a demo on a port that is already in use exits immediately with code 1 and a one-line message", async () => {
  const other = net.createServer();
  await once(other.listen(0, "127.0.0.1"), "listening");
  const { port } = other.address() as AddressInfo;
  const data = mkdtempSync(join(tmpdir(), "toolmend-demo-port-"));
  try {
    const demo = spawn(process.execPath, [BIN, "demo", "--port", String(port), "--data", data], {
      // Kills a demo that keeps running; it then has no exit code.
      ...{ timeout: patient(20_000), killSignal: "SIGKILL" },
    });
    let [out, err] = ["", ""];
    demo.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    demo.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    const [code] = (await once(demo, "close")) as [number | null];
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is already in use`));
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  } finally {
    other.close();
    rmSync(data, { recursive: true, force: true });
  }
});

it("a demo clears the folder of an earlier demo, and no other folder", () => {
  const parent = mkdtempSync(join(tmpdir(), "toolmend-demo-folder-"));
  try {
    const [demo, other] = [join(parent, "demo"), join(parent, "other")];
    clearDemoFolder(demo);
    writeFileSync(join(demo, "old.db"), "x");
    clearDemoFolder(demo);
    expect(existsSync(join(demo, "old.db"))).toBe(false);
    mkdirSync(other);
    writeFileSync(join(other, "mine.txt"), "x");
    clearDemoFolder(other);
    expect(readdirSync(other)).toEqual(["mine.txt"]);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});
