import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { countSpool } from "./spool.ts";
import { SPOOL_EXTENSION } from "./spool-line.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-spool-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

it("the spool counts are 0 when the folder does not exist", async () => {
  expect(await countSpool(join(folder, "none"))).toEqual({ waiting: 0, broken: 0 });
});

it("the spool counts include complete and quarantined events of every agent, but no unfinished files", async () => {
  for (const name of ["claude-code", "codex", "broken"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "claude-code", `1${SPOOL_EXTENSION}`), "{}");
  writeFileSync(join(folder, "codex", `2${SPOOL_EXTENSION}`), "{}");
  writeFileSync(join(folder, "codex", "3.part"), "{");
  writeFileSync(join(folder, "broken", "codex4"), "no JSON");
  expect(await countSpool(folder)).toEqual({ waiting: 2, broken: 1 });
});
