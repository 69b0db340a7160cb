import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Checkpoint } from "../../hook/transcripts/read-transcript.ts";
import type { FoundFile } from "./find-transcripts.ts";
import { ImportCheckpoints } from "./import-checkpoints.ts";

let folder: string;
let path: string;
let database: string;
let file: FoundFile;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-checkpoints-"));
  [path, database] = [join(folder, "imports.json"), join(folder, "db")];
  writeFileSync(database, "");
  const transcript = join(folder, "session-one.jsonl");
  writeFileSync(transcript, "a line\n");
  const { size, mtimeMs, ino } = statSync(transcript);
  file = { path: transcript, size, mtimeMs, ino };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const checkpoint: Checkpoint = {
  kind: "codex",
  offset: 7,
  lines: 1,
  memory: { counts: {}, thread: { session_id: "session-one" } },
};
const grown = (): FoundFile => ({ ...file, size: file.size + 1 });

it("checkpoints key files by a hash, because clients name transcripts after their session", async () => {
  const checkpoints = new ImportCheckpoints(path, database);
  await checkpoints.update(file, { ...checkpoint, memory: {} });
  checkpoints.save();
  expect(readFileSync(path, "utf8")).not.toContain("session-one");
  expect(await new ImportCheckpoints(path, database).plan(file)).toEqual({ kind: "unchanged" });
});

it("checkpoints of version 1, which keyed files by path, are read", async () => {
  const checkpoints = new ImportCheckpoints(path, database);
  await checkpoints.update(file, checkpoint);
  checkpoints.save();
  const { store, files } = JSON.parse(readFileSync(path, "utf8")) as { store: string; files: Record<string, object> };
  const old = Object.fromEntries(Object.values(files).map((entry) => [file.path, entry]));
  writeFileSync(path, JSON.stringify({ v: 1, store, files: old }));
  expect(await new ImportCheckpoints(path, database).plan(file)).toEqual({ kind: "unchanged" });
  expect(await new ImportCheckpoints(path, database).plan(grown())).toEqual({ kind: "grown", from: checkpoint });
});

it("the checkpoint of a deleted session is removed; its file is read again only if it grows, from the start", async () => {
  const checkpoints = new ImportCheckpoints(path, database);
  await checkpoints.update(file, checkpoint);
  checkpoints.save();
  expect(ImportCheckpoints.forget(path, database, (text) => text.includes("another"))).toBe(0);
  expect(ImportCheckpoints.forget(path, database, (text) => text.includes("session-one"))).toBe(1);
  expect(readFileSync(path, "utf8")).not.toContain("session-one");
  expect(await new ImportCheckpoints(path, database).plan(file)).toEqual({ kind: "unchanged" });
  expect(await new ImportCheckpoints(path, database).plan(grown())).toEqual({ kind: "new" });
});

it("drafts left by a crash are removed, but not the draft of a running import", () => {
  for (const name of ["imports.json.abandoned", "imports.json.running"]) writeFileSync(join(folder, name), "x");
  utimesSync(join(folder, "imports.json.abandoned"), 1, 1);
  ImportCheckpoints.forget(path, database, () => true);
  expect(readdirSync(folder).filter((name) => name.startsWith("imports.json"))).toEqual(["imports.json.running"]);
});
