import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CALLS, hookEvents } from "../../../test/support/hook-session.ts";
import { dataFolder } from "../../ingest/data-folder.ts";
import { openSqliteReader } from "../../store/sqlite/sqlite-store.ts";
import { main } from "../main.ts";

it("toolmend import takes in what hooks wrote down where no server runs", async () => {
  const home = mkdtempSync(join(tmpdir(), "toolmend-import-"));
  const { path, spool, database } = dataFolder(join(home, "data"));
  mkdirSync(join(spool, "claude-code"), { recursive: true });
  mkdirSync(join(home, "transcripts"));
  for (const [at, event] of hookEvents().entries()) {
    writeFileSync(join(spool, "claude-code", `${at}.json`), JSON.stringify(event));
  }
  const silent = { out: () => undefined, err: () => undefined, environment: { HOME: home } };
  const io = { ...silent, isTerminal: false, width: 80, now: Date.now };
  expect(await main(["import", join(home, "transcripts"), "--data", path], io)).toBe(0);
  const reader = openSqliteReader(database);
  expect((await reader.summary({})).calls).toBe(CALLS.length);
  await reader.close();
  expect(readdirSync(join(spool, "claude-code"))).toEqual([]);
  rmSync(home, { recursive: true });
});
