import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/running.ts";
import { takeWriterLock } from "./writer-lock.ts";

const folder = temporaryFolder();
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("the lock of a data folder can be taken although its file is damaged, and only once", () => {
  const path = join(folder, "writer.lock");
  writeFileSync(path, "not a database\n".repeat(100));
  const lock = takeWriterLock(path);
  expect(lock).toBeDefined();
  expect(takeWriterLock(path)).toBeUndefined();
  lock?.release();
  expect(readFileSync(path, "utf8")).toBe("");
});
