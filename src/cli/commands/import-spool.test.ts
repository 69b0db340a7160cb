import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CALLS, hookEvents } from "../../../test/support/hook-session.ts";
import { dataFolder } from "../../ingest/data-folder.ts";
import { openSqliteReader } from "../../store/sqlite/sqlite-store.ts";
import { main } from "../main.ts";

let home: string;
let printed: string;
const data = (): ReturnType<typeof dataFolder> => dataFolder(join(home, "data"));
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "toolmend-import-"));
  printed = "";
});
afterEach(() => rmSync(home, { recursive: true }));

function spool(texts: readonly string[]): void {
  const folder = join(data().spool, "claude-code");
  mkdirSync(folder, { recursive: true });
  for (const [at, text] of texts.entries()) writeFileSync(join(folder, `${at}.json`), text);
}

function run(...args: string[]): Promise<number> {
  const print = (text: string): void => {
    printed += text;
  };
  const environment = { HOME: home, CLAUDE_CONFIG_DIR: join(home, "claude"), CODEX_HOME: join(home, "codex") };
  const io = { out: print, err: print, environment, isTerminal: false, width: 80, now: Date.now };
  return main(["import", ...args, "--data", data().path], io);
}

async function storedCalls(): Promise<number> {
  const reader = openSqliteReader(data().database);
  const { calls } = await reader.summary({});
  await reader.close();
  return calls;
}

it("import records spooled hook events if no server is running", async () => {
  mkdirSync(join(home, "transcripts"));
  spool(hookEvents().map((event) => JSON.stringify(event)));
  expect(await run(join(home, "transcripts"))).toBe(0);
  expect(await storedCalls()).toBe(CALLS.length);
  expect(readdirSync(join(data().spool, "claude-code"))).toEqual([]);
});

it("import records spooled hook events without any transcripts, and reports their number", async () => {
  spool([...hookEvents().map((event) => JSON.stringify(event)), "no JSON"]);
  expect(await run()).toBe(0);
  expect(await storedCalls()).toBe(CALLS.length);
  expect(printed).toContain(`${hookEvents().length} spooled hook events imported.`);
  expect(printed).toContain("Moved 1 hook event that could not be parsed to spool/broken.");
});

it("import explains what to do if there are neither transcripts nor spooled events", async () => {
  expect(await run()).toBe(1);
  expect(printed).toMatch(/^No transcripts found in the default folders \(.*\)\. Give a file or a folder\.\n$/);
});
