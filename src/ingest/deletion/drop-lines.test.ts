import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { draftWithout, dropLines, removeDrafts, replaceByDraft } from "./drop-lines.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-lines-"));
  path = join(folder, "lines.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const isOdd = (line: string): boolean => Number(line.split(" ")[0]) % 2 === 1;

it("dropLines removes unwanted lines and preserves the others byte for byte, with owner-only access", async () => {
  writeFileSync(path, "0 é👀\n1 b\n2 \r\n\n3 d\n4 e\n");
  expect(await dropLines(path, isOdd)).toBe(2);
  expect(readFileSync(path, "utf8")).toBe("0 é👀\n2 \r\n\n4 e\n");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["lines.jsonl"]);
});

it("dropLines does not touch a file without unwanted lines, and creates no missing file", async () => {
  writeFileSync(path, "0\n2\n");
  const { ino } = statSync(path);
  expect(await dropLines(path, isOdd)).toBe(0);
  expect(statSync(path).ino).toBe(ino);
  expect(await dropLines(join(folder, "none"), isOdd)).toBe(0);
  expect(readdirSync(folder)).toEqual(["lines.jsonl"]);
});

it("lines appended between the draft and the replacement are kept", async () => {
  writeFileSync(path, "0\n1\n2\n");
  const drafted = await draftWithout(path, isOdd);
  await appendFile(path, "3\n4\n");
  expect(drafted).toEqual({ end: 6, dropped: 1 });
  expect(await replaceByDraft(path, drafted ?? { end: 0, dropped: 0 }, isOdd)).toBe(2);
  expect(readFileSync(path, "utf8")).toBe("0\n2\n4\n");
});

it("dropLines handles lines longer than a read block and files larger than a write block", async () => {
  const lines = Array.from({ length: 40 }, (_, n) => `${n} ${"x".repeat(n * 10_000)}`);
  writeFileSync(path, `${lines.join("\n")}\n`);
  expect(await dropLines(path, isOdd)).toBe(20);
  expect(readFileSync(path, "utf8")).toBe(`${lines.filter((line) => !isOdd(line)).join("\n")}\n`);
});

it("dropLines does not follow links: the target stays unchanged", async () => {
  const outside = join(folder, "outside");
  writeFileSync(outside, "1\n");
  symlinkSync(outside, path);
  expect(await dropLines(path, isOdd)).toBe(0);
  expect(readFileSync(outside, "utf8")).toBe("1\n");
});

it("drafts left by a crash are removed", async () => {
  writeFileSync(path, "0\n1\n");
  await draftWithout(path, isOdd);
  expect(readdirSync(folder)).toHaveLength(2);
  await removeDrafts(folder);
  expect(readFileSync(path, "utf8")).toBe("0\n1\n");
  expect(readdirSync(folder)).toEqual(["lines.jsonl"]);
});
