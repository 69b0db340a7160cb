import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Database } from "./database.ts";
import { emptyLog, rewriteDatabase } from "./scrub.ts";

let folder: string;
let path: string;
let db: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-scrub-"));
  path = join(folder, "store.db");
  db = new Database(path);
  db.exec("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)");
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

it("a rewrite truncates the log, shrinks the file and leaves no byte of deleted rows in it", () => {
  for (let n = 0; n < 500; n += 1) db.run("INSERT INTO t (text) VALUES (?)", "canary".repeat(n));
  db.exec("DELETE FROM t");
  expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
  emptyLog(db);
  const before = statSync(path).size;
  rewriteDatabase(db, path);
  emptyLog(db);
  expect(statSync(path).size).toBeLessThan(before / 2);
  expect(statSync(`${path}-wal`).size).toBe(0);
  db.close();
  expect(readFileSync(path, "latin1")).not.toContain("canary");
  db = new Database(path);
});

it("a rewrite that would fill the disk is rejected with the space it needs", () => {
  expect(() => rewriteDatabase(db, path, 60_000_000)).toThrow(
    /^rewriting the database needs \d+ MB of free disk space; 60 MB are available$/,
  );
});

it("truncating the log fails as busy while another connection reads an older snapshot", () => {
  db.run("INSERT INTO t (text) VALUES (?)", "x");
  const reader = new Database(path, { readOnly: true });
  reader.exec("BEGIN");
  reader.get("SELECT * FROM t");
  db.exec("PRAGMA busy_timeout = 0");
  db.run("INSERT INTO t (text) VALUES (?)", "y");
  expect(() => emptyLog(db)).toThrow("another process is reading the database");
  reader.exec("COMMIT");
  reader.close();
  emptyLog(db);
});
