import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../src/store/port.ts";
import { openPostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { BREAKDOWNS } from "../../src/store/queries.ts";
import type { BreakdownRow } from "../../src/store/rows.ts";
import { openSqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import { lines } from "../support/observations.ts";
import { type TableRows, writeOldPostgres } from "../support/old-schema.ts";
import { describeWithPostgres, sharedDatabase } from "../support/postgres-stores.ts";
import { answersOf, BATCHES, NEXT_BATCH } from "../support/release-before.ts";
import { createTestStore } from "../support/test-store.ts";

/**
 * Written by the release before (SQLite schema 10, PostgreSQL schema 7) from `BATCHES`, with `langfuse` as export
 * target: its database, the rows of its PostgreSQL tables, and its answers to all queries.
 */
const FIXTURE = join(import.meta.dirname, "../fixtures/release-before");
const POSTGRES_SCHEMA = 7;

function fixture(name: string): Buffer {
  return gunzipSync(readFileSync(join(FIXTURE, name)));
}

interface AnswersBefore {
  readonly breakdowns: readonly (readonly Pick<BreakdownRow, "failed" | "phases">[])[];
}

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-release-before-"));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function openSqlite(): Promise<Store> {
  writeFileSync(join(folder, "toolmend.db"), fixture("toolmend.db.gz"));
  return openSqliteStore(join(folder, "toolmend.db"));
}

/** Creates the tables of the release before, and fills them with its rows. */
async function openPostgres(): Promise<Store> {
  const url = await sharedDatabase();
  const { schema_version: _written, ...tables } = JSON.parse(fixture("postgres.json.gz").toString()) as TableRows;
  await writeOldPostgres(url, POSTGRES_SCHEMA, tables);
  return await openPostgresStore(url, { connections: 2 });
}

async function apply(target: Store, batch: readonly object[], position: number): Promise<void> {
  await target.apply({ journal: "j1", position: String(position), live: true, lines: lines(...batch) });
}

function answersAsBefore(open: () => Promise<Store>): void {
  it("this release gives the same answers as the one before", async () => {
    store = await open();
    const before = JSON.parse(fixture("answers.json.gz").toString()) as AnswersBefore;
    // That release counted no failures of sessions by phase. All of the fixture have phase run.
    const breakdowns = BREAKDOWNS.map((by, at) => {
      const rows = before.breakdowns[at] ?? [];
      return by === "session" ? rows.map((row) => ({ ...row, phases: { ...row.phases, run: row.failed } })) : rows;
    });
    // Answers may have more fields now, but as many rows.
    expect(await answersOf(store)).toMatchObject({ ...before, breakdowns });
  });

  it("this release continues threads as if it had recorded everything", async () => {
    store = await open();
    const fresh = createTestStore();
    for (const one of [store, fresh]) await one.exportTo(["langfuse"]);
    for (const [at, batch] of BATCHES.entries()) await apply(fresh, batch, at + 1);
    for (const one of [store, fresh]) await apply(one, NEXT_BATCH, BATCHES.length + 1);
    // The release before queued no responses for export; this one exports them as generations.
    const { backlog: [queued] = [], ...answers } = await answersOf(store);
    const { backlog: [freshlyQueued] = [], ...freshAnswers } = await answersOf(fresh);
    expect(answers).toEqual(freshAnswers);
    expect([queued?.waiting, freshlyQueued?.waiting]).toEqual([134, 135]);
    await fresh.close();
  });

  it("this release subtracts a deleted session from sums of the one before", async () => {
    store = await open();
    const fresh = createTestStore();
    for (const [at, batch] of BATCHES.entries()) if (at !== 1) await apply(fresh, batch, at + 1);
    expect(await store.deleteSession("default", "two", Date.UTC(2026, 3, 1))).toMatchObject({ sessions: 1, calls: 90 });
    expect(await store.summary({})).toEqual(await fresh.summary({}));
    expect(await store.breakdown("tool", {})).toEqual(await fresh.breakdown("tool", {}));
    expect(await store.fingerprints({})).toEqual(await fresh.fingerprints({}));
    await fresh.close();
  });
}

describe("a data folder of the release before", () => answersAsBefore(openSqlite));
describeWithPostgres("a PostgreSQL database of the release before", () => answersAsBefore(openPostgres));
