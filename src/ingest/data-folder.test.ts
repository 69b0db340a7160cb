import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { dataFolder, prepareDataFolder } from "./data-folder.ts";

const root = mkdtempSync(join(tmpdir(), "toolmend-folders-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("preparing a data folder", () => {
  it("creates the folder and its parents with owner-only access, and is idempotent", () => {
    const folder = dataFolder(join(root, "a", "b"));
    prepareDataFolder(folder);
    prepareDataFolder(folder);
    for (const path of [folder.path, folder.journal, folder.events])
      expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o700]);
  });

  it("fails if the path or one of its parents is a file", () => {
    writeFileSync(join(root, "file"), "");
    expect(() => prepareDataFolder(dataFolder(join(root, "file")))).toThrow(/EEXIST.*file/);
    expect(() => prepareDataFolder(dataFolder(join(root, "file", "inside")))).toThrow(/ENOTDIR/);
  });

  const missing = !existsSync("/proc/self");
  it.skipIf(missing)(
    `fails without looping for a folder in /proc${missing ? " (skipped: /proc not found)" : ""}`,
    () => {
      expect(() => prepareDataFolder(dataFolder("/proc/nope/inside"))).toThrow(/ENOENT.*\/proc\/nope'/);
    },
  );
});
