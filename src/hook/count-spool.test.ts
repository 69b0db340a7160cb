import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { countSpool } from "./count-spool.ts";
import { SPOOL_EXTENSION } from "./spool-line.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-spool-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

it("has nothing in a folder that nobody made yet", async () => {
  expect(await countSpool(join(folder, "none"))).toEqual({ waiting: 0, broken: 0 });
});

it("counts whole events of every agent, and those set aside; not what is still being written", async () => {
  for (const name of ["claude-code", "codex", "broken"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "claude-code", `1${SPOOL_EXTENSION}`), "{}");
  writeFileSync(join(folder, "codex", `2${SPOOL_EXTENSION}`), "{}");
  writeFileSync(join(folder, "codex", "3.part"), "{");
  writeFileSync(join(folder, "broken", "codex4"), "no JSON");
  expect(await countSpool(folder)).toEqual({ waiting: 2, broken: 1 });
});
