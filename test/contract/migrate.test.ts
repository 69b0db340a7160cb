import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { afterEach, beforeEach, expect, it } from "vitest";
import { dataFolder, prepareDataFolder } from "../../src/ingest/data-folder.ts";
import type { StoreReader } from "../../src/store/port.ts";
import { copyFromSqlite } from "../../src/store/postgres/copy-from-sqlite.ts";
import { openCopyTarget, openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { Database } from "../../src/store/sqlite/database.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import {
  callObservation,
  FAILED,
  leakObservation,
  lines,
  NOON,
  OK,
  requestObservation,
  result,
  suspensionObservation,
} from "../support/observations.ts";
import { writeOldDatabase } from "../support/old-schema.ts";
import { describeWithPostgres, sharedDatabase } from "../support/postgres-stores.ts";
import { type Ran, runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/running.ts";

/** Incompressible, and longer than any PostgreSQL index entry. */
const LONG = Array.from({ length: 3000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join("");

let data: string;
let url: string;
beforeEach(async () => {
  data = temporaryFolder();
  url = await sharedDatabase();
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** Rows of every kind, including a fork and more rows than one copy batch. */
async function fill(): Promise<void> {
  prepareDataFolder(dataFolder(data));
  const store = openSqliteStore(dataFolder(data).database);
  const calls = Array.from({ length: 1200 }, (_, at) =>
    callObservation({
      session_id: `s${at % 13}`,
      tool_call_id: `toolu_copy${String(at).padStart(8, "0")}`,
      occurred_at: NOON + at * 1000,
      execution_time_ms: at / 4,
      model: "m",
      prompt: "p",
      workflow: "docs",
      result: result(`text ${at}`, at % 9 === 0 ? { ...FAILED, fingerprint: `f${at % 4}` } : OK),
    }),
  );
  const fork = [0, 99].map((later) => [
    requestObservation({ session_id: `f${later}`, request_id: `f${later}`, occurred_at: NOON + later }),
    callObservation({
      session_id: `f${later}`,
      tool_call_id: "toolu_carried00001",
      occurred_at: NOON + (later === 0 ? 10 : later),
      result: result("carried", FAILED),
    }),
  ]);
  const all = [...calls, ...fork.flat(), leakObservation(), suspensionObservation({ request_id: "refused" })];
  await store.apply({ journal: "j", position: "00000001:5", live: true, lines: lines(...all) });
  await store.close();
}

async function everything(reader: StoreReader): Promise<readonly unknown[]> {
  return [
    await reader.summary({}),
    await reader.sessions({ limit: 100 }),
    await reader.sessionDetail("default", "s0"),
    await reader.breakdown("tool", {}),
    await reader.breakdown("workflow", {}),
    await reader.series({ step: "hour" }),
    await reader.fingerprints({}),
    await reader.originOutcomes({}),
    await reader.leaks({}),
    await reader.suspensions({}),
    await reader.events(0, 5000),
    await reader.lastEvent(),
  ];
}

const toolmend = (...args: readonly string[]): Promise<Ran> => runCommand(args, { now: () => NOON });

describeWithPostgres("toolmend migrate", () => {
  it("migrate copies everything: every query returns the same rows, and servers continue from there", async () => {
    await fill();
    const sqlite = openSqliteStore(join(data, "toolmend.db"));
    const expected = await everything(sqlite);
    await sqlite.close();
    const { code, out, err } = await toolmend("migrate", "--from", data, "--store", url);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("counts and checksums match");
    const store = await openPostgresStore(url);
    expect(await everything(store)).toEqual(expected);
    expect(await store.appliedPosition("j")).toBe("00000001:5");
    const late = callObservation({ session_id: "s1", tool_call_id: "toolu_later0000001", result: result("late") });
    await store.apply({ journal: "j", position: "2", live: true, lines: lines(late) });
    expect((await store.summary({})).calls).toBe((expected[0] as { calls: number }).calls + 1);
    await store.close();
  });

  it("migrate counts the unhealthy sessions of a database that has no counters for them yet", async () => {
    await fill();
    const source = dataFolder(data).database;
    const malformed = [1, 2, 3, 4, 5].map((n) =>
      callObservation({
        session_id: "ill",
        tool_call_id: `toolu_ill${n}`,
        result: result(`${n}`, n < 4 ? FAILED : OK),
      }),
    );
    const store = openSqliteStore(source);
    await store.apply({ journal: "j2", position: "1", live: true, lines: lines(...malformed) });
    const expected = await store.unhealthySessions({});
    await store.close();
    expect(expected).toBeGreaterThan(0);
    writeOldDatabase(source, `${source}.old`, 7);
    renameSync(`${source}.old`, source);
    expect((await toolmend("migrate", "--from", data, "--store", url)).code).toBe(0);
    const copy = await openPostgresStore(url);
    expect(await copy.unhealthySessions({})).toBe(expected);
    await copy.close();
  });

  it("migrate shortens ids that an older version stored, and PostgreSQL cannot index, as a new record would", async () => {
    await fill();
    const source = dataFolder(data).database;
    const long = { tool_call_id: `${LONG}c`, request_id: `${LONG}r` };
    const store = openSqliteStore(source);
    const own = { tool_call_id: "old-call", request_id: "old-request" };
    const request = requestObservation({ session_id: "old", request_id: "old-request" });
    const call = callObservation({ session_id: "old", ...own, result: result("boom", FAILED) });
    await store.apply({ journal: "j2", position: "1", live: true, lines: lines(request, call) });
    await store.close();
    const db = new Database(source);
    const tables = db.all("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => String(name));
    for (const table of tables) {
      const columns = db.all(`PRAGMA table_info(${table})`).map(({ name }) => String(name));
      for (const [column, id] of Object.entries(long))
        if (columns.includes(column))
          db.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`, id, own[column as keyof typeof own]);
    }
    expect(db.get("SELECT max(length(tool_call_id)) AS longest FROM calls")).toEqual({ longest: 3001 });
    db.close();

    const { code, err } = await toolmend("migrate", "--from", data, "--store", url);
    expect([code, err]).toEqual([0, ""]);
    const copy = await openPostgresStore(url);
    // The client sends its history again: the call is known.
    const again = callObservation({ session_id: "old", ...long, result: result("boom", FAILED) });
    const { rejected } = await copy.apply({ journal: "j", position: "2", live: true, lines: lines(again) });
    expect([rejected, (await copy.sessionDetail("default", "old"))?.calls.length]).toEqual([[], 1]);
    await copy.close();
  });

  it("migrate resumes after an interruption, and refuses to overwrite another database", async () => {
    await fill();
    const { db } = openCopyTarget(url);
    const source = dataFolder(data).database;
    let pages = 0;
    const interrupted = copyFromSqlite(source, db, {
      source,
      onProgress() {
        pages += 1;
        if (pages === 2) throw new Error("power failure");
      },
    });
    await expect(interrupted).rejects.toThrow("power failure");
    const counts: number[] = [];
    await copyFromSqlite(source, db, { source, onProgress: (done) => counts.push(done) });
    // A thousand calls were copied already.
    expect(counts[0]).toBeLessThan(500);
    await expect(copyFromSqlite(source, db, { source: "another" })).rejects.toMatchObject({ code: "not-empty" });
    await db.close();
  });

  it("migrate detects a row that differs from its source", async () => {
    await fill();
    expect((await toolmend("migrate", "--from", data, "--store", url)).code).toBe(0);
    const sql = postgres(url, { max: 1 });
    await sql`UPDATE calls SET status_message = 'other' WHERE tool_call_id = 'toolu_copy00000007'`;
    await sql.end();
    const { code, err } = await toolmend("migrate", "--from", data, "--store", url.replace("@", ":hunter22@"));
    expect(code).toBe(1);
    expect(err).toContain("the copy of calls differs");
    expect(err).not.toContain("hunter22");
  });

  it("migrate reports a missing target or source", async () => {
    expect(await toolmend("migrate", "--from", data)).toMatchObject({ code: 2 });
    expect((await toolmend("migrate", "--from", data, "--store", url)).err).toContain("Source database not found");
  });
});
