import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { dataFolder, prepareDataFolder } from "./data-folder.ts";

const root = mkdtempSync(join(tmpdir(), "toolmend-folders-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe("preparing a data folder", () => {
  it("makes it with all above it, for the owner alone, and once more changes nothing", () => {
    const folder = dataFolder(join(root, "a", "b"));
    prepareDataFolder(folder);
    prepareDataFolder(folder);
    for (const path of [folder.path, folder.journal, folder.events])
      expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o700]);
  });

  it("refuses a file of that name, and of a folder above it", () => {
    writeFileSync(join(root, "file"), "");
    expect(() => prepareDataFolder(dataFolder(join(root, "file")))).toThrow(/EEXIST.*file/);
    expect(() => prepareDataFolder(dataFolder(join(root, "file", "inside")))).toThrow(/ENOTDIR/);
  });

  const missing = !existsSync("/proc/self");
  it.skipIf(missing)(
    `says at once that /proc takes no folders${missing ? " (not run: there is no /proc here)" : ""}`,
    () => {
      expect(() => prepareDataFolder(dataFolder("/proc/nope/inside"))).toThrow(/ENOENT.*\/proc\/nope'/);
    },
  );
});
