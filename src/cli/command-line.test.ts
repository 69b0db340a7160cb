import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultDataPath } from "../ingest/data-folder.ts";
import { commandLine, commandPrefix } from "./command-line.ts";

function installed() {
  const root = mkdtempSync(join(tmpdir(), "toolmend-installed-"));
  const [bin, path] = [join(root, "bin"), join(root, "path")];
  mkdirSync(bin);
  mkdirSync(path);
  writeFileSync(join(bin, "toolmend.mjs"), "");
  chmodSync(join(bin, "toolmend.mjs"), 0o755);
  symlinkSync(join(bin, "toolmend.mjs"), join(path, "toolmend"));
  return { root, path };
}

describe("commands in texts", () => {
  it("commands in texts go through npm in a clone", () => {
    expect(commandLine("start")).toBe("npm run -s toolmend -- start");
  });

  it("repeat the options that choose the records, without the password of a database", () => {
    expect(commandLine("report", { data: "/tmp/records" })).toBe("npm run -s toolmend -- report --data /tmp/records");
    expect(commandLine("report", { data: "/tmp/it's mine" })).toBe(
      "npm run -s toolmend -- report --data '/tmp/it'\\''s mine'",
    );
    expect(commandLine("report", { store: "postgres://me:secret@db/toolmend", config: "a.json" })).toBe(
      "npm run -s toolmend -- report --store URL --config a.json",
    );
    expect(commandLine("report", { data: defaultDataPath() })).toBe("npm run -s toolmend -- report");
  });

  it("commands in texts have the plain name where the shell finds this installation", () => {
    const { root, path } = installed();
    expect(commandPrefix(root, { PATH: `/nowhere::${path}` })).toBe("toolmend");
  });

  it("commands in texts go through npx where the shell finds no installation, or another one", () => {
    const [{ root }, other] = [installed(), installed()];
    expect(commandPrefix(root, { PATH: "/nowhere" })).toBe("npx toolmend");
    expect(commandPrefix(root, { PATH: other.path })).toBe("npx toolmend");
    expect(commandPrefix(root, {})).toBe("npx toolmend");
  });

  it("commands in texts go through npx if npx runs them, although it puts them on its path", () => {
    const { root, path } = installed();
    expect(commandPrefix(root, { PATH: path, npm_command: "exec" })).toBe("npx toolmend");
  });
});
