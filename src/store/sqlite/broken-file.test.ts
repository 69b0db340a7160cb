import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { messageOf } from "../../core/model/errors.ts";
import { isStillBroken } from "./broken-file.ts";
import { Database } from "./database.ts";
import { isBrokenFile } from "./set-aside.ts";
import { createSqliteStore, openSqliteReader } from "./sqlite-store.ts";

const folder = mkdtempSync(join(tmpdir(), "toolmend-broken-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function create(name: string): string {
  const path = join(folder, name);
  const db = new Database(path);
  db.exec("CREATE TABLE t (a TEXT); CREATE TABLE u (a TEXT); INSERT INTO t VALUES ('x')");
  db.close();
  return path;
}

describe("the second look at a database", () => {
  it("an intact, an empty and a missing file are not broken", () => {
    writeFileSync(join(folder, "empty.db"), "");
    for (const path of [create("intact.db"), join(folder, "empty.db"), join(folder, "missing.db")])
      expect(isStillBroken(path)).toBe(false);
  });

  it("a file is broken that is no database, is cut off, or has a damaged page", () => {
    const text = join(folder, "text.db");
    writeFileSync(text, "this is not a database".repeat(100));
    const cut = create("cut.db");
    truncateSync(cut, 9000);
    const damaged = create("damaged.db");
    writeFileSync(damaged, readFileSync(damaged).fill(0xff, 8192, 16_384));
    for (const path of [text, cut, damaged]) expect(isStillBroken(path)).toBe(true);
  });

  it("a locked file is not broken", () => {
    const path = create("locked.db");
    const lock = new Database(path, { journalMode: "memory" });
    lock.exec("BEGIN EXCLUSIVE");
    expect(isStillBroken(path)).toBe(false);
    lock.close();
  });
});

describe("a damaged schema version", () => {
  const path = join(folder, "version.db");
  const intact = ((): Buffer => {
    createSqliteStore(new Database(path), path).close();
    return readFileSync(path);
  })();
  /** Puts text over the newest rows of the version table, which is the second page. */
  const withGarbage = (before: number): unknown => {
    const bytes = Buffer.from(intact);
    const newestRow = 8192 + bytes.readUInt16BE(8192 + 5);
    bytes.write("bad bytes ".repeat(60), newestRow - before);
    for (const ending of ["-wal", "-shm"]) rmSync(path + ending, { force: true });
    writeFileSync(path, bytes);
    try {
      createSqliteStore(new Database(path), path);
      return undefined;
    } catch (error) {
      return error;
    }
  };

  it.each([8, 9, 10])("is damage, not a newer version: text from %d bytes before its newest row", (before) => {
    const error = withGarbage(before);
    expect([messageOf(error), isBrokenFile(error), isStillBroken(path)]).toEqual([
      expect.stringContaining("malformed"),
      true,
      true,
    ]);
  });

  it("a version that is too new is not damage if its table is intact", () => {
    const newer = join(folder, "newer.db");
    writeFileSync(newer, intact);
    const db = new Database(newer);
    db.exec("INSERT INTO schema_version VALUES (9999, '2030-01-01')");
    db.close();
    expect(() => openSqliteReader(newer)).toThrow("schema version 9999");
    expect(isStillBroken(newer)).toBe(false);
  });
});

it("damage is recognized by SQLite's codes, also by extended ones, and by nothing else", () => {
  const broken = [11, 26, 11 | (3 << 8), 5, 10, 13, 14, 261].map((errcode) => isBrokenFile({ errcode }));
  expect(broken).toEqual([true, true, true, false, false, false, false, false]);
  expect([isBrokenFile(undefined), isBrokenFile(new Error("malformed"))]).toEqual([false, false]);
});
