import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseStateKey, readOrCreateStateKey } from "./state-key.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-key-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("the key file", () => {
  it("the key file is created once, for its owner only", () => {
    const path = join(folder, "state.key");
    const key = readOrCreateStateKey(path);
    expect(key).toHaveLength(32);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readOrCreateStateKey(path)).toEqual(key);
  });

  it("the key file is closed to others again if it was opened", () => {
    const path = join(folder, "state.key");
    readOrCreateStateKey(path);
    chmodSync(path, 0o644);
    readOrCreateStateKey(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("the key file is not used if it is a link, damaged, or cannot be created", () => {
    const target = join(folder, "target");
    writeFileSync(target, `${randomBytes(32).toString("hex")}\n`);
    symlinkSync(target, join(folder, "link"));
    writeFileSync(join(folder, "damaged"), "abc\n");
    expect(readOrCreateStateKey(join(folder, "link"))).toBeUndefined();
    expect(readOrCreateStateKey(join(folder, "damaged"))).toBeUndefined();
    expect(readOrCreateStateKey(join(folder, "missing", "state.key"))).toBeUndefined();
    expect(readFileSync(join(folder, "damaged"), "utf8")).toBe("abc\n");
  });
});

describe("the key of the environment", () => {
  it("the key in the environment has 32 bytes in hex or base64", () => {
    const key = randomBytes(32);
    expect(parseStateKey(key.toString("hex"))).toEqual(key);
    expect(parseStateKey(` ${key.toString("base64")}\n`)).toEqual(key);
    expect(parseStateKey(key.toString("base64url"))).toEqual(key);
  });

  it.each(["", "secret", "a".repeat(32), "0".repeat(63), "correct horse battery staple and some more words"])(
    "a key in the environment is refused if it is %j",
    (text) => {
      expect(() => parseStateKey(text)).toThrow("TOOLMEND_STATE_KEY must be 32 bytes");
      expect(() => parseStateKey(text)).not.toThrow("staple");
    },
  );
});
